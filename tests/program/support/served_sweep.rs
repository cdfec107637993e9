//! A running sweep with `--http`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use super::{program, signals};

/// A running sweep, which is killed when this is dropped.
pub(crate) struct ServedSweep {
    process: Child,
    /// The URL that the program prints. It ends with a slash.
    pub(crate) url: String,
}

impl ServedSweep {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = program()
            .args(["--no-progress", "--http", "0"])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = process.stderr.take().expect("standard error is piped");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let url = lines.find_map(|line| line.strip_prefix("watch it at ").map(str::to_owned));
        Self { process, url: url.expect("the URL is printed") }
    }

    /// Interrupts the sweep and returns its exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        signals::send("-INT", &self.process);
        self.process.wait().expect("the program exits").code()
    }
}

impl Drop for ServedSweep {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
