//! `cargo bench -- --profile-time <seconds>`: a flamegraph for each benchmark, through pprof.

use criterion::Criterion;

#[cfg(all(
    any(target_os = "linux", target_os = "macos"),
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) fn attach(criterion: Criterion) -> Criterion {
    criterion.with_profiler(sampling::Flamegraph::default())
}

/// pprof's unwinder knows few platforms; elsewhere `--profile-time` is for outside profilers alone.
#[cfg(not(all(
    any(target_os = "linux", target_os = "macos"),
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) fn attach(criterion: Criterion) -> Criterion {
    criterion
}

#[cfg(all(
    any(target_os = "linux", target_os = "macos"),
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod sampling {
    use std::error::Error;
    use std::fs::{self, File};
    use std::path::Path;

    use criterion::profiler::Profiler;
    use nix::sys::signal::{Signal, raise};
    use pprof::{ProfilerGuard, ProfilerGuardBuilder};

    /// Samples per second of CPU time. Above the kernel's tick (often 250) samples are lost and times are wrong.
    const HERTZ: i32 = 99;

    /// Writes `flamegraph.svg` to the benchmark's folder. A profile that fails is reported; the benchmarks go on.
    #[derive(Default)]
    pub(super) struct Flamegraph {
        running: Option<ProfilerGuard<'static>>,
    }

    impl Profiler for Flamegraph {
        fn start_profiling(&mut self, id: &str, _dir: &Path) {
            match start() {
                Ok(guard) => self.running = Some(guard),
                Err(error) => eprintln!("{id}: no profile: {error}"),
            }
        }

        fn stop_profiling(&mut self, id: &str, dir: &Path) {
            if let Some(guard) = self.running.take()
                && let Err(error) = write(&guard, dir)
            {
                eprintln!("{id}: no flamegraph in {}: {error}", dir.display());
            }
        }
    }

    fn start() -> Result<ProfilerGuard<'static>, Box<dyn Error>> {
        let guard = ProfilerGuardBuilder::default().frequency(HERTZ).build()?;
        // The first signal makes the unwinder read the program and allocate. Here nothing is in the middle of
        // allocating; later something might be.
        raise(Signal::SIGPROF)?;
        Ok(guard)
    }

    fn write(guard: &ProfilerGuard<'_>, dir: &Path) -> Result<(), Box<dyn Error>> {
        let report = guard.report().build()?;
        fs::create_dir_all(dir)?;
        report.flamegraph(File::create(dir.join("flamegraph.svg"))?)?;
        Ok(())
    }

    /// pprof counts two samples as one where this function gives one answer for both: as the system has it, that is one
    /// answer for a whole function, so that all its samples take the inlined calls and the line of the first.
    /// Answering with the address itself keeps them apart. For this program alone: the symbol is process-wide.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)] // the name is reserved for the system, and giving it another meaning is the point
    #[unsafe(no_mangle)]
    extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
        address
    }
}
