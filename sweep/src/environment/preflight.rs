//! Warnings about conditions that make a sweep slow or its rates unreliable, checked before it
//! begins.

use std::fmt;

use crate::environment::machine::Machine;
use crate::numbers::{grouped, long_time};

/// A condition of the machine, build or plan that makes a sweep slow or its rates unreliable.
///
/// Its `Display` implementation includes the remedy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Some CPUs have a scaling governor other than `performance`.
    Governor {
        /// The names of the scaling governors.
        governor: String,
        /// The number of CPUs with these governors.
        cpus: usize,
    },
    /// Other programs leave too few CPUs to the sweep.
    HighLoad {
        /// The load average over the last minute.
        load: f64,
        /// The number of CPUs of the machine.
        cpus: usize,
        /// The names of some running programs.
        programs: Vec<String>,
    },
    /// The program is built with debug assertions.
    DebugBuild,
    /// There are more threads than CPUs.
    TooManyThreads {
        /// The number of worker threads.
        threads: usize,
        /// The number of CPUs that the program may use.
        allowed: usize,
        /// The number of CPUs of the machine, or `allowed` if it is unknown.
        cpus: usize,
    },
    /// Checking every value takes longer than a day.
    LongSweep {
        /// The number of values to check.
        values: u128,
        /// The estimated time in seconds.
        seconds: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Governor { governor, cpus } => write!(
                f,
                "scaling governor {governor} on {}: rates vary with the CPU frequency; \
                 for steady rates run 'sudo cpupower frequency-set --governor performance'",
                plural(*cpus)
            ),
            Self::HighLoad { load, cpus, programs } => {
                write!(f, "the machine is busy (load average {load:.1} on {}", plural(*cpus))?;
                if !programs.is_empty() {
                    write!(f, "; running now: {}", programs.join(", "))?;
                }
                f.write_str(
                    "): the sweep shares the CPUs; wait for the other programs to end, or use fewer --threads",
                )
            }
            Self::DebugBuild => f.write_str(
                "debug build: debug assertions slow the sweep down; use 'cargo run --release --bin sweep'",
            ),
            Self::TooManyThreads { threads, allowed, cpus } => {
                write!(f, "{threads} threads for {}", plural(*allowed))?;
                if cpus > allowed {
                    write!(f, " (the machine has {cpus}; CPU affinity or a cgroup limits the process)")?;
                }
                write!(f, ": more threads than CPUs are not faster; use --threads {allowed}")?;
                if cpus > allowed { f.write_str(", or raise the limit") } else { Ok(()) }
            }
            Self::LongSweep { values, seconds } => write!(
                f,
                "checking {} values takes about {} on this machine; check a random --sample, \
                 or divide them among machines with --shard",
                grouped(*values),
                long_time(*seconds)
            ),
        }
    }
}

fn plural(cpus: usize) -> String {
    if cpus == 1 { "1 CPU".into() } else { format!("{cpus} CPUs") }
}

