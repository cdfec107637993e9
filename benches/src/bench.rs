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
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime};

use criterion::Criterion;
use measure::FOLDER;
use pprof_views::criterion::Flamegraph;
use zigzag_varint::Kernel;
use zigzag_varint_results::default_kernel::{self, HEADLINE};
use zigzag_varint_results::environment::Environment;
use zigzag_varint_results::measurement::{Measurement, OURS, keep_least, read};
use zigzag_varint_results::table::tables;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let limit = limit_kernel()?;
    let start = SystemTime::now();
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect(); // cargo adds it
    let mut criterion = configured(Flamegraph::new()).configure_from_args();
    if arguments.is_empty() {
        criterion = criterion.with_filter(format!("^({})/", HEADLINE.join("|"))); // it takes minutes
    }
    // Two samples are too few to be kept.
    let may_save = !arguments.iter().any(|word| word == "--quick" || word.contains("baseline"));
    let commit = commit().filter(|_| may_save);
    if let Some(commit) = &commit {
        criterion = criterion.save_baseline(commit.clone());
    }
    if let Some(baseline) = commit.clone().or_else(|| saved_baseline(&arguments)) {
        let _ = measure::SAVED_AS.set((baseline, Environment::here(limit.as_deref()))); // never set before
    }
    groups::run(&mut criterion);
    criterion.final_summary();
    let results = with_least(start, measured(start)?)?;
    report(&results, commit.as_deref());
    if arguments.is_empty() {
        println!("All benchmarks:       cargo bench -- .");
        println!("Some, by their names: cargo bench -- '^decode/u32/(mix|log)'");
        println!("Their flamegraphs:    cargo bench -- --profile-time 3 '^decode/u32/(mix|log)'\n");
        let profiled = format!("^(encode|decode)/u64/mix/{OURS}$");
        groups::run(
            &mut configured(Flamegraph::new())
                .with_filter(profiled)
                .profile_time(Some(Duration::from_secs(2))),
        );
    }
    default_kernel::check(&results) // after the flamegraphs, which do not depend on it
}

/// How many times at most a set is measured again. Two were too few on a machine whose cache other programs
/// share: two rows of the same code still differed by up to 28 %.
const AGAIN: usize = 5;

/// Measures the sets again in which a kernel seems faster than the default one, because another program may
/// have slowed down a contender. The least time of each contender counts.
fn with_least(start: SystemTime, mut results: Vec<Measurement>) -> Result<Vec<Measurement>, String> {
    for _ in 0..AGAIN {
        let sets: Vec<_> = default_kernel::slower(&results).into_iter().map(|one| one.group).collect();
        if sets.is_empty() {
            break;
        }
        println!(
            "A kernel seems faster than the default, so these are measured again: {}\n",
            sets.join(", ")
        );
        // With the peers, so that tables compare what was measured equally often.
        let sets = format!("^({})/", sets.join("|"));
        groups::run(&mut configured(Flamegraph::new()).with_filter(sets));
        keep_least(&mut results, &measured(start)?);
    }
    Ok(results)
}

/// Reads the results since `start`.
fn measured(start: SystemTime) -> Result<Vec<Measurement>, String> {
    read(Path::new(FOLDER), start, &measure::MEASURED.lock().expect("one thread"))
}

/// A third of a second for each benchmark. Profiles leave out what is not timed. Tables have the
/// minimum of the samples, which settles early, so few resamplings of the mean are enough.
fn configured(profiler: Flamegraph) -> Criterion {
    Criterion::default()
        .output_directory(Path::new(FOLDER))
        .with_profiler(profiler.ignore("::measure::untimed"))
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(200))
        .sample_size(40)
        .nresamples(2000)
}

/// Returns the name of the baseline that the arguments save, if any.
fn saved_baseline(arguments: &[String]) -> Option<String> {
    const OPTION: &str = "--save-baseline";
    let mut words = arguments.iter().skip_while(|word| !word.starts_with(OPTION));
    match words.next()?.strip_prefix(OPTION)?.strip_prefix('=') {
        Some(name) => Some(name.into()),
        None => words.next().cloned(),
    }
}

/// Returns the commit of this code, with `-dirty` if files differ from it, or `None` if git does not know it.
fn commit() -> Option<String> {
    let arguments =
        ["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"];
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// Prints the results as tables, and as figures for `checks/run` if the variable `FIGURES` is set.
fn report(results: &[Measurement], commit: Option<&str>) {
    if results.is_empty() {
        return; // nothing was measured: --list, --test, --profile-time, or no name matches
    }
    for table in tables(results) {
        println!("\n{table}");
        if env::var_os("FIGURES").is_some() {
            print!("{}", table.figures());
        }
    }
    match commit {
        Some(commit) => println!("Saved as {commit}. To compare: cargo bench -- --baseline-lenient {commit}"),
        None => println!("Not saved under the name of a commit."),
    }
}

/// Limits the free functions to the kernel that the variable `KERNEL` names, and returns that name.
fn limit_kernel() -> Result<Option<String>, String> {
    let Ok(name) = env::var("KERNEL") else { return Ok(None) };
    let kernel = Kernel::by_name(&name).ok_or_else(|| {
        let known: Vec<String> = Kernel::available().map(|kernel| kernel.to_string()).collect();
        format!("KERNEL={name}: this CPU has no such kernel; it has {}", known.join(", "))
    })?;
    Kernel::set_default(kernel).expect("no slice was processed before");
    Ok(Some(name))
}
