//! The machine: conditions that make a sweep slow, and CPU time.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns a warning for each condition of the machine and the build that makes a sweep with this
/// number of worker threads slow or its rates unreliable. A warning includes the remedy.
pub(crate) fn preflight(threads: usize) -> Vec<String> {
    let allowed = std::thread::available_parallelism().ok().map(usize::from);
    warnings(Path::new("/"), threads, allowed, cfg!(debug_assertions))
}

/// Returns the warnings for a machine with the system files below `root`, of whose CPUs the process
/// may use `allowed`. An unknown condition causes no warning.
fn warnings(root: &Path, threads: usize, allowed: Option<usize>, is_debug_build: bool) -> Vec<String> {
    let read = |path: &str| fs::read_to_string(root.join(path)).ok();
    let mut found = vec![];
    if is_debug_build {
        found.push(
            "debug build: debug assertions slow the sweep down; use 'cargo run --release --bin sweep'".into(),
        );
    }
    if let Some(allowed) = allowed.filter(|&allowed| threads > allowed) {
        found.push(format!(
            "{threads} threads for {allowed} CPUs: more threads than CPUs are not faster; use --threads {allowed}"
        ));
    }
    let load = read("proc/loadavg").and_then(|text| load(&text));
    let cpus = read("proc/cpuinfo").map_or(0, |text| text.matches("processor\t").count());
    if let Some((average, others)) = load.filter(|_| cpus > 0) {
        // The average alone would include a sweep that has just ended. The current number alone
        // would include short-lived programs.
        let is_short = |others: f64| others + threads.min(cpus) as f64 > cpus as f64 + 0.5;
        if is_short(average) && is_short(others) {
            found.push(format!(
                "the machine is busy (load average {average:.1} on {cpus} CPUs): the sweep shares the CPUs; \
                 wait for the other programs to end, or use fewer --threads"
            ));
        }
    }
    let governor = read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if let Some(governor) = governor.as_deref().map(str::trim).filter(|name| *name != "performance") {
        found.push(format!(
            "scaling governor {governor}: rates vary with the CPU frequency; \
             for steady rates run 'sudo cpupower frequency-set --governor performance'"
        ));
    }
    found
}

/// Returns the load average over the last minute, and the number of other threads that run now.
fn load(text: &str) -> Option<(f64, f64)> {
    let mut words = text.split_ascii_whitespace();
    let average = words.next()?.parse().ok()?;
    let running: f64 = words.nth(2)?.split_once('/')?.0.parse().ok()?;
    Some((average, running - 1.0))
}

/// Returns the CPU time used so far by all threads, if the system reports it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    return None;
}

/// Returns the CPU time used so far by this thread, or zero if the system does not report it.
pub(crate) fn thread_time() -> Duration {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().unwrap_or_default();
    #[cfg(not(unix))]
    return Duration::ZERO;
}

/// A running measurement of wall-clock and CPU time.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch {
    start: Instant,
    /// The CPU time at the start.
    cpu: Option<Duration>,
}

impl Stopwatch {
    /// Starts measuring CPU time from now and wall-clock time from `start`.
    pub(crate) fn since(start: Instant) -> Self {
        Self { start, cpu: cpu_time() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of all threads so far, if the system reports it.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cpu_time().zip(self.cpu).map(|(now, start)| now.saturating_sub(start).as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the start of each warning for two CPUs, of which two can be used, with these files.
    fn starts(load: &str, governor: &str, threads: usize, is_debug_build: bool) -> Vec<String> {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in [
            ("proc/loadavg", load),
            ("proc/cpuinfo", "processor\t: 0\n\nprocessor\t: 1\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor),
        ] {
            let path = root.path().join(name);
            let written = path.parent().map(fs::create_dir_all).and_then(|_| fs::write(&path, content).ok());
            written.expect("a writable folder");
        }
        let found = warnings(root.path(), threads, Some(2), is_debug_build);
        found.iter().filter_map(|warning| Some(warning.split_once(':')?.0.to_owned())).collect()
    }

    const IDLE: &str = "0.10 0.20 0.30 1/200 4711\n";
    const BUSY: &str = "the machine is busy (load average 2.5 on 2 CPUs)";

    #[test]
    fn each_bad_condition_has_a_warning() {
        assert_eq!(starts(IDLE, "performance\n", 2, false), [""; 0]);
        assert_eq!(starts(IDLE, "powersave\n", 2, false), ["scaling governor powersave"]);
        assert_eq!(starts(IDLE, "performance\n", 3, true), ["debug build", "3 threads for 2 CPUs"]);
        assert_eq!(starts("2.50 1.00 1.00 3/200 4711\n", "performance\n", 2, false), [BUSY]);
        let unknown = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(warnings(unknown.path(), 2, None, false), [""; 0]);
    }

    #[test]
    fn a_machine_is_busy_if_too_few_cpus_are_free_both_now_and_in_the_last_minute() {
        for (load, threads, warnings) in [
            ("2.50 1.00 1.00 1/200 4711\n", 2, 0),
            ("0.30 1.00 1.00 3/200 4711\n", 2, 0),
            ("1.00 1.00 1.00 2/200 4711\n", 1, 0),
            ("1.00 1.00 1.00 2/200 4711\n", 2, 1),
        ] {
            assert_eq!(starts(load, "performance", threads, false).len(), warnings, "{load}");
        }
    }
}
