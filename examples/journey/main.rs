//! The journey of docs/journey.md: a slow codec, profiled and fixed step by step, as far as the
//! kernels of this crate.
//!
//! `cargo run --example journey` measures all steps; `cargo run --example journey -- baseline
//! --cpuprofile baseline.pb.gz` takes a profile of one.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Parser;
use pprof_views::{Capture, DEFAULT_HERTZ, View};
use varint_sweep::{Codec, CodecError, Interval, OutputFile, Report, Sweep};
use zigzag_varint::Kernel;

// What a program needs for profiles with inlined functions and lines; the program `sweep` has it
// too.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[path = "../../src/bin/sweep/enclosing.rs"]
mod enclosing;
#[allow(dead_code)] // the names and descriptions are for the command line
#[path = "../../src/bin/sweep/presets.rs"]
mod presets;
mod specimens;

use presets::Preset;

/// A tenth of each of the article's ranges.
const VALUES: i128 = 5_000_000;

/// The steps of docs/journey.md: without arguments all of them are measured, in turn.
#[derive(Parser)]
struct Arguments {
    /// One step by itself: baseline, optimisation-1, optimisation-2 or a kernel such as scalar
    step: Option<String>,
    /// Write a CPU profile of that step to FILE, for `sweep profile`
    #[arg(long, value_name = "FILE", requires = "step")]
    cpuprofile: Option<PathBuf>,
    /// Sweep the values N times: all steps in turn, or the one
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

struct Step {
    name: String,
    codec: Box<dyn Codec<i64>>,
    /// CPU time in ns per value, of each round.
    times: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut steps = steps();
    if let Some(name) = &arguments.step {
        let known: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let unknown = format!("no step '{name}' on this machine: choose one of {}", known.join(", "));
        steps = vec![steps.into_iter().find(|step| step.name == *name).ok_or(unknown)?];
    }
    let file = arguments.cpuprofile.as_deref().map(open).transpose()?;
    let capture = file.is_some().then(|| Capture::start(DEFAULT_HERTZ)).transpose()?;
    for _ in 0..arguments.rounds {
        for step in &mut steps {
            step.measure()?;
        }
    }
    if let (Some(file), Some(capture)) = (file, capture) {
        let profile = capture.finish()?;
        file.finish(&profile.to_gzip()?)?;
        println!("{}", View::new(&profile).rows(10).top()?);
    }
    print_table(&steps);
    Ok(())
}

fn open(path: &Path) -> Result<OutputFile, String> {
    OutputFile::create(path).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The specimens, then every kernel of this CPU.
fn steps() -> Vec<Step> {
    let step = |name, codec| Step { name, codec, times: vec![] };
    let specimens = specimens::all().into_iter().map(|codec| step(codec.name().to_owned(), codec));
    let kernels = Kernel::available()
        .map(|kernel| step(kernel.name().to_owned(), Box::new(Bulk(kernel)) as Box<dyn Codec<i64>>));
    specimens.chain(kernels).collect()
}

/// The slice functions of this crate on one kernel.
struct Bulk(Kernel);

impl Codec<i64> for Bulk {
    fn name(&self) -> &str {
        "bulk"
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn encode(&self, values: &[i64], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(self.0.encode_slice(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [i64]) -> Result<usize, CodecError> {
        let progress = self.0.decode_slice(src, values)?;
        if progress.values == values.len() { Ok(progress.bytes) } else { Err("too few values".into()) }
    }
}

impl Step {
    /// Sweeps the values once, on one thread.
    fn measure(&mut self) -> Result<(), Box<dyn Error>> {
        let narrowed = |range: Interval| Interval { last: range.last.min(range.first + VALUES - 1), ..range };
        let ranges = Preset::Article2015.intervals().into_iter().map(narrowed);
        let report = Sweep::new().ranges(ranges).exhaustive().threads(1).run(&self.codec)?;
        if report.failures > 0 {
            return Err(format!("{}: {} failures", self.name, report.failures).into());
        }
        self.times.push(nanoseconds(&report));
        Ok(())
    }
}

/// CPU time per value; elapsed time where the system does not tell.
fn nanoseconds(report: &Report) -> f64 {
    report.cpu_seconds.unwrap_or(report.seconds) * 1e9 / report.values as f64
}

fn print_table(steps: &[Step]) {
    println!("| step | ns per value, least .. most | times as fast as the first | as the one before |");
    println!("|---|--:|--:|--:|");
    let least = |step: &Step| step.times.iter().copied().fold(f64::INFINITY, f64::min);
    let mut before = steps.first().map(least).unwrap_or_default();
    let first = before;
    for step in steps {
        let (time, most) = (least(step), step.times.iter().copied().fold(0.0, f64::max));
        let (all, this) = (first / time, before / time);
        println!("| {} | {time:.2} .. {most:.2} | {all:.1} | {this:.1} |", step.name);
        before = time;
    }
}
