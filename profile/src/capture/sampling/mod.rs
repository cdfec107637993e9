//! The sampling, by pprof-rs; what it collects is put into a profile here, as its own reports lose
//! lines.

mod builder;
mod cpu_time;
mod leftover;
mod symbols;

use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::{Signal, raise};
use pprof::{ProfilerGuard, ProfilerGuardBuilder};

use builder::Builder;
use cpu_time::cpu_time;
use leftover::Leftover;
use symbols::Symbols;

use crate::capture::error::CaptureError;
use crate::format::model::{Header, Profile};

pub(super) struct Sampling {
    /// No blocklist: the samples of a library that is left out would be lost, and their time
    /// charged to the others.
    guard: ProfilerGuard<'static>,
    _leftover: Leftover, // fields are dropped in this order
    hertz: u32,
    time: SystemTime,
    start: Instant,
    cpu: Option<Duration>,
}

impl Sampling {
    pub(super) fn start(hertz: u32) -> Result<Self, CaptureError> {
        prepare()?;
        let guard = guard(hertz)?;
        let _leftover = Leftover::expect();
        Ok(Self { guard, _leftover, hertz, time: SystemTime::now(), start: Instant::now(), cpu: cpu_time() })
    }

    pub(super) fn finish(self) -> Result<Profile, CaptureError> {
        let cpu = cpu_time().zip(self.cpu).map(|(end, start)| end.saturating_sub(start));
        let duration = self.start.elapsed();
        let report = self.guard.report().build_unresolved().map_err(failed)?;
        drop(self.guard); // what follows is no part of the profile
        let mut builder = Builder::new(&[("samples", "count"), ("cpu", "nanoseconds")]);
        let mut symbols = Symbols::new(&mut builder);
        let samples = report.data.values().map(|&count| count as i64).sum::<i64>();
        // The tick of the kernel may be coarser than what was asked for: a sample stands for the
        // time that was used.
        let period = match cpu {
            Some(cpu) if samples > 0 => nanos(cpu) / samples,
            _ => 1_000_000_000 / i64::from(self.hertz),
        };
        let mut stacks: Vec<_> = report.data.iter().collect();
        stacks.sort_by_key(|(stack, _)| {
            (stack.thread_id, stack.frames.iter().map(|frame| frame.ip).collect::<Vec<_>>())
        });
        for (stack, &count) in stacks {
            let addresses = stack.frames.iter().map(|frame| frame.ip);
            let locations =
                addresses.enumerate().map(|(depth, ip)| symbols.location(&mut builder, ip, depth)).collect();
            let name = &stack.thread_name[..stack.thread_name_length.min(stack.thread_name.len())];
            let count = count as i64;
            builder.sample(locations, &[count, count * period], &String::from_utf8_lossy(name));
        }
        let period_type = builder.value_type("cpu", "nanoseconds");
        let time_nanos = self.time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, nanos);
        let duration_nanos = nanos(duration);
        Ok(builder.finish(Header { time_nanos, duration_nanos, period_type, period, ..Header::default() }))
    }
}

fn guard(hertz: u32) -> Result<ProfilerGuard<'static>, CaptureError> {
    ProfilerGuardBuilder::default().frequency(hertz as i32).build().map_err(failed)
}

/// A profile that nobody sees, for two reasons. The first signal makes the unwinder read the
/// program and allocate: here nothing is in the middle of allocating; later something might be. And
/// its end makes the temporary file of the profile to come, as that which the last one made is
/// gone.
fn prepare() -> Result<(), CaptureError> {
    let guard = guard(1)?;
    raise(Signal::SIGPROF).map_err(failed)?;
    drop(guard);
    Ok(())
}

fn failed(error: impl std::fmt::Display) -> CaptureError {
    CaptureError::Sampling(error.to_string())
}

fn nanos(duration: Duration) -> i64 {
    duration.as_nanos().try_into().unwrap_or(i64::MAX)
}
