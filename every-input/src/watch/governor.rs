//! The scaling governor of the CPUs, with which Linux saves power: a CPU that becomes slower while it
//! waits makes rates vary.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::texts::plural;

/// The CPUs as Linux shows them.
pub(crate) const CPUS: &str = "/sys/devices/system/cpu";

/// Returns a line about the CPUs in this folder that have another governor than `performance`; `None`
/// if there are none.
pub(crate) fn note(cpus: &Path) -> Option<String> {
    let mut governors: BTreeMap<String, u128> = BTreeMap::new();
    for entry in fs::read_dir(cpus).into_iter().flatten().flatten() {
        // Other folders, and CPUs of a virtual machine, have no such file.
        if let Ok(name) = fs::read_to_string(entry.path().join("cpufreq/scaling_governor")) {
            *governors.entry(name.trim().to_owned()).or_default() += 1;
        }
    }
    governors.remove("performance");
    let slow = governors.iter().map(|(name, count)| format!("{name} ({})", plural(*count, "CPU")));
    let slow: Vec<_> = slow.collect();
    (!slow.is_empty()).then(|| {
        format!(
            "scaling governor {}: rates vary with the CPU frequency; for steady rates run \
             'echo performance | sudo tee {CPUS}/cpu*/cpufreq/scaling_governor'",
            slow.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_governor_but_performance_is_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let set = |cpu: &str, governor: &str| {
            let path = folder.path().join(cpu).join("cpufreq");
            fs::create_dir_all(&path).expect("a folder");
            fs::write(path.join("scaling_governor"), governor).expect("a file");
        };
        fs::create_dir(folder.path().join("cpuidle")).expect("a folder");
        assert_eq!(note(&folder.path().join("none")), None);
        set("cpu0", "performance\n");
        assert_eq!(note(folder.path()), None);
        ["cpu1", "cpu10"].iter().for_each(|cpu| set(cpu, "powersave\n"));
        set("cpu2", "schedutil\n");
        let text = note(folder.path()).expect("a note");
        let start = "scaling governor powersave (2 CPUs), schedutil (1 CPU): ";
        assert!(text.starts_with(start) && text.contains("'echo performance | sudo tee "), "{text}");
    }
}
