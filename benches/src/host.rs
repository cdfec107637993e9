//! The names of the machine and the compiler, which results depend on.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::process::Command;

/// Returns the host name of this machine.
pub fn name() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// Returns the CPU's name, as the system reports it, and the platform.
pub fn cpu() -> String {
    let name = linux().or_else(macos).or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
    format!("{}, {ARCH} {OS}", name.as_deref().unwrap_or("unknown CPU"))
}

/// Adds family and model to the name, since virtual machines often hide the name.
fn linux() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |key: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    let name = field("model name")?;
    Some(match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name.to_owned(),
    })
}

fn macos() -> Option<String> {
    output("sysctl", &["-n", "machdep.cpu.brand_string"])
}

/// Returns the version of the compiler that `cargo` uses here. It built the benchmarks, unless it
/// was changed since.
pub fn rustc() -> String {
    output("rustc", &["--version"]).unwrap_or_else(|| "unknown rustc".into())
}

/// Returns the output of a program, if it exists, succeeds and prints something.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
