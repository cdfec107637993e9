//! `sweep bytes`: every byte string up to a length, and longer ones, through every decoder of the crate.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use varint_sweep::byte_strings::{ByteSweep, MAX_EXHAUSTIVE_LEN, MAX_STRUCTURED_LEN, Report, Text};
use varint_sweep::{ProgressLine, SweepError, Watch};
use zigzag_varint::Kernel;

use super::PROGRAM;
use super::builtin_decoders::{BuiltinDecoder, ConstDecode};
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::help_headings::{CODEC, LARGE, OUTPUT, WATCHING, WHAT};
use super::integer_type::{IntegerType, with_type};
use super::interrupt_signal::on_interrupt;
use super::report_arguments::ReportArguments;
use super::value_parsers::{kernel, threads};

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[
        (0, "no disagreement"),
        (1, "disagreements found"),
        (2, "wrong usage"),
        (3, "a file cannot be written"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep bytes", "three bytes, five types, every door"),
        ("sweep bytes --len 4 --type u64", "4,294,967,296 strings and more: minutes"),
        ("sweep bytes --door bulk --kernel scalar", "one decoder alone"),
    ],
};

/// Check decoders on every byte string up to a length
///
/// Every byte string up to a length, sound or not, and structured ones up to eleven bytes go through every door and
/// kernel, by themselves and in streams, lenient and canonical. An independent plain decoder says what is due: the same
/// value, length, kind of error and offset.
#[derive(Args)]
pub(crate) struct BytesCommand {
    /// Every string of 0 to N bytes (256 times as many with each byte more; at most 5)
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = WHAT)]
    len: usize,
    /// Integer types
    #[arg(
        long = "type",
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "u8,u16,u32,u64,i64",
        help_heading = WHAT
    )]
    types: Vec<IntegerType>,
    /// Doors to check; all by default
    #[arg(long = "door", value_name = "NAME,...", value_delimiter = ',', help_heading = CODEC)]
    decoders: Vec<BuiltinDecoder>,
    /// Kernels for door bulk; all that the CPU has by default
    #[arg(long = "kernel", value_name = "NAME,...", value_delimiter = ',', value_parser = kernel, help_heading = CODEC)]
    kernels: Vec<Kernel>,
    /// Worker threads; all cores by default
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
    /// Stop after N disagreements; 0: count them all
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = OUTPUT)]
    max_failures: u64,
    #[command(flatten)]
    output: ReportArguments,
    /// Draw no progress line
    #[arg(long, help_heading = WATCHING)]
    no_progress: bool,
}

impl BytesCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        if !self.kernels.is_empty() && !self.decoders().iter().any(|decoder| decoder.has_kernels()) {
            return Err(Error::usage("none of these doors has a choice of kernels: leave --kernel out"));
        }
        let output = self.output.open()?;
        if self.len > MAX_EXHAUSTIVE_LEN {
            return Err(Error::usage(self.too_long()));
        }
        let watch = Arc::new(Watch::for_program(PROGRAM));
        let stopped = Arc::clone(&watch);
        on_interrupt(move || stopped.stop());
        let is_drawn = !self.output.quiet && !self.no_progress;
        let progress = is_drawn.then(|| ProgressLine::of(Arc::clone(&watch)));
        let swept = self.sweep(self.len, self.max_failures, &watch);
        drop(progress);
        let report = swept.map_err(Error::usage)?;
        output.deliver(&report, &Text(&report).to_string())?;
        Ok(exit_code(&report))
    }

    /// One type after another.
    fn sweep(&self, len: usize, max_failures: u64, watch: &Watch) -> Result<Report, SweepError> {
        let mut types = self.types.iter();
        let run = |value_type: &IntegerType| with_type!(value_type, run(self, len, max_failures, watch));
        let first = types.next().unwrap_or(&IntegerType::U64);
        types.try_fold(run(first)?, |report, next| Ok(report.merge(run(next)?)))
    }

    fn decoders(&self) -> &[BuiltinDecoder] {
        if self.decoders.is_empty() { BuiltinDecoder::value_variants() } else { &self.decoders }
    }

    /// What a length beyond the limit would take, by a trial with these decoders and types.
    fn too_long(&self) -> String {
        let strings = 256f64.powi(self.len.min(100) as i32) * self.types.len() as f64;
        let refusal = format!("--len {}: {strings:.1e} strings", self.len);
        let remedy = format!(
            "choose 0 to {MAX_EXHAUSTIVE_LEN}; structured strings go up to {MAX_STRUCTURED_LEN} bytes in any case"
        );
        match self.sweep(2, 0, &Watch::new()) {
            Ok(trial) => {
                let years = strings / trial.strings_per_second.max(1.0) / 31_557_600.0;
                format!("{refusal} would take {years:.1e} years here: {remedy}")
            }
            Err(_) => format!("{refusal} are too many: {remedy}"),
        }
    }
}

fn run<T: ConstDecode>(
    arguments: &BytesCommand,
    len: usize,
    max_failures: u64,
    watch: &Watch,
) -> Result<Report, SweepError> {
    let kernels = match &arguments.kernels[..] {
        [] => Kernel::available().collect(),
        chosen => chosen.to_vec(),
    };
    let mut sweep = ByteSweep::<T>::new()
        .max_len(len)
        .max_failures(max_failures)
        .watch_shared_by(arguments.types.len() as u32);
    if let Some(threads) = arguments.threads {
        sweep = sweep.threads(threads);
    }
    for decoder in arguments.decoders() {
        sweep = decoder.add_to(sweep, &kernels);
    }
    sweep.run_watched(watch)
}

fn exit_code(report: &Report) -> ExitCode {
    if report.disagreements > 0 {
        ExitCode::Failures
    } else if !report.complete {
        ExitCode::Interrupted
    } else {
        ExitCode::Success
    }
}
