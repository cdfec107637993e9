//! Signals for a program that is ready for them.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits until the program handles SIGINT itself: one sent before would end it as it ends any
/// program.
pub(crate) fn wait_until_interrupts_are_handled(program: &Child) {
    if !cfg!(target_os = "linux") {
        return sleep(Duration::from_secs(2)); // nothing tells from outside
    }
    let start = Instant::now();
    while !handles_interrupts(program) {
        assert!(start.elapsed() < Duration::from_secs(120), "it never handles SIGINT");
        sleep(Duration::from_millis(5));
    }
}

/// proc(5): `SigCgt` is the set of the signals that are handled, in hexadecimal, the lowest bit for
/// signal 1.
fn handles_interrupts(program: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.id())).expect("the program runs");
    let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a set of signals");
    let handled = u64::from_str_radix(handled.trim(), 16).expect("hexadecimal");
    handled >> 1 & 1 == 1
}

/// Sends one, `-INT` say, to the program.
pub(crate) fn send(signal: &str, program: &Child) {
    send_to(signal, program.id().to_string());
}

/// As a terminal does it: to the whole process group that the program leads.
pub(crate) fn send_to_group(signal: &str, program: &Child) {
    send_to(signal, format!("-{}", program.id()));
}

fn send_to(signal: &str, whom: String) {
    let sent = Command::new("kill").args([signal, "--", &whom]).status().expect("kill");
    assert!(sent.success(), "{whom} is there");
}
