//! `cargo run --release -p zigzag-varint-benches --bin frequency`: whether a kernel slows down
//! other code, because the CPU lowers its frequency for the kernel's instructions.

use std::fmt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Parser;
use zigzag_varint::Kernel;
use zigzag_varint_benches::failure::{self, Failure};
use zigzag_varint_benches::host;

use crate::ratio::Ratio;
use crate::work::{Burst, ScalarWork};

mod ratio;
mod work;

/// The shares of the time that the codec takes on the core of the other code, in percent.
const SHARES: [u32; 3] = [5, 20, 50];

/// Measure how fast scalar code runs after bursts of each kernel on the same core, and beside a
/// kernel on another core. The results are relative to the scalar kernel.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Rounds, each of which measures every kernel once
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Duration of one measurement in milliseconds
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=60_000))]
    milliseconds: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    failure::exit_code("frequency", run(&arguments))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let duration = Duration::from_millis(arguments.milliseconds.into());
    let kernels: Vec<Kernel> = Kernel::available().collect();
    // By situation and kernel: the time of the scalar code in each round.
    let mut times = vec![vec![Vec::new(); kernels.len()]; SHARES.len() + 1];
    for _ in 0..arguments.rounds {
        for (situation, times) in times.iter_mut().enumerate() {
            for (kernel, times) in kernels.iter().zip(times) {
                times.push(match SHARES.get(situation) {
                    Some(&share) => same_core(*kernel, share, duration),
                    None => other_core(*kernel, duration),
                });
            }
        }
    }
    // The first kernel is the scalar one.
    let ratios = times
        .iter()
        .map(|times| times.iter().filter_map(|own| Ratio::of_speeds(&times[0], own)).collect())
        .collect();
    failure::print(&Report { arguments, kernels, ratios })
}

/// Returns the median time of the scalar work, in nanoseconds, in turns with bursts of the kernel.
fn same_core(kernel: Kernel, share: u32, duration: Duration) -> f64 {
    let mut burst = Burst::new(kernel);
    // A piece of the scalar work takes about this time, so a burst takes its share of both.
    let burst_time = ScalarWork::TYPICAL.mul_f64(f64::from(share) / f64::from(100 - share));
    ScalarWork::median(duration, || burst.run(burst_time))
}

/// Returns the median time of the scalar work, in nanoseconds, while another thread runs the kernel.
fn other_core(kernel: Kernel, duration: Duration) -> f64 {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut burst = Burst::new(kernel);
            while !done.load(Relaxed) {
                burst.run(ScalarWork::TYPICAL);
            }
        });
        let median = ScalarWork::median(duration, || {});
        done.store(true, Relaxed);
        median
    })
}

/// The output of the program.
struct Report<'a> {
    arguments: &'a Arguments,
    kernels: Vec<Kernel>,
    /// By situation and kernel.
    ratios: Vec<Vec<Ratio>>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Arguments { rounds, milliseconds } = self.arguments;
        writeln!(f, "{}; {}.", host::cpu(), host::rustc())?;
        writeln!(
            f,
            "Speed of scalar code relative to its speed with the kernel `scalar`: the median of {rounds} rounds of\n\
             {milliseconds} ms, with the quartiles in brackets.\n"
        )?;
        write!(f, "| kernel |")?;
        for share in SHARES {
            write!(f, " {share} % of the time |")?;
        }
        writeln!(f, " on another core |\n|---|{}", "--:|".repeat(self.ratios.len()))?;
        for (row, kernel) in self.kernels.iter().enumerate() {
            let cells: Vec<String> =
                self.ratios.iter().filter_map(|column| column.get(row)).map(Ratio::to_string).collect();
            writeln!(f, "| {kernel} | {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}
