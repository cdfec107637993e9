//! All benchmarks, in one program. Without arguments it measures the headline, ends with tables and
//! a flamegraph, and records the results. README.md of this package describes the benchmarks.

mod compare;
mod contender;
mod corpus;
mod groups;
mod libraries;
mod measure;
mod ours;
mod peers;

use std::env;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use criterion::Criterion;
use pprof_views::criterion::{Flamegraph, Output};
use zigzag_varint::Kernel;
use zigzag_varint_benches::failure::{Failure, exit_code};
use zigzag_varint_benches::history::{Run, default_file, label, record};
use zigzag_varint_benches::results::{default_dir, read};
use zigzag_varint_benches::table::tables;

/// What is measured without arguments: as much as takes three minutes.
const HEADLINE: &str = "^(encode|decode)/u64/";
/// Criterion's least number of samples, except with `--quick`.
const ENOUGH_SAMPLES: u32 = 10;

fn main() -> ExitCode {
    exit_code("bench", run())
}

fn run() -> Result<(), Failure> {
    limit_kernel()?;
    let start = SystemTime::now();
    let is_plain = env::args().skip(1).all(|argument| argument == "--bench"); // cargo adds it
    let mut criterion = configured(Flamegraph::new()).configure_from_args();
    if is_plain {
        criterion = criterion.with_filter(HEADLINE);
    }
    groups::run(&mut criterion);
    criterion.final_summary();
    let reported = report(start);
    if is_plain {
        println!("All benchmarks:       cargo bench -- .");
        println!("Some, by their names: cargo bench -- '^decode/u32/(mix|log)'");
        println!("Their flamegraphs:    cargo bench -- --profile-time 3 '^decode/u32/(mix|log)'\n");
        let profiled = format!("^(encode|decode)/u64/mix/ours-{}$", Kernel::detect());
        let profiler = Flamegraph::new().outputs(&[Output::Svg]);
        groups::run(
            &mut configured(profiler).with_filter(profiled).profile_time(Some(Duration::from_secs(2))),
        );
    }
    reported // after the flamegraphs, which do not depend on it
}

/// A third of a second for each benchmark. Profiles leave out what is not timed. Tables have the
/// minimum of the samples, which settles early, so few resamplings of the mean are enough.
fn configured(profiler: Flamegraph) -> Criterion {
    Criterion::default()
        .with_profiler(profiler.ignore("::measure::untimed"))
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(200))
        .sample_size(40)
        .nresamples(2000)
}

/// Prints the results since `start` as tables and records them.
fn report(start: SystemTime) -> Result<(), Failure> {
    let results = read(&default_dir(), start, &measure::MEASURED.lock().expect("one thread"))?;
    if results.is_empty() {
        return Ok(()); // nothing was measured: --list, --test, --profile-time, or no name matches
    }
    for table in tables(&results) {
        println!("\n{table}");
    }
    if results.iter().any(|result| result.samples < ENOUGH_SAMPLES) {
        println!("Not recorded: --quick takes too few samples.");
        return Ok(());
    }
    let Some(run) = Run::new(results) else {
        println!("Not recorded: git does not know the commit of this code.");
        return Ok(());
    };
    record(&default_file(), &run)?;
    println!("Recorded for commit {}. To compare commits:", label(&run.code));
    println!("                      cargo run -p zigzag-varint-benches --bin history -- --help");
    Ok(())
}

/// Limits the free functions to the kernel that the variable `KERNEL` names.
fn limit_kernel() -> Result<(), Failure> {
    let Ok(name) = env::var("KERNEL") else { return Ok(()) };
    let kernel = Kernel::by_name(&name).ok_or_else(|| {
        let known: Vec<String> = Kernel::available().map(|kernel| kernel.to_string()).collect();
        Failure::Usage(format!("KERNEL={name}: this CPU has no such kernel; it has {}", known.join(", ")))
    })?;
    Kernel::set_default(kernel).expect("no slice was processed before");
    Ok(())
}
