//! `sweep bytes`: checks every decoder of the crate on every byte string up to a length, and on
//! structured longer ones.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use varint_sweep::byte_strings::{ByteSweep, MAX_EXHAUSTIVE_LEN, MAX_STRUCTURED_LEN, Report, Text};
use varint_sweep::{ProgressLine, SweepError, TestSuites, Watch};
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
        (2, "invalid arguments"),
        (3, "a file cannot be written"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep bytes", "check all strings of up to three bytes, five types, every decoder"),
        (
            "sweep bytes --len 4 --type u64",
            "check all 4,311,810,305 strings of up to four bytes, which takes minutes",
        ),
        ("sweep bytes --decoder bulk --kernel scalar", "check one decoder on one kernel"),
    ],
};

/// Check decoders on every byte string up to a length
///
/// Checks every byte string of up to --len bytes, valid or not, and structured strings of up to 11
/// bytes. Every decoder decodes each string alone and within a sequence of values. It does so
/// twice: the lenient mode accepts overlong encodings, and the canonical mode rejects them.
///
/// An independent reference decoder calculates the expected result: the value and its length, or
/// the kind and offset of the error.
#[derive(Args)]
pub(crate) struct BytesCommand {
    /// Check every string of 0 to N bytes, N at most 5
    ///
    /// Each further byte takes 256 times as long. Structured strings of up to 11 bytes, with every
    /// pattern of continuation bits, are always checked.
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = WHAT)]
    len: usize,
    /// Integer types to decode, separated by commas
    #[arg(
        long = "type",
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "u8,u16,u32,u64,i64",
        help_heading = WHAT
    )]
    types: Vec<IntegerType>,
    /// Decoders to check, separated by commas [default: all]
    #[arg(long = "decoder", value_name = "NAME,...", value_delimiter = ',', help_heading = CODEC)]
    decoders: Vec<BuiltinDecoder>,
    /// Kernels for --decoder bulk, separated by commas [default: all of this CPU]
    #[arg(long = "kernel", value_name = "NAME,...", value_delimiter = ',', value_parser = kernel, help_heading = CODEC)]
    kernels: Vec<Kernel>,
    /// Number of worker threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
    /// Stop after N disagreements; 0 counts them all
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = OUTPUT)]
    max_failures: u64,
    /// Hide the progress line
    #[arg(long, help_heading = WATCHING)]
    no_progress: bool,
    #[command(flatten)]
    output: ReportArguments,
}

impl BytesCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        if !self.kernels.is_empty() && !self.decoders().iter().any(|decoder| decoder.has_kernels()) {
            return Err(Error::usage(
                "--kernel: none of these decoders has kernels to choose from; add --decoder bulk or remove --kernel",
            ));
        }
        let output = self.output.open()?;
        if self.len > MAX_EXHAUSTIVE_LEN {
            return Err(Error::usage(self.too_long()));
        }
        let watch = Arc::new(Watch::for_program(PROGRAM));
        let stopped = Arc::clone(&watch);
        on_interrupt(self.output.quiet, move || stopped.stop());
        let is_drawn = !self.output.quiet && !self.no_progress;
        let progress = is_drawn.then(|| ProgressLine::of(Arc::clone(&watch)));
        let swept = self.sweep(self.len, self.max_failures, &watch);
        drop(progress);
        let report = swept.map_err(Error::usage)?;
        output
            .with_junit(&TestSuites(vec![report.test_suite()]))
            .deliver(&report, &Text(&report).to_string())?;
        Ok(exit_code(&report))
    }

    /// Sweeps one type after another and joins their reports.
    fn sweep(&self, len: usize, max_failures: u64, watch: &Watch) -> Result<Report, SweepError> {
        let mut types = self.types.iter();
        let run = |value_type: &IntegerType| with_type!(value_type, run(self, len, max_failures, watch));
        let first = types.next().unwrap_or(&IntegerType::U64);
        types.try_fold(run(first)?, |report, next| Ok(report.merge(run(next)?)))
    }

    fn decoders(&self) -> &[BuiltinDecoder] {
        if self.decoders.is_empty() { BuiltinDecoder::value_variants() } else { &self.decoders }
    }

    /// Returns the message for a length beyond the limit. It has the time that this length would
    /// take, from a trial with the same decoders and types.
    fn too_long(&self) -> String {
        let strings = 256f64.powi(self.len.min(100) as i32) * self.types.len() as f64;
        let len = self.len;
        let remedy = format!(
            "choose 0 to {MAX_EXHAUSTIVE_LEN} (structured strings of up to {MAX_STRUCTURED_LEN} bytes are always checked)"
        );
        match self.sweep(2, 0, &Watch::new()) {
            Ok(trial) => {
                let years = strings / trial.strings_per_second.max(1.0) / 31_557_600.0;
                format!("--len {len}: {strings:.1e} strings would take {years:.1e} years here; {remedy}")
            }
            Err(_) => format!("--len {len}: {strings:.1e} strings are too many; {remedy}"),
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
