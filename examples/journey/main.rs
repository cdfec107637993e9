//! The steps of docs/profiling.md: a slow codec that is profiled and improved step by step, and the
//! kernels of this crate.
//!
//! `cargo run --example journey` measures all steps. `cargo run --example journey -- baseline
//! --cpuprofile baseline.pb.gz` takes a profile of one step.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Parser;
use every_input::{Codec, CodecError, Interval, OutputFile, Report, Sweep, all};
use pprof_views::{Capture, DEFAULT_HERTZ, View};
use zigzag_varint::Kernel;

#[allow(dead_code)] // only the command line of `sweep` uses the names and descriptions
#[path = "../../src/bin/sweep/arguments/presets.rs"]
mod presets;
mod specimens;

use presets::Preset;

/// The number of values per range, a tenth of each of the article's ranges.
const VALUES: i128 = 5_000_000;

/// Measure the steps of docs/profiling.md, all of them or one
#[derive(Parser)]
struct Arguments {
    /// The only step to measure: baseline, optimisation-1, optimisation-2 or a kernel such as
    /// scalar
    step: Option<String>,
    /// Write a CPU profile of the step to FILE, for `sweep profile`
    #[arg(long, value_name = "FILE", requires = "step")]
    cpuprofile: Option<PathBuf>,
    /// Sweep the values N times per step, all steps in turn
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

struct Step {
    name: String,
    codec: Box<dyn Codec<i64>>,
    /// The CPU time per value of each round in ns.
    times: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut steps = steps();
    if let Some(name) = &arguments.step {
        let known: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let unknown = format!("unknown step '{name}'; choose one of {}", known.join(", "));
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
        println!("{}", View::new(&profile).node_count(10).top()?);
    }
    print_table(&steps);
    Ok(())
}

fn open(path: &Path) -> Result<OutputFile, String> {
    OutputFile::create(path)
        .map_err(|error| format!("cannot write '{}': {error}; choose a writable file", path.display()))
}

/// Returns the codecs of the article, then every kernel that this CPU supports.
fn steps() -> Vec<Step> {
    let step = |name, codec| Step { name, codec, times: vec![] };
    let specimens = specimens::all().into_iter().map(|codec| step(codec.name().to_owned(), codec));
    let kernels = Kernel::available()
        .map(|kernel| step(kernel.name().to_owned(), Box::new(Bulk(kernel)) as Box<dyn Codec<i64>>));
    specimens.chain(kernels).collect()
}

/// The slice functions of one kernel.
struct Bulk(Kernel);

impl Codec<i64> for Bulk {
    fn name(&self) -> &str {
        "bulk"
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn encode(&self, values: &[i64], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(self.0.encode_slice::<i64>(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [i64]) -> Result<usize, CodecError> {
        let progress = self.0.decode_slice::<i64>(src, values)?;
        if progress.values == values.len() { Ok(progress.bytes) } else { Err("too few values".into()) }
    }
}

impl Step {
    /// Sweeps the values once, on one thread.
    fn measure(&mut self) -> Result<(), Box<dyn Error>> {
        let shortened =
            |range: Interval| Interval { last: range.last.min(range.first + VALUES - 1), ..range };
        let ranges = Preset::Article2015.intervals().into_iter().map(shortened);
        let report = Sweep::of(all()).ranges(ranges).exhaustive().threads(1).run(&*self.codec)?;
        if report.failures > 0 {
            return Err(format!("{}: {} failures", self.name, report.failures).into());
        }
        self.times.push(nanoseconds(&report));
        Ok(())
    }
}

/// Returns the CPU time per value, or the elapsed time if the system does not report CPU time.
fn nanoseconds(report: &Report) -> f64 {
    report.cpu_seconds.unwrap_or(report.seconds) * 1e9 / report.values as f64
}

fn print_table(steps: &[Step]) {
    println!("| step | ns per value, min .. max | × first step | × previous step |");
    println!("|---|--:|--:|--:|");
    let min_time = |step: &Step| step.times.iter().copied().fold(f64::INFINITY, f64::min);
    let first = steps.first().map(min_time).unwrap_or_default();
    let mut previous = first;
    for step in steps {
        let (min, max) = (min_time(step), step.times.iter().copied().fold(0.0, f64::max));
        let (from_first, from_previous) = (first / min, previous / min);
        println!("| {} | {min:.2} .. {max:.2} | {from_first:.1} | {from_previous:.1} |", step.name);
        previous = min;
    }
}
