//! How to get flamegraphs, as the end of `cargo bench` prints it. This program has no harness: it is
//! also the benchmarks, which it runs as `cargo bench` and others would.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::Command;

use criterion::{Criterion, criterion_group};
use pprof_views::Capture;
use pprof_views::criterion::Flamegraph;

fn sum(criterion: &mut Criterion) {
    criterion.bench_function("sum", |bencher| bencher.iter(|| black_box(1) + black_box(1)));
}

criterion_group! { name = first; config = Criterion::default().with_profiler(Flamegraph::new()); targets = sum }
criterion_group! { name = second; config = Criterion::default().with_profiler(Flamegraph::new()); targets = sum }

/// Set for this program as benchmarks.
const IS_BENCHMARK: &str = "HINT_TEST_IS_BENCHMARK";

fn main() -> Result<(), Box<dyn Error>> {
    if env::var_os(IS_BENCHMARK).is_some() {
        first();
        second();
        println!("done");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let run = |arguments: &str| -> Result<(String, String), Box<dyn Error>> {
        let output = Command::new(env::current_exe()?)
            .args(arguments.split_whitespace())
            .env("CARGO_PKG_NAME", "mine") // as cargo does
            .env("CRITERION_HOME", folder.path())
            .env(IS_BENCHMARK, "")
            .output()?;
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "{arguments}: {out}{err}");
        Ok((out, err))
    };
    let quick = "--noplot --warm-up-time 0.01 --measurement-time 0.02 --sample-size 10 --bench";
    let command = "cargo bench -p mine --bench hint -- --profile-time 5\n";

    let (out, err) = run(quick)?;
    assert!(out.ends_with("done\n") && !out.contains("--profile-time"), "{out}");
    if Capture::IS_SUPPORTED {
        assert!(err.ends_with(command) && err.matches("--profile-time").count() == 1, "{err}");
    } else {
        assert!(!err.contains("--profile-time"), "{err}");
    }
    // The tests of benchmarks, the list of another runner, and what asks for less.
    for arguments in ["", "--list --format terse", "--bench --profile-time 1", &format!("{quick} --quiet")] {
        let (out, err) = run(arguments)?;
        assert!(!out.contains(command) && !err.contains(command), "{arguments}: {out}{err}");
    }
    Ok(())
}
