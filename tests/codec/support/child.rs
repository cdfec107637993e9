//! This test program as a child process, for tests that end the process or set its default kernel.

use std::process::{Command, Output};

/// Runs one of the ignored tests, which reads its arguments from environment variables. Returns nothing
/// under an emulator that cannot start a child process.
pub fn run_ignored_test(name: &str, arguments: &[(&str, &str)]) -> Option<Output> {
    let program = std::env::current_exe().expect("this test program");
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", name]).envs(arguments.iter().copied());
    // In QEMU, the exit code is 127 if the system refuses to start a program of the emulated machine.
    command.output().ok().filter(|output| output.status.code() != Some(127))
}
