//! Takes samples with pprof-rs and builds a profile from them.
//!
//! The reports that pprof-rs itself builds have only one line for each function name.

mod builder;
#[cfg(feature = "heap")]
pub(super) mod heap;
#[cfg(all(feature = "program", target_os = "linux"))]
mod inlined;
#[cfg(target_os = "linux")]
mod signal_stack;
mod symbols;

use std::time::{Duration, Instant, SystemTime};
use std::{panic, thread};

use nix::sys::signal::{Signal, raise};
use pprof::{Error, ProfilerGuard, ProfilerGuardBuilder};
use rustix::time::{ClockId, clock_gettime};

use builder::{Builder, nanos};
use symbols::{Frame, Symbols};

use crate::capture::error::CaptureError;
use crate::format::Profile;

pub(super) const IS_SUPPORTED: bool = true;

pub(super) struct Sampling {
    /// It has no blocklist, which would lose the samples of the libraries on it and attribute their
    /// time to others.
    guard: ProfilerGuard<'static>,
    hertz: u32,
    time: SystemTime,
    start: Instant,
    cpu: Option<Duration>,
}

impl Sampling {
    pub(super) fn start(hertz: u32) -> Result<Self, CaptureError> {
        on_own_thread(move || Self::begin(hertz))
    }

    fn begin(hertz: u32) -> Result<Self, CaptureError> {
        prepare()?;
        let guard = guard(hertz)?;
        let (time, start, cpu) = (SystemTime::now(), Instant::now(), cpu_time());
        Ok(Self { guard, hertz, time, start, cpu })
    }

    pub(super) fn finish(self) -> Result<Profile, CaptureError> {
        on_own_thread(|| self.stop())
    }

    fn stop(self) -> Result<Profile, CaptureError> {
        let cpu = cpu_time().zip(self.cpu).map(|(end, start)| end.saturating_sub(start));
        let duration = self.start.elapsed();
        let report = self.guard.report().build_unresolved().map_err(sampling_error)?;
        drop(self.guard); // stops the sampling: the work below is not part of the profile
        let mut builder = Builder::new(&[("samples", "count"), ("cpu", "nanoseconds")]);
        let mut symbols = Symbols::new(&mut builder);
        let samples = report.data.values().map(|&count| count as i64).sum::<i64>();
        // The kernel's tick can be longer than the requested period. Each sample counts for its
        // share of the CPU time that was used.
        let period = match cpu {
            Some(cpu) if samples > 0 => nanos(cpu) / samples,
            _ => 1_000_000_000 / i64::from(self.hertz),
        };
        let mut stacks: Vec<_> = (report.data.iter())
            .map(|(stack, &count)| {
                let addresses: Vec<usize> = stack.frames.iter().map(|frame| frame.ip).collect();
                (stack.thread_id, addresses, stack, count)
            })
            .collect();
        stacks.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        for (_, addresses, stack, count) in stacks {
            let locations = symbols.stack(&mut builder, Frame::Running, &addresses);
            let name = &stack.thread_name[..stack.thread_name_length.min(stack.thread_name.len())];
            let count = count as i64;
            builder.sample(locations, &[count, count * period], &String::from_utf8_lossy(name));
        }
        Ok(builder.finish(self.time, duration, period, ("cpu", "nanoseconds")))
    }
}

/// Does work that needs up to 512 KiB of stack, on whatever thread a profile starts or ends: pprof-rs has
/// 4096 nested iterators over the samples.
fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CaptureError> + Send + 'static,
) -> Result<T, CaptureError> {
    let thread = thread::Builder::new().stack_size(4 << 20).spawn(work).map_err(sampling_error)?;
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

fn guard(hertz: u32) -> Result<ProfilerGuard<'static>, CaptureError> {
    let guard =
        ProfilerGuardBuilder::default().frequency(hertz as i32).build().map_err(|error| match error {
            Error::Running => CaptureError::AlreadyRunning,
            error => sampling_error(error),
        })?;
    #[cfg(target_os = "linux")]
    signal_stack::install().map_err(sampling_error)?;
    Ok(guard)
}

/// Takes a profile with one sample and discards it.
///
/// At the first signal the unwinder reads the program's unwind tables and allocates memory. Here the
/// signal cannot interrupt an allocation; a later signal could.
fn prepare() -> Result<(), CaptureError> {
    let guard = guard(1)?;
    raise(Signal::SIGPROF).map_err(sampling_error)?;
    drop(guard);
    Ok(())
}

fn sampling_error(error: impl std::fmt::Display) -> CaptureError {
    CaptureError::Sampling(error.to_string())
}

/// Returns the CPU time of all threads so far, or `None` if the system does not report it.
fn cpu_time() -> Option<Duration> {
    clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
}

/// Tests the examples of the README. They are here because this module is compiled only where
/// profiles can be taken.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
