//! The signals: Ctrl-C (SIGINT), SIGTERM and SIGHUP end a command, SIGUSR1, and SIGINFO (Ctrl-T) on
//! systems that have it, print the progress of a sweep, and SIGXFSZ is an error of the write. A signal
//! that is ignored when the program starts stays ignored.

#[cfg(unix)]
use std::io;
use std::mem;
#[cfg(unix)]
use std::mem::MaybeUninit;
use std::process::exit;
#[cfg(unix)]
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(unix)]
use std::thread;

use every_input::Watch;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
#[cfg(unix)]
use signal_hook::iterator::Signals;

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
    let handler = move || {
        let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_interrupted, watches) = &mut *interrupt;
        if mem::replace(is_interrupted, true) {
            end_at_once(ExitCode::Interrupted);
        }
        watches.iter().for_each(|watch| watch.stop());
        if !quiet {
            note("interrupted: finishing the calls under way; interrupt again to end without a report");
        }
    };
    #[cfg(unix)]
    let handled = answer("interrupts", &[SIGINT, SIGTERM, SIGHUP], handler);
    #[cfg(not(unix))]
    let handled = ctrlc::set_handler(handler);
    if let Err(error) = handled {
        warn(format_args!("cannot handle Ctrl-C ({error}); it will end the program without a report"));
    }
}

/// Returns whether a signal has asked for the end.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner).0
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
    for signal in [SIGXFSZ, SIGUSR1].into_iter().filter(|signal| !is_ignored(*signal)) {
        // Nobody asks whether the handler was called.
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Answers the signals that ask for the progress of a sweep. The thread for it is not started for other
/// commands, because threads take address space, which may be limited.
#[cfg(unix)]
fn answer_signals() {
    #[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd", target_os = "openbsd"))]
    let signals = [SIGUSR1, signal_hook::consts::SIGINFO];
    #[cfg(not(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    )))]
    let signals = [SIGUSR1];
    if let Err(error) = answer("signals", &signals, note_progress) {
        warn(format_args!("cannot handle SIGUSR1 ({error}); it will not print the progress"));
    }
}

/// Starts a thread that calls a function at each of these signals, except for those that are ignored.
#[cfg(unix)]
fn answer(name: &str, signals: &[i32], answer: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new(signals.iter().filter(|signal| !is_ignored(**signal)))?;
    thread::Builder::new().name(name.into()).spawn(move || signals.forever().for_each(|_| answer()))?;
    Ok(())
}

/// Returns whether the process was started with this signal ignored, as `nohup` does with SIGHUP and a
/// shell with SIGINT for a job in the background. Such a signal stays ignored.
#[cfg(unix)]
#[allow(unsafe_code)] // there is no safe function that only reads the disposition of a signal
fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null pointer as the new action leaves the action as it is, and `action` has room for it.
    let is_known = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) } == 0;
    // SAFETY: all bytes are initialized, by zeros if not by the call, and zeros are valid in each field.
    is_known && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
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
