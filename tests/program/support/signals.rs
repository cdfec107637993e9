//! Sending signals to the program.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits until the program has installed its handler of SIGINT. Before that, SIGINT would kill it.
pub(crate) fn wait_until_interrupts_are_handled(program: &Child) {
    if !cfg!(target_os = "linux") {
        return sleep(Duration::from_secs(2)); // other systems do not show the handlers of a process
    }
    let start = Instant::now();
    while !handles_interrupts(program) {
        assert!(start.elapsed() < Duration::from_secs(120), "the program does not handle SIGINT after 120 s");
        sleep(Duration::from_millis(5));
    }
}

/// Returns whether the program handles SIGINT.
///
/// In `/proc/PID/status`, `SigCgt` is the set of handled signals in hexadecimal. The lowest bit is
/// signal 1. See proc(5).
fn handles_interrupts(program: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.id())).expect("the program runs");
    let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a set of signals");
    let handled = u64::from_str_radix(handled.trim(), 16).expect("hexadecimal");
    handled >> 1 & 1 == 1
}

/// Sends a signal, such as `-INT`, to the program.
pub(crate) fn send(signal: &str, program: &Child) {
    send_to(signal, program.id().to_string());
}

/// Sends a signal to the process group of the program, as a terminal does.
pub(crate) fn send_to_group(signal: &str, program: &Child) {
    send_to(signal, format!("-{}", program.id()));
}

fn send_to(signal: &str, target: String) {
    let sent = Command::new("kill").args([signal, "--", &target]).status().expect("kill");
    assert!(sent.success(), "cannot send {signal} to {target}");
}
