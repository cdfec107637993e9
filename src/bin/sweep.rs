//! `sweep`: checks a varint codec value by value. Arguments, wiring, exit code; the work is in `zigzag_varint::sweep`.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use zigzag_varint::Kernel;
use zigzag_varint::sweep::{
    CODECS, Integer, Interval, Named, OutputFile, PRESETS, Preset, Progress, Range, Report, Sweep, Text,
    Watch,
};

/// Check a varint codec value by value: encode, compare the bytes with an independent oracle, decode, compare.
///
/// Without a RANGE it sweeps the whole type: exhaustively where that fits the budget, else by a stratified sample.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: 0 clean, 1 failures found, 2 wrong usage, 3 a file cannot be written, 130 interrupted.

Examples:
  sweep                                    a 10 s sample of all i64
  sweep --type i32 --exhaustive            all 4,294,967,296 values
  sweep -5..=5 MIN..=-9_000_000_000        two ranges
  sweep --codec article2015                watch it find a bug"
)]
struct Arguments {
    /// Ranges to sweep: A..=B or A..B, decimal, _ allowed, MIN and MAX too; may begin with a minus
    #[arg(value_name = "RANGE")]
    ranges: Vec<Range>,
    /// Integer type
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    value_type: Type,
    /// Sweep every value, whatever the budget
    #[arg(long, conflicts_with = "sample")]
    exhaustive: bool,
    /// Sweep the boundaries and N values at random (without N: as many as fit the budget)
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = draws)]
    sample: Option<Option<u64>>,
    /// Time for a sample without N, such as 10s, 5m or 2h; boundaries are always finished
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = budget)]
    budget: Duration,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Sweep a named set of ranges (see --list)
    #[arg(long, value_name = "NAME", value_parser = preset, conflicts_with = "ranges")]
    preset: Option<Preset>,
    /// Codec to check (see --list)
    #[arg(long, value_name = "NAME", default_value = "bulk", value_parser = codec)]
    codec: Named,
    /// Kernel to check, for codecs that have several (see --list); the fastest by default
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    kernel: Option<Kernel>,
    /// List codecs, kernels and presets
    #[arg(long)]
    list: bool,
    /// Worker threads; all cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Stop after N failures; 0: count them all
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_failures: u64,
    /// Write the report as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Draw no progress line
    #[arg(long)]
    no_progress: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Type {
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(ranges_last(std::env::args().collect()));
    if arguments.list {
        return print(&list(), ExitCode::SUCCESS);
    }
    match arguments.value_type {
        Type::I64 => sweep::<i64>(&arguments),
        Type::U64 => sweep::<u64>(&arguments),
        Type::I32 => sweep::<i32>(&arguments),
        Type::U32 => sweep::<u32>(&arguments),
        Type::I16 => sweep::<i16>(&arguments),
        Type::U16 => sweep::<u16>(&arguments),
        Type::I8 => sweep::<i8>(&arguments),
        Type::U8 => sweep::<u8>(&arguments),
    }
}

const FAILURES: u8 = 1;
const USAGE: u8 = 2;
const FILE: u8 = 3;
const INTERRUPTED: u8 = 130;

/// Sweeps one type; every argument is judged before the work starts.
fn sweep<T: Integer>(arguments: &Arguments) -> ExitCode {
    let settings = match settings::<T>(arguments) {
        Ok(settings) => settings,
        Err(message) => return fail(USAGE, message),
    };
    let kernel = arguments.kernel.unwrap_or_else(Kernel::detect);
    let Some(codec) = arguments.codec.codec::<T>(kernel) else {
        let only = arguments.codec.only.unwrap_or_default();
        let (name, given) = (arguments.codec.name, T::NAME);
        return fail(USAGE, format!("codec {name} is for {only} alone, not for {given}: leave --type out"));
    };
    if arguments.kernel.is_some() && !arguments.codec.has_kernels {
        let name = arguments.codec.name;
        return fail(USAGE, format!("codec {name} has no choice of kernels: leave --kernel out"));
    }
    let json = match arguments.json.as_deref().map(Json::open).transpose() {
        Ok(json) => json,
        Err(message) => return fail(FILE, message),
    };

    let watch = Arc::new(Watch::new());
    interrupt(&watch);
    let progress = (!arguments.quiet && !arguments.no_progress).then(|| Progress::of(Arc::clone(&watch)));
    let swept = settings.run_watched(&codec, &watch);
    drop(progress);
    match swept {
        Ok(report) => deliver(&report, json, arguments.quiet),
        Err(error) => fail(USAGE, error),
    }
}

