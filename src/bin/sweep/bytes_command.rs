//! `sweep bytes`: checks every decoder of the crate on every byte string up to a length, and on
//! structured longer ones.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use varint_sweep::byte_strings::{
    ByteSweep, Checkpoint, MAX_EXHAUSTIVE_LEN, MAX_STRUCTURED_LEN, Report, Text,
};
use varint_sweep::{Ending, TestSuites, Watch};
use zigzag_varint::Kernel;

use super::PROGRAM;
use super::builtin_decoders::{BuiltinDecoder, ConstDecode};
use super::checkpoint_arguments::CheckpointArguments;
use super::console::warn;
use super::distinct_files::{NamedFile, check_distinct};
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::help_headings::{CODEC, LARGE, OUTPUT, WHAT};
use super::integer_type::{IntegerType, with_type};
use super::interrupt_signal::on_interrupt;
use super::report_arguments::ReportArguments;
use super::value_parsers::{count, duration, kernel, threads};
use super::watch_arguments::WatchArguments;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[
        (0, "no disagreement"),
        (1, "disagreements found"),
        (2, "invalid arguments"),
        (3, "a file cannot be used"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep bytes", "check all strings of up to three bytes, five types, every decoder"),
        (
            "sweep bytes --len 4 --type u64",
            "check all 4,311,810,305 strings of up to four bytes, which takes minutes",
        ),
        ("sweep bytes --len 4 --checkpoint bytes.json", "save progress; run it again after an interruption"),
        ("sweep bytes --budget 10m", "check strings up to the length that ten minutes suffice for"),
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
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count, help_heading = WHAT)]
    len: u64,
    /// Choose --len so that the check fits this duration
    ///
    /// Written as 10s, 5m or 2h. A short trial measures the decoders. The greatest length that is
    /// estimated to fit is chosen, or 0. A check that resumes from a checkpoint keeps its length.
    #[arg(long, value_name = "DURATION", value_parser = duration, conflicts_with = "len", help_heading = WHAT)]
    budget: Option<Duration>,
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
    #[command(flatten)]
    checkpoint: CheckpointArguments,
    #[command(flatten)]
    watch: WatchArguments,
    /// Stop after N disagreements; 0 counts them all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count, help_heading = OUTPUT)]
    max_failures: u64,
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
        if self.len > MAX_EXHAUSTIVE_LEN as u64 {
            return Err(Error::usage(self.too_long()));
        }
        check_distinct(&self.files())?;
        let output = self.output.open()?;
        let CheckpointArguments { checkpoint: path, checkpoint_every: interval } = &self.checkpoint;
        let checkpoint = path.as_deref().map(Checkpoint::open).transpose().map_err(Error::file)?;
        let mut checkpoint =
            checkpoint.map(|new| new.save_every(*interval).on_save_error(|error| warn(error)));

        let watch = Arc::new(Watch::for_program(PROGRAM));
        let stopped = Arc::clone(&watch);
        on_interrupt(self.output.quiet, move || stopped.stop());
        let watching = self.watch.begin(&watch, self.output.quiet)?;
        let sweep = match self.budget {
            Some(budget) => self.sweep().budget(budget),
            None => self.sweep().max_len(self.len as usize),
        };
        let swept = sweep.max_failures(self.max_failures).run_watched(&watch, checkpoint.as_mut());
        drop(watching);
        let report = swept?;

        let mut text = Text(&report).to_string();
        if let (Some(path), None) = (path, watch.start()) {
            let path = path.display();
            text += &format!("\nnothing to do: the checkpoint '{path}' already has the complete check\n");
        }
        // If the report cannot be written, the error about the checkpoint is still printed.
        let junit = TestSuites(vec![report.test_suite()]);
        let delivered = output.with_junit(&junit).deliver(&report, &text);
        let saved = match checkpoint.as_ref().and_then(Checkpoint::save_error) {
            Some(error) => Err(Error::file(error)),
            None => Ok(()),
        };
        Error::join([delivered, saved])?;
        Ok(exit_code(&report))
    }

    /// Returns the files that the options name.
    fn files(&self) -> Vec<NamedFile<'_>> {
        self.checkpoint.file().into_iter().chain(self.watch.files()).chain(self.output.files()).collect()
    }

    /// Returns the sweep of all types and decoders.
    fn sweep(&self) -> ByteSweep {
        let mut sweep = ByteSweep::new();
        if let Some(threads) = self.threads {
            sweep = sweep.threads(threads);
        }
        if !self.kernels.is_empty() {
            sweep = sweep.with_chosen_kernels();
        }
        for value_type in distinct(&self.types) {
            sweep = with_type!(value_type, with_decoders(sweep, self));
        }
        sweep
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
        match self.sweep().max_len(2).max_failures(0).run() {
            Ok(trial) => {
                let years = strings / trial.strings_per_second.max(1.0) / 31_557_600.0;
                format!("--len {len}: {strings:.1e} strings would take {years:.1e} years here; {remedy}")
            }
            Err(_) => format!("--len {len}: {strings:.1e} strings are too many; {remedy}"),
        }
    }
}

/// Adds the decoders of one type to a sweep.
fn with_decoders<T: ConstDecode>(sweep: ByteSweep, arguments: &BytesCommand) -> ByteSweep {
    let kernels = match &arguments.kernels[..] {
        [] => Kernel::available().collect(),
        chosen => distinct(chosen),
    };
    let decoders = distinct(arguments.decoders()).into_iter();
    decoders.fold(sweep, |sweep, decoder| decoder.add_to::<T>(sweep, &kernels))
}

/// Returns the items without repetitions.
fn distinct<I: Copy + PartialEq>(items: &[I]) -> Vec<I> {
    let is_first = |&(index, item): &(usize, &I)| !items[..index].contains(item);
    items.iter().enumerate().filter(is_first).map(|(_, item)| *item).collect()
}

fn exit_code(report: &Report) -> ExitCode {
    if report.ending == Ending::Interrupted {
        ExitCode::Interrupted
    } else if report.disagreements > 0 {
        ExitCode::Failures
    } else {
        ExitCode::Success
    }
}
