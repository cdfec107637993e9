//! `cargo bench -- --profile-time <seconds>`: a flamegraph for each benchmark.

use std::error::Error;
use std::fs;
use std::path::Path;

use criterion::Criterion;
use criterion::profiler::Profiler;
use pprof_views::{Capture, DEFAULT_HERTZ, View};
use varint_sweep::OutputFile;

#[cfg(target_os = "linux")]
#[path = "../../src/bin/sweep/enclosing.rs"]
mod enclosing;

pub(crate) fn attach(criterion: Criterion) -> Criterion {
    criterion.with_profiler(Flamegraph::default())
}

/// Writes `flamegraph.svg` to the benchmark's folder. If a profile fails, it reports why, and the
/// benchmarks continue.
#[derive(Default)]
struct Flamegraph {
    running: Option<Capture>,
}

impl Profiler for Flamegraph {
    fn start_profiling(&mut self, id: &str, _dir: &Path) {
        match Capture::start(DEFAULT_HERTZ) {
            Ok(capture) => self.running = Some(capture),
            Err(error) => eprintln!("{id}: no profile: {error}"),
        }
    }

    fn stop_profiling(&mut self, id: &str, dir: &Path) {
        if let Some(capture) = self.running.take()
            && let Err(error) = write(capture, dir)
        {
            eprintln!("{id}: no flamegraph in {}: {error}", dir.display());
        }
    }
}

fn write(capture: Capture, dir: &Path) -> Result<(), Box<dyn Error>> {
    let profile = capture.finish()?;
    let picture = View::new(&profile).flamegraph()?;
    fs::create_dir_all(dir)?;
    OutputFile::create(&dir.join("flamegraph.svg"))?.finish(&picture)?;
    Ok(())
}