fn settings<T: Integer>(arguments: &Arguments) -> Result<Sweep<T>, String> {
    let mut sweep =
        Sweep::<T>::new().budget(arguments.budget).seed(arguments.seed).max_failures(arguments.max_failures);
    let limits = Interval { first: T::LEAST, last: T::GREATEST };
    if let Some(preset) = arguments.preset {
        let intervals = preset.intervals();
        if let Some(outside) = intervals.iter().find(|i| i.first < limits.first || i.last > limits.last) {
            let (name, type_name, last) = (preset.name, T::NAME, outside.last);
            return Err(format!("preset {name} reaches {last}, outside {type_name}: choose a wider --type"));
        }
        sweep = sweep.ranges(intervals);
    } else if !arguments.ranges.is_empty() {
        let intervals: Result<Vec<_>, _> =
            arguments.ranges.iter().map(|range| range.within(T::NAME, limits)).collect();
        sweep = sweep.ranges(intervals.map_err(|error| error.to_string())?);
    }
    if arguments.exhaustive {
        sweep = sweep.exhaustive();
    }
    if let Some(draws) = arguments.sample {
        sweep = sweep.sample(draws);
    }
    if let Some(threads) = arguments.threads {
        sweep = sweep.threads(threads);
    }
    Ok(sweep)
}

/// Where the JSON report goes.
enum Json {
    Stdout,
    File(PathBuf, OutputFile),
}

impl Json {
    fn open(path: &Path) -> Result<Self, String> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        match OutputFile::create(path) {
            Ok(file) => Ok(Self::File(path.to_owned(), file)),
            Err(error) => Err(format!(
                "cannot write the report to '{}' ({error}): name a file in a folder that you may write to",
                path.display()
            )),
        }
    }
}

/// Prints and writes the report.
fn deliver(report: &Report, json: Option<Json>, quiet: bool) -> ExitCode {
    let mut code = if report.failures > 0 {
        ExitCode::from(FAILURES)
    } else if !report.complete {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    };
    let text = Text(report).to_string();
    let to_stderr = matches!(json, Some(Json::Stdout));
    if let Some(json) = json {
        let mut content = match serde_json::to_string_pretty(report) {
            Ok(content) => content,
            Err(error) => return fail(FILE, format!("cannot put the report into JSON: {error}")),
        };
        content.push('\n');
        match json {
            Json::Stdout => code = print(&content, code),
            Json::File(path, file) => {
                if let Err(error) = file.finish(content.as_bytes()) {
                    code = fail(
                        FILE,
                        format!(
                            "cannot write the report to '{}': {error}; free some space or name another file",
                            path.display()
                        ),
                    );
                }
            }
        }
    }
    if quiet {
        code
    } else if to_stderr {
        let _ = io::stderr().write_all(text.as_bytes()); // nowhere else to tell
        code
    } else {
        print(&text, code)
    }
}

/// The first Ctrl-C or SIGTERM stops the sweep in good order, the second at once.
fn interrupt(watch: &Arc<Watch>) {
    let watch = Arc::clone(watch);
    let handler = ctrlc::set_handler(move || {
        if watch.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        watch.stop();
    });
    if let Err(error) = handler {
        let _ = writeln!(io::stderr(), "warning: Ctrl-C will end the sweep without a report: {error}");
    }
}

/// Ranges may begin with a minus, which would make options of them: they go last, behind `--`.
fn ranges_last(arguments: Vec<String>) -> Vec<String> {
    let is_range = |argument: &String| {
        argument.contains("..")
            && argument.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if arguments.iter().any(|argument| argument == "--") {
        return arguments;
    }
    let (ranges, mut rest): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_range);
    if !ranges.is_empty() {
        rest.push("--".into());
        rest.extend(ranges);
    }
    rest
}

fn list() -> String {
    let mut text = String::from("codecs (--codec):\n");
    for codec in CODECS {
        text += &format!("  {:<12} {}\n", codec.name, codec.about);
    }
    text += "\nkernels of this CPU (--kernel), slowest first:\n";
    for kernel in Kernel::available() {
        text += &format!("  {kernel}\n");
    }
    text += "\npresets (--preset):\n";
    for preset in PRESETS {
        text += &format!("  {:<12} {}\n", preset.name, preset.about);
    }
    text
}

fn names<N: Display>(names: impl Iterator<Item = N>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

fn codec(name: &str) -> Result<Named, String> {
    Named::by_name(name)
        .ok_or_else(|| format!("choose one of {}", names(CODECS.iter().map(|codec| codec.name))))
}

fn kernel(name: &str) -> Result<Kernel, String> {
    Kernel::by_name(name).ok_or_else(|| format!("this CPU has {}", names(Kernel::available())))
}

fn preset(name: &str) -> Result<Preset, String> {
    Preset::by_name(name)
        .ok_or_else(|| format!("choose one of {}", names(PRESETS.iter().map(|preset| preset.name))))
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..) => Ok(threads),
        _ => Err("write a number of threads from 1 on".into()),
    }
}

fn draws(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(draws @ 1..) => Ok(draws),
        _ => Err("write a number of values from 1 on".into()),
    }
}

fn budget(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(budget) if !budget.is_zero() => Ok(budget),
        _ => Err("write a time above zero, such as 10s, 5m or 2h".into()),
    }
}

fn fail(code: u8, message: impl Display) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {message}"); // nowhere else to tell
    ExitCode::from(code)
}

/// Prints to standard output. A reader that has gone away is no error.
fn print(text: &str, code: ExitCode) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(FILE, format!("cannot write to standard output: {error}"))
        }
        _ => code,
    }
}
