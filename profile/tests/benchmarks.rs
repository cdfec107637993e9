//! The files that are written for criterion's benchmarks. A test program of its own, because a
//! process takes one profile at a time.
#![cfg(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
))]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use pprof_views::criterion::{Flamegraph, Output};

#[inline(never)]
fn measured(x: u64) -> u64 {
    (0..1000).fold(x, |x, i| black_box(x).rotate_left(5) ^ i)
}

/// Runs a benchmark of this name for a little more than a second.
fn profile(name: &str, profiler: Flamegraph, folder: &std::path::Path) {
    let mut criterion = Criterion::default()
        .with_profiler(profiler)
        .output_directory(folder)
        .profile_time(Some(Duration::from_millis(1200)));
    criterion.bench_function(name, |bencher| bencher.iter(|| measured(black_box(1))));
}

#[test]
fn a_benchmark_has_one_tower_in_its_flamegraph() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    // No profile can be taken at this frequency, and the benchmark runs all the same.
    profile("none", Flamegraph::new().hertz(0), folder.path());
    assert!(!folder.path().join("none/profile").exists());

    profile("table", Flamegraph::new().outputs(&[Output::Top]), folder.path());
    let table = folder.path().join("table/profile");
    assert!(fs::read_to_string(table.join("top.txt"))?.contains("benchmarks::measured"));
    assert_eq!(fs::read_dir(table)?.count(), 1);

    profile("a <b> & c", Flamegraph::new(), folder.path());
    let files = folder.path().join("a _b_ & c/profile");
    let graph = fs::read_to_string(files.join("flamegraph.svg"))?;
    for text in [">a &lt;b&gt; &amp; c<", "s of CPU time", "benchmarks::measured"] {
        assert!(graph.contains(text), "no '{text}' in {graph}");
    }
    // Criterion calls a benchmark from two places, to warm up and to measure.
    assert_eq!(graph.matches("<title>benchmarks::measured (").count(), 1, "not one tower: {graph}");
    for text in ["criterion::", "warm_up"] {
        assert!(!graph.contains(text), "'{text}' in {graph}");
    }
    assert!(files.join("cpu.pb.gz").is_file());
    Ok(())
}
