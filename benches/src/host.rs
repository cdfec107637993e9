//! Names the machine and the compiler, without which figures mean little.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::process::Command;

/// The name of this machine in its network.
pub fn name() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// The CPU's name as the system knows it, and the platform.
pub fn cpu() -> String {
    let name = linux().or_else(macos).or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
    format!("{}, {ARCH} {OS}", name.as_deref().unwrap_or("unknown CPU"))
}

/// Virtual machines often hide the name; family and model tell more then.
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

/// The compiler that `cargo` takes here, which is the one that built the benchmarks unless it was changed since.
pub fn rustc() -> String {
    output("rustc", &["--version"]).unwrap_or_else(|| "unknown rustc".into())
}

/// What a program prints, where it exists and succeeds.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
