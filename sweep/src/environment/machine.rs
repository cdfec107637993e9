//! What can be known of the machine that a sweep runs on. Most of it is from Linux's files; elsewhere little is known.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// CPU features that the kernels ask for, by the names that Linux gives them.
pub(crate) const ASKED: &[&str] = &["bmi2", "avx2", "avx512bw", "avx512vbmi", "avx512_vbmi2"];

/// Where things about a machine are looked up.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What /proc and /sys are in.
    root: PathBuf,
    pub(crate) debug_assertions: bool,
    /// CPUs that this process may use.
    pub(crate) allowed_cpus: Option<usize>,
    /// What the program sees of [`ASKED`].
    pub(crate) detected: Vec<&'static str>,
    /// Libraries that were loaded before all others.
    pub(crate) preloaded: Option<OsString>,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        Self {
            root: "/".into(),
            debug_assertions: cfg!(debug_assertions),
            allowed_cpus: std::thread::available_parallelism().ok().map(usize::from),
            detected: detected(),
            preloaded: std::env::var_os("LD_PRELOAD"),
        }
    }

    /// One that has these files and features, and nothing wrong with it.
    #[cfg(test)]
    pub(crate) fn planted(root: PathBuf, detected: &[&'static str]) -> Self {
        let detected = detected.to_vec();
        Self { root, debug_assertions: false, allowed_cpus: None, detected, preloaded: None }
    }

    /// CPUs that are in use.
    pub(crate) fn cpus(&self) -> Option<usize> {
        let online = self.read("sys/devices/system/cpu/online")?;
        let count = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
            last.checked_sub(first)?.checked_add(1)
        };
        online.trim().split(',').map(count).sum::<Option<usize>>().filter(|&cpus| cpus > 0)
    }

    /// The load average over a minute, and the threads that are running or ready to now, this one included.
    pub(crate) fn load(&self) -> Option<(f64, usize)> {
        let load = self.read("proc/loadavg")?;
        let mut words = load.split_ascii_whitespace();
        let average = words.next()?.parse().ok()?;
        let (running, _) = words.nth(2)?.split_once('/')?;
        Some((average, running.parse().ok()?))
    }

    /// Up to so many names of other programs that are running or ready to.
    pub(crate) fn running(&self, most: usize) -> Vec<String> {
        let own = std::process::id().to_string();
        let Ok(processes) = fs::read_dir(self.root.join("proc")) else { return Vec::new() };
        let mut names = Vec::new();
        for process in processes.flatten() {
            let Ok(number) = process.file_name().into_string() else { continue };
            if number == own || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            // `number (name) state ...`, where the name may have brackets of its own.
            let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let Some((start, rest)) = stat.rsplit_once(") ") else { continue };
            let Some((_, name)) = start.split_once(" (") else { continue };
            if rest.starts_with('R') && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
                if names.len() == most {
                    break;
                }
            }
        }
        names
    }

    /// The scaling governor of each CPU that has one.
    pub(crate) fn governors(&self) -> Vec<String> {
        let Ok(cpus) = fs::read_dir(self.root.join("sys/devices/system/cpu")) else { return Vec::new() };
        let is_cpu = |name: &str| {
            let number = name.strip_prefix("cpu").unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        cpus.flatten()
            .filter(|cpu| cpu.file_name().to_str().is_some_and(is_cpu))
            .filter_map(|cpu| fs::read_to_string(cpu.path().join("cpufreq/scaling_governor")).ok())
            .map(|governor| governor.trim().to_owned())
            .collect()
    }

    /// The model and the features of an x86 CPU, as the kernel tells them.
    pub(crate) fn x86_cpu(&self) -> Option<(String, Vec<String>)> {
        let cpus = self.read("proc/cpuinfo")?;
        let field = |name: &str| {
            let mut fields = cpus.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
        };
        let flags = field("flags")?.split(' ').map(str::to_owned).collect();
        Some((field("model name").unwrap_or_default().to_owned(), flags))
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Vec<&'static str> {
    use std::is_x86_feature_detected as has;

    let found = [has!("bmi2"), has!("avx2"), has!("avx512bw"), has!("avx512vbmi"), has!("avx512vbmi2")];
    ASKED.iter().zip(found).filter(|&(_, found)| found).map(|(&name, _)| name).collect()
}

/// No kernel asks for anything; a program for 32 bits on a CPU of 64 has no kernels either.
#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Vec<&'static str> {
    ASKED.to_vec()
}
