//! The machine that a sweep runs on. Most information is read from the files of Linux in `/proc`
//! and `/sys`; on other systems little is known.

use std::fs;
use std::path::PathBuf;

/// The machine that a sweep runs on, to be checked by [`preflight`](crate::preflight).
#[derive(Clone, Debug)]
pub struct Machine {
    /// The folder that contains `proc` and `sys`.
    root: PathBuf,
    pub(crate) debug_assertions: bool,
    /// The number of CPUs that this process may use.
    pub(crate) allowed_cpus: Option<usize>,
}

impl Machine {
    /// Returns the machine that this process runs on.
    pub fn current() -> Self {
        Self {
            root: "/".into(),
            debug_assertions: cfg!(debug_assertions),
            allowed_cpus: std::thread::available_parallelism().ok().map(usize::from),
        }
    }

    /// Returns a machine with the system files below `root`.
    #[cfg(test)]
    pub(crate) fn with_files(root: PathBuf) -> Self {
        Self { root, debug_assertions: false, allowed_cpus: None }
    }

    /// Returns the number of CPUs that are online.
    pub(crate) fn cpus(&self) -> Option<usize> {
        let online = self.read("sys/devices/system/cpu/online")?;
        let count = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
            last.checked_sub(first)?.checked_add(1)
        };
        online.trim().split(',').map(count).sum::<Option<usize>>().filter(|&cpus| cpus > 0)
    }

    /// Returns the load average over the last minute, and the number of runnable threads, this one
    /// included.
    pub(crate) fn load(&self) -> Option<(f64, usize)> {
        let load = self.read("proc/loadavg")?;
        let mut words = load.split_ascii_whitespace();
        let average = words.next()?.parse().ok()?;
        let (running, _) = words.nth(2)?.split_once('/')?;
        Some((average, running.parse().ok()?))
    }

    /// Returns the names of other runnable programs, at most `limit`. Threads of the kernel are not
    /// programs.
    pub(crate) fn running(&self, limit: usize) -> Vec<String> {
        let own = std::process::id().to_string();
        let Ok(processes) = fs::read_dir(self.root.join("proc")) else { return Vec::new() };
        let mut names = Vec::new();
        for process in processes.flatten() {
            let Ok(number) = process.file_name().into_string() else { continue };
            if number == own || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            // The format is `number (name) state ...`. The name may contain parentheses.
            let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let Some((start, rest)) = stat.rsplit_once(") ") else { continue };
            let Some((_, name)) = start.split_once(" (") else { continue };
            // The process 2 is the parent of all threads of the kernel.
            let is_kernel = number == "2" || rest.split(' ').nth(1) == Some("2");
            if rest.starts_with('R') && !is_kernel && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
                if names.len() == limit {
                    break;
                }
            }
        }
        names
    }

    /// Returns the scaling governor of each CPU that has one.
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

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }
}
