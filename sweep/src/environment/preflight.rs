//! What makes a sweep slower, or its figures worth less, than they need be: looked for before it begins.

use std::fmt;

use crate::environment::machine::{ASKED, Machine};

/// What this machine or build does to the figures, and the remedy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// CPUs that do not keep their clock up.
    Governor {
        /// The scaling governor, or several.
        governor: String,
        /// CPUs that have it.
        cpus: usize,
    },
    /// Other programs are at work.
    Loaded {
        /// The load average over a minute.
        load: f64,
        /// CPUs of the machine.
        cpus: usize,
        /// Some programs that are running now.
        programs: Vec<String>,
    },
    /// Built with debug assertions.
    DebugBuild,
    /// The CPU has instructions that the fast kernels take, and the program does not see them.
    HiddenFeatures {
        /// Their names.
        features: Vec<&'static str>,
    },
    /// A virtual machine whose CPU lacks what nearly every CPU has.
    MaskedFeatures,
    /// The program runs in an emulator.
    Emulated {
        /// Its name.
        by: &'static str,
    },
    /// More threads than CPUs.
    FewCpus {
        /// Worker threads.
        threads: usize,
        /// CPUs that the program may use.
        allowed: usize,
        /// CPUs of the machine, where the system tells.
        cpus: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Governor { governor, cpus } => write!(
                f,
                "scaling governor {governor} on {cpus} CPUs: rates will vary with the clock; \
                 for steady ones: sudo cpupower frequency-set --governor performance"
            ),
            Self::Loaded { load, cpus, programs } => {
                write!(f, "the machine is busy (load average {load:.1} on {cpus} CPUs")?;
                if !programs.is_empty() {
                    write!(f, "; running now: {}", programs.join(", "))?;
                }
                f.write_str("): the sweep has to share; wait for the others to end, or use fewer --threads")
            }
            Self::DebugBuild => f.write_str(
                "a debug build, whose checks cost time: for true rates: cargo run --release --bin sweep",
            ),
            Self::HiddenFeatures { features } => write!(
                f,
                "this CPU has {}, but an emulator or a debugger hides it from the program: the kernels that take it \
                 cannot run; run it directly",
                features.join(", ")
            ),
            Self::MaskedFeatures => f.write_str(
                "this virtual machine's CPU has no AVX2, which its host most likely has: let it pass the host's CPU \
                 through (QEMU: -cpu host)",
            ),
            Self::Emulated { by } => write!(
                f,
                "running under {by}: results hold for what it emulates, rates mean nothing; run it directly"
            ),
            Self::FewCpus { threads, allowed, cpus } => {
                write!(f, "{threads} threads for {}", plural(*allowed))?;
                if cpus > allowed {
                    write!(f, " (the machine has {cpus}; an affinity or a cgroup's limit keeps the rest away)")?;
                }
                write!(f, ": more threads than CPUs are no faster; use --threads {allowed}")?;
                if cpus > allowed { f.write_str(", or raise that limit") } else { Ok(()) }
            }
        }
    }
}

fn plural(cpus: usize) -> String {
    if cpus == 1 { "1 CPU".into() } else { format!("{cpus} CPUs") }
}

