//! `sweep bytes`: every byte string up to a length, and longer ones, through every decoder of the crate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use clap::builder::TypedValueParser;
use zigzag_varint::Kernel;
use varint_sweep::bytes::{ByteSweep, ConstDecode, DOORS, LONGEST, MAX_LEN, NamedDoor, Report, Text};
use varint_sweep::{Progress, SweepError, Watch};

use super::arguments::{CODEC, LARGE, OUTPUT, Type, WATCHING, WHAT, kernel, named, threads, with_type};
use super::console::{FAILURES, FILE, INTERRUPTED, Json, USAGE, deliver, fail};
use super::ending::Ending;
use super::interrupt::on_interrupt;

pub(crate) const ENDING: Ending = Ending {
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
pub(crate) struct Bytes {
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
    types: Vec<Type>,
    /// Doors to check; all by default
    #[arg(long = "door", value_name = "NAME,...", value_delimiter = ',', value_parser = door(), help_heading = CODEC)]
    doors: Vec<NamedDoor>,
    /// Kernels for door bulk; all that the CPU has by default
    #[arg(long = "kernel", value_name = "NAME,...", value_delimiter = ',', value_parser = kernel, help_heading = CODEC)]
    kernels: Vec<Kernel>,
    /// Worker threads; all cores by default
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
    /// Stop after N disagreements; 0: count them all
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = OUTPUT)]
    max_failures: u64,
    /// Write the report as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long, help_heading = OUTPUT)]
    quiet: bool,
    /// Draw no progress line
    #[arg(long, help_heading = WATCHING)]
    no_progress: bool,
}

impl Bytes {
    pub(crate) fn run(&self) -> ExitCode {
        if !self.kernels.is_empty() && !self.doors().iter().any(|door| door.has_kernels) {
            return fail(USAGE, "none of these doors has a choice of kernels: leave --kernel out");
        }
        let json = match self.json.as_deref().map(Json::open).transpose() {
            Ok(json) => json,
            Err(message) => return fail(FILE, message),
        };
        if self.len > MAX_LEN {
            return fail(USAGE, self.too_long());
        }
        let watch = Arc::new(Watch::new());
        let stopped = Arc::clone(&watch);
        on_interrupt(move || stopped.stop());
        let progress = (!self.quiet && !self.no_progress).then(|| Progress::of(Arc::clone(&watch)));
        let swept = self.sweep(self.len, self.max_failures, &watch);
        drop(progress);
        match swept {
            Ok(report) => {
                let text = Text(&report).to_string();
                deliver(&report, &text, json, self.quiet, exit_code(&report))
            }
            Err(error) => fail(USAGE, error),
        }
    }

    /// One type after another.
    fn sweep(&self, len: usize, max_failures: u64, watch: &Watch) -> Result<Report, SweepError> {
        let mut types = self.types.iter();
        let run = |value_type: &Type| with_type!(value_type, run(self, len, max_failures, watch));
        let first = types.next().unwrap_or(&Type::U64);
        types.try_fold(run(first)?, |report, next| Ok(report.join(run(next)?)))
    }

    fn doors(&self) -> &[NamedDoor] {
        if self.doors.is_empty() { DOORS } else { &self.doors }
    }

    /// What a length beyond the limit would take, by a trial with these doors and types.
    fn too_long(&self) -> String {
        let strings = 256f64.powi(self.len.min(100) as i32) * self.types.len() as f64;
        let refusal = format!("--len {}: {strings:.1e} strings", self.len);
        let remedy =
            format!("choose 0 to {MAX_LEN}; structured strings go up to {LONGEST} bytes in any case");
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
    arguments: &Bytes,
    len: usize,
    max_failures: u64,
    watch: &Watch,
) -> Result<Report, SweepError> {
    let kernels = match &arguments.kernels[..] {
        [] => Kernel::available().collect(),
        chosen => chosen.to_vec(),
    };
    let mut sweep =
        ByteSweep::<T>::new().len(len).max_failures(max_failures).one_of(arguments.types.len() as u32);
    if let Some(threads) = arguments.threads {
        sweep = sweep.threads(threads);
    }
    for door in arguments.doors() {
        sweep = door.add_to(sweep, &kernels);
    }
    sweep.run_watched(watch)
}

fn exit_code(report: &Report) -> ExitCode {
    if report.disagreements > 0 {
        ExitCode::from(FAILURES)
    } else if !report.complete {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    }
}

fn door() -> impl TypedValueParser<Value = NamedDoor> {
    named(DOORS, |door| (door.name, door.about))
}