/// Returns the warnings for a sweep with this number of worker threads.
///
/// ```
/// use varint_sweep::{Machine, preflight};
///
/// for warning in preflight(&Machine::current(), 2) {
///     eprintln!("warning: {warning}");
/// }
/// ```
pub fn preflight(machine: &Machine, threads: usize) -> Vec<Warning> {
    [
        machine.debug_assertions.then_some(Warning::DebugBuild),
        too_many_threads(machine, threads),
        high_load(machine, threads),
        governor(machine),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn too_many_threads(machine: &Machine, threads: usize) -> Option<Warning> {
    let allowed = machine.allowed_cpus?;
    (threads > allowed).then(|| Warning::TooManyThreads {
        threads,
        allowed,
        cpus: machine.cpus().unwrap_or(allowed),
    })
}

/// Warns if other programs leave too few CPUs, both now and on average over the last minute. The
/// average alone would include a sweep that has just ended. The current number alone would include
/// short-lived programs.
fn high_load(machine: &Machine, threads: usize) -> Option<Warning> {
    let cpus = machine.cpus()?;
    let (load, running) = machine.load()?;
    let too_few = |others: f64| others + threads.min(cpus) as f64 > cpus as f64 + 0.5;
    (too_few(load) && too_few(running.saturating_sub(1) as f64)).then(|| Warning::HighLoad {
        load,
        cpus,
        programs: machine.running(3),
    })
}

fn governor(machine: &Machine) -> Option<Warning> {
    let mut slow = machine.governors();
    slow.retain(|governor| governor != "performance");
    let cpus = slow.len();
    slow.sort_unstable();
    slow.dedup();
    (cpus > 0).then(|| Warning::Governor { governor: slow.join(", "), cpus })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// Returns a machine without warnings, with these files instead of the system's.
    fn machine(files: &[(&str, &str)]) -> (Machine, TempDir) {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in files {
            let path = root.path().join(name);
            let written = path.parent().map(fs::create_dir_all).and_then(|_| fs::write(&path, content).ok());
            written.expect("a writable folder");
        }
        (Machine::with_files(root.path().to_owned()), root)
    }

    const TWO: (&str, &str) = ("sys/devices/system/cpu/online", "0-1\n");

    fn warnings(machine: &Machine, threads: usize) -> Vec<String> {
        preflight(machine, threads).iter().map(Warning::to_string).collect()
    }

    #[test]
    fn a_good_machine_gets_no_warning() {
        let (good, _root) = machine(&[
            TWO,
            ("proc/loadavg", "0.10 0.20 0.30 1/200 4711\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
        ]);
        assert_eq!(warnings(&good, 2), [""; 0]);
        let (unknown, _root) = machine(&[]);
        assert_eq!(warnings(&unknown, 2), [""; 0], "unknown conditions cause no warning");
    }

    #[test]
    fn governors_other_than_performance_are_reported() {
        let (machine, _root) = machine(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
            ("sys/devices/system/cpu/cpu12/cpufreq/scaling_governor", "schedutil\n"),
            ("sys/devices/system/cpu/cpufreq/scaling_governor", "of no CPU\n"),
        ]);
        let found = warnings(&machine, 2);
        assert!(
            found[0].contains("powersave, schedutil on 2 CPUs") && found[0].contains("cpupower"),
            "{found:?}"
        );
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn other_running_programs_are_reported_unless_enough_cpus_are_free() {
        let stat = ("proc/4711/stat", "4711 (cc (1) plus) R 1 4711 4711 0");
        let asleep = ("proc/4712/stat", "4712 (sshd) S 1 4712 4712 0");
        let kernel = ("proc/9/stat", "9 (kworker/0:1) R 2 0 0 0");
        let with = |load| machine(&[TWO, ("proc/loadavg", load), stat, asleep, kernel]);
        let (busy, _root) = with("2.50 1.00 1.00 3/200 4711\n");
        let found = warnings(&busy, 2);
        assert!(found[0].contains("load average 2.5 on 2 CPUs; running now: cc (1) plus)"), "{found:?}");
        assert_eq!(found.len(), 1);
        let (just_ended, _root) = with("2.50 1.00 1.00 1/200 4711\n");
        assert_eq!(warnings(&just_ended, 2), [""; 0], "only the last minute was busy");
        let (just_begun, _root) = with("0.30 1.00 1.00 3/200 4711\n");
        assert_eq!(warnings(&just_begun, 2), [""; 0], "only this moment is busy");
        let (half, _root) = with("1.00 1.00 1.00 2/200 4711\n");
        assert_eq!(warnings(&half, 1), [""; 0], "one CPU is free");
        assert_eq!(warnings(&half, 2).len(), 1, "one CPU is not enough");
    }

    #[test]
    fn a_debug_build_is_reported() {
        let (mut machine, _root) = machine(&[]);
        machine.debug_assertions = true;
        assert!(warnings(&machine, 2)[0].contains("--release"));
    }

    #[test]
    fn more_threads_than_cpus_are_reported_with_the_number_of_cpus() {
        let (mut machine, _root) = machine(&[("sys/devices/system/cpu/online", "0-3,8-11\n")]);
        machine.allowed_cpus = Some(2);
        assert_eq!(warnings(&machine, 2), [""; 0]);
        let found = warnings(&machine, 3);
        assert!(found[0].contains("3 threads for 2 CPUs (the machine has 8;"), "{found:?}");
        machine.allowed_cpus = Some(8);
        assert_eq!(
            warnings(&machine, 9),
            ["9 threads for 8 CPUs: more threads than CPUs are not faster; use --threads 8"]
        );
    }
}
