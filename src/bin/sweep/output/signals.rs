//! The signals: Ctrl-C (SIGINT) and SIGTERM end a command, SIGUSR1, and SIGINFO (Ctrl-T) on systems that
//! have it, print the progress of a sweep, and SIGXFSZ is an error of the write.

use std::mem;
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(unix)]
use std::thread;

use every_input::Watch;

use super::console::{note, warn};
use super::error::ExitCode;

/// Whether a signal has asked for the end, and the sweeps that it stops.
static INTERRUPT: Mutex<(bool, Vec<Arc<Watch>>)> = Mutex::new((false, Vec::new()));

/// Handles interrupts from now on, which is before the children start: the first signal stops the
/// sweeps, so that the command ends with a report, and the second one ends the program at once. Prints
/// what happens unless `quiet`. Also answers the signals that ask for the progress.
pub(crate) fn handle_interrupts(quiet: bool) {
    #[cfg(unix)]
    answer_signals();
    let handler = ctrlc::set_handler(move || {
        let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_interrupted, watches) = &mut *interrupt;
        if mem::replace(is_interrupted, true) {
            end_at_once(ExitCode::Interrupted);
        }
        watches.iter().for_each(|watch| watch.stop());
        if !quiet {
            note("interrupted: finishing the calls under way; interrupt again to end without a report");
        }
    });
    if let Err(error) = handler {
        warn(format_args!("cannot handle Ctrl-C ({error}); it will end the program without a report"));
    }
}

/// Sets the sweeps that an interrupt stops, and stops them if it came before.
pub(crate) fn stop_when_interrupted(sweeps: &[Arc<Watch>]) {
    let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
    let (is_interrupted, watches) = &mut *interrupt;
    *watches = sweeps.to_vec();
    watches.iter().filter(|_| *is_interrupted).for_each(|watch| watch.stop());
}

/// Ends the program without a report, and its children.
pub(crate) fn end_at_once(code: ExitCode) -> ! {
    #[cfg(unix)]
    every_input::kill_children();
    exit(code as i32)
}

/// Handles, to the end of the process, the signals that would end it otherwise: that of a limited file
/// size, after which the write returns an error, and SIGUSR1, which a command without a sweep ignores.
#[cfg(unix)]
pub(crate) fn handle_signals() {
    for signal in [signal_hook::consts::SIGXFSZ, signal_hook::consts::SIGUSR1] {
        // Nobody asks whether the handler was called.
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Answers the signals that ask for the progress of a sweep. The thread for it is not started for other
/// commands, because threads take address space, which may be limited.
#[cfg(unix)]
fn answer_signals() {
    use signal_hook::consts::SIGUSR1;

    #[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd", target_os = "openbsd"))]
    let signals = [SIGUSR1, signal_hook::consts::SIGINFO];
    #[cfg(not(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    )))]
    let signals = [SIGUSR1];
    let handled = signal_hook::iterator::Signals::new(signals).and_then(|mut signals| {
        let answer = move || signals.forever().for_each(|_| note_progress());
        thread::Builder::new().name("signals".into()).spawn(answer)
    });
    if let Err(error) = handled {
        warn(format_args!("cannot handle SIGUSR1 ({error}); it will not print the progress"));
    }
}

/// Prints the progress of the sweep that runs, or of the last one.
#[cfg(unix)]
fn note_progress() {
    let watches = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner).1.clone();
    match watches.iter().rev().find_map(|watch| watch.progress()) {
        Some(progress) => note(progress),
        None => note("no value is checked yet"),
    }
}