/// Looks for all of them, for a sweep on so many threads.
///
/// ```
/// use varint_sweep::{Machine, preflight};
///
/// for warning in preflight(&Machine::here(), 2) {
///     eprintln!("warning: {warning}");
/// }
/// ```
pub fn preflight(machine: &Machine, threads: usize) -> Vec<Warning> {
    [
        machine.debug_assertions.then_some(Warning::DebugBuild),
        few_cpus(machine, threads),
        loaded(machine, threads),
        governor(machine),
        emulated(machine),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn few_cpus(machine: &Machine, threads: usize) -> Option<Warning> {
    let allowed = machine.allowed_cpus?;
    (threads > allowed).then(|| Warning::FewCpus {
        threads,
        allowed,
        cpus: machine.cpus().unwrap_or(allowed),
    })
}

/// Busy is a machine on which others run now, as they did over the last minute, and leave too few CPUs. The average
/// alone would still count a sweep that has just ended; the moment alone, whatever happens to run in it.
fn loaded(machine: &Machine, threads: usize) -> Option<Warning> {
    let cpus = machine.cpus()?;
    let (load, running) = machine.load()?;
    let too_few = |others: f64| others + threads.min(cpus) as f64 > cpus as f64 + 0.5;
    (too_few(load) && too_few(running.saturating_sub(1) as f64)).then(|| Warning::Loaded {
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

fn emulated(machine: &Machine) -> Option<Warning> {
    let preloaded = machine.preloaded.as_deref().unwrap_or_default();
    if preloaded.to_string_lossy().contains("vgpreload") {
        return Some(Warning::Emulated { by: "valgrind" });
    }
    let (model, flags) = machine.x86_cpu()?;
    if model.contains("QEMU TCG") {
        return Some(Warning::Emulated { by: "QEMU" });
    }
    let has = |flag: &str| flags.iter().any(|known| known == flag);
    let mut features = ASKED.to_vec();
    features.retain(|feature| has(feature) && !machine.detected.contains(feature));
    if !features.is_empty() {
        Some(Warning::HiddenFeatures { features })
    } else if has("hypervisor") && !has("avx2") {
        Some(Warning::MaskedFeatures)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// A machine with nothing to warn about, and these files in the place of the system's.
    fn machine(files: &[(&str, &str)]) -> (Machine, TempDir) {
        let root = tempfile::tempdir().expect("there is a place for temporary files");
        for (name, content) in files {
            let path = root.path().join(name);
            let written = path.parent().map(fs::create_dir_all).and_then(|_| fs::write(&path, content).ok());
            written.expect("it can be written to");
        }
        (Machine::planted(root.path().to_owned(), ASKED), root)
    }

    const TWO: (&str, &str) = ("sys/devices/system/cpu/online", "0-1\n");
    const XEON: &str =
        "model name\t: Intel(R) Xeon(R)\nflags\t\t: fpu avx2 bmi2 avx512bw avx512vbmi avx512_vbmi2\n";

    fn said(machine: &Machine, threads: usize) -> Vec<String> {
        preflight(machine, threads).iter().map(Warning::to_string).collect()
    }

    #[test]
    fn a_good_machine_gets_no_warning() {
        let (good, _root) = machine(&[
            TWO,
            ("proc/loadavg", "0.10 0.20 0.30 1/200 4711\n"),
            ("proc/cpuinfo", XEON),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
        ]);
        assert_eq!(said(&good, 2), [""; 0]);
        let (unknown, _root) = machine(&[]);
        assert_eq!(said(&unknown, 2), [""; 0], "nothing is said of what is not known");
    }

    #[test]
    fn governors_other_than_performance_are_named() {
        let (machine, _root) = machine(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
            ("sys/devices/system/cpu/cpu12/cpufreq/scaling_governor", "schedutil\n"),
            ("sys/devices/system/cpu/cpufreq/scaling_governor", "of no CPU\n"),
        ]);
        let said = said(&machine, 2);
        assert!(
            said[0].contains("powersave, schedutil on 2 CPUs") && said[0].contains("cpupower"),
            "{said:?}"
        );
        assert_eq!(said.len(), 1);
    }

    #[test]
    fn others_at_work_are_named_unless_there_is_room_for_them() {
        let stat = ("proc/4711/stat", "4711 (cc (1) plus) R 1 4711 4711 0");
        let asleep = ("proc/4712/stat", "4712 (sshd) S 1 4712 4712 0");
        let with = |load| machine(&[TWO, ("proc/loadavg", load), stat, asleep]);
        let (busy, _root) = with("2.50 1.00 1.00 3/200 4711\n");
        let said_of = said(&busy, 2);
        assert!(said_of[0].contains("load average 2.5 on 2 CPUs; running now: cc (1) plus)"), "{said_of:?}");
        assert_eq!(said_of.len(), 1);
        let (just_ended, _root) = with("2.50 1.00 1.00 1/200 4711\n");
        assert_eq!(said(&just_ended, 2), [""; 0], "only the last minute was busy");
        let (just_begun, _root) = with("0.30 1.00 1.00 3/200 4711\n");
        assert_eq!(said(&just_begun, 2), [""; 0], "only this moment is busy");
        let (half, _root) = with("1.00 1.00 1.00 2/200 4711\n");
        assert_eq!(said(&half, 1), [""; 0], "one CPU is free");
        assert_eq!(said(&half, 2).len(), 1, "one CPU is not enough");
    }

    #[test]
    fn a_debug_build_says_so() {
        let (mut machine, _root) = machine(&[]);
        machine.debug_assertions = true;
        assert!(said(&machine, 2)[0].contains("--release"));
    }

    #[test]
    fn features_that_the_cpu_has_and_the_program_does_not_see_are_named() {
        let (mut machine, _root) = machine(&[("proc/cpuinfo", XEON)]);
        machine.detected = vec!["avx2", "bmi2"];
        let said_of = said(&machine, 2);
        assert!(said_of[0].contains("avx512bw, avx512vbmi, avx512_vbmi2"), "{said_of:?}");
        machine.preloaded = Some("/usr/libexec/valgrind/vgpreload_core-amd64-linux.so".into());
        assert!(said(&machine, 2)[0].contains("valgrind"));
    }

    #[test]
    fn emulators_and_masked_cpus_are_named() {
        let (tcg, _root) =
            machine(&[("proc/cpuinfo", "model name : QEMU TCG CPU version 2.5+\nflags : fpu\n")]);
        assert!(said(&tcg, 2)[0].contains("QEMU"));
        let (masked, _root) =
            machine(&[("proc/cpuinfo", "model name : Common KVM\nflags : fpu hypervisor\n")]);
        assert!(said(&masked, 2)[0].contains("-cpu host"));
        let (old, _root) = machine(&[("proc/cpuinfo", "model name : Old\nflags : fpu sse2\n")]);
        assert_eq!(said(&old, 2), [""; 0], "an old CPU hides nothing");
    }

    #[test]
    fn more_threads_than_cpus_are_named_with_what_keeps_the_rest_away() {
        let (mut machine, _root) = machine(&[("sys/devices/system/cpu/online", "0-3,8-11\n")]);
        machine.allowed_cpus = Some(2);
        assert_eq!(said(&machine, 2), [""; 0]);
        let said_of = said(&machine, 3);
        assert!(said_of[0].contains("3 threads for 2 CPUs (the machine has 8;"), "{said_of:?}");
        machine.allowed_cpus = Some(8);
        assert_eq!(
            said(&machine, 9),
            ["9 threads for 8 CPUs: more threads than CPUs are no faster; use --threads 8"]
        );
    }
}
