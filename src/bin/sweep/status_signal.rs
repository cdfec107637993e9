//! SIGUSR1, and SIGINFO (Ctrl-T) on systems that have it: both ask for the progress of a command.
//! Unix only.

use std::sync::{Mutex, MutexGuard, PoisonError};

type Answer = Box<dyn Fn() + Send>;

/// The answer of the running command.
static ANSWER: Mutex<Option<Answer>> = Mutex::new(None);

/// Sets the answer to the signals until it is dropped.
pub(crate) struct StatusAnswer;

impl StatusAnswer {
    /// Answers each signal with a call of `answer`, on a thread of its own.
    pub(crate) fn set(answer: impl Fn() + Send + 'static) -> Self {
        *lock() = Some(Box::new(answer));
        start_to_answer();
        Self
    }
}

impl Drop for StatusAnswer {
    fn drop(&mut self) {
        *lock() = None;
    }
}

fn lock() -> MutexGuard<'static, Option<Answer>> {
    ANSWER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does nothing on systems without these signals.
#[cfg(not(unix))]
pub(crate) fn handle_status_signals() {}

#[cfg(not(unix))]
fn start_to_answer() {}

#[cfg(unix)]
pub(crate) use unix::handle_status_signals;
#[cfg(unix)]
use unix::start_to_answer;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::{Mutex, PoisonError};
    use std::thread;

    use signal_hook::consts::SIGUSR1;
    use signal_hook::iterator::Signals;

    use crate::program::console::warn;

    #[cfg(any(
        target_os = "macos",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    ))]
    const SIGNALS: &[i32] = &[SIGUSR1, signal_hook::consts::SIGINFO];
    #[cfg(not(any(
        target_os = "macos",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    )))]
    const SIGNALS: &[i32] = &[SIGUSR1];

    /// The handled signals, until a thread answers them.
    static HANDLED: Mutex<Option<Signals>> = Mutex::new(None);

    /// Handles the signals from now to the end of the process. It is called first of all, because
    /// an unhandled SIGUSR1 would end the process. Prints a warning if the signals cannot be
    /// handled.
    pub(crate) fn handle_status_signals() {
        match Signals::new(SIGNALS) {
            Ok(signals) => *HANDLED.lock().unwrap_or_else(PoisonError::into_inner) = Some(signals),
            Err(error) => warn_failed(&error),
        }
    }

    /// Starts the thread that answers the signals, at the first call. Commands that never have an
    /// answer need no thread.
    pub(super) fn start_to_answer() {
        let Some(mut signals) = HANDLED.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let answer_all = move || {
            for _ in signals.forever() {
                if let Some(answer) = &*super::lock() {
                    answer();
                }
            }
        };
        if let Err(error) = thread::Builder::new().name("status-request".into()).spawn(answer_all) {
            warn_failed(&error);
        }
    }

    fn warn_failed(error: &io::Error) {
        warn(format_args!("cannot handle SIGUSR1 ({error}); it will not print the progress"));
    }
}
