//! Where and when a benchmark was measured, which criterion does not record.

use std::env::consts::{ARCH, OS};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io, thread};

use serde::Serialize;

use crate::measurement::is_new;

/// A machine and a compiler. Results of others are not comparable.
#[derive(Clone, Serialize)]
pub struct Environment {
    /// The CPU, the number of CPUs, the system, and the kernel to which the crate is limited, if it is.
    pub machine: String,
    /// The compiler, with its flags if there are any.
    pub compiler: String,
}

/// An environment at one time.
#[derive(Serialize)]
struct Record<'a> {
    date: u64, // seconds since 1970
    #[serde(flatten)]
    environment: &'a Environment,
}

impl Environment {
    /// Returns that of this program, with the name of the kernel to which `KERNEL` limits it.
    #[must_use]
    pub fn here(kernel: Option<&str>) -> Self {
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        let cpu = cpu().unwrap_or_else(|| "unknown CPU".into());
        // `cargo bench` has just compiled this program with it.
        let compiler = output("rustc", &["--version"]).unwrap_or_else(|| "unknown compiler".into());
        let flags = env::var("RUSTFLAGS").map_or(String::new(), |flags| format!(" {flags}"));
        let kernel = kernel.map_or(String::new(), |name| format!(", KERNEL={name}"));
        let machine = format!("{cpu}, {cpus} CPUs, {ARCH} {OS}{kernel}");
        Self { machine, compiler: compiler + flags.trim_end() }
    }

    /// Writes this environment and the time to a file beside a result in criterion's folder `baseline`, if
    /// the result was written at `since` or later.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn save(&self, baseline: &Path, since: SystemTime) -> io::Result<()> {
        if !is_new(&baseline.join("sample.json"), since) {
            return Ok(()); // nothing was measured
        }
        let date = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let record = Record { date, environment: self };
        fs::write(baseline.join("environment.json"), serde_json::to_string(&record)?)
    }
}

/// Returns the name of the CPU, with its family and model, since virtual machines often hide the name.
fn cpu() -> Option<String> {
    let Ok(text) = fs::read_to_string("/proc/cpuinfo") else {
        return output("sysctl", &["-n", "machdep.cpu.brand_string"])
            .or_else(|| env::var("PROCESSOR_IDENTIFIER").ok());
    };
    let field = |key: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    let name = field("model name").or_else(|| field("CPU part"))?;
    let model = field("cpu family").zip(field("model"));
    Some(model.map_or(name.into(), |(family, model)| format!("{name} (family {family}, model {model})")))
}

/// Returns the output of a program, if it exists, succeeds and prints something.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
