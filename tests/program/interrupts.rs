//! The signals that are ignored when the program starts.

use std::process::{Command, Stdio};

use crate::support::{err, out, signals};

/// `nohup` starts a program with SIGHUP ignored, and a shell its jobs in the background with SIGINT.
#[test]
fn a_signal_that_is_ignored_from_the_start_stays_ignored() {
    for ignored in ["HUP", "INT", "USR1"] {
        let mut sweep = Command::new("sh");
        sweep.args(["-c", &format!("trap '' {ignored}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_sweep")]);
        // The limit ends a sweep that a failing test leaves behind.
        sweep.args(["--exhaustive", "--time-limit", "10m", "--no-progress"]).stdout(Stdio::piped());
        let sweep = sweep.stderr(Stdio::piped()).spawn().unwrap();
        signals::wait_until_interrupts_are_handled(&sweep);
        signals::send(&format!("-SIG{ignored}"), &sweep);
        signals::send("-TERM", &sweep); // a second interrupt would end the program without a report
        let output = sweep.wait_with_output().unwrap();
        let (text, printed) = (out(&output), err(&output));
        assert_eq!(output.status.code(), Some(130), "{ignored}: {printed}");
        assert!(text.contains("INTERRUPTED: no failure in "), "{ignored}: {text} {printed}");
        assert!(!printed.contains("remaining"), "{ignored}: no progress: {printed}");
    }
}
