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

#[cfg(unix)]
pub(crate) use unix::handle_status_signals;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::thread;

    use signal_hook::consts::SIGUSR1;
    use signal_hook::iterator::Signals;

    use crate::program::console::{note, warn};

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

    /// Handles the signals from now to the end of the process. It is called first of all, because
    /// an unhandled SIGUSR1 would end the process. Prints a warning if the signals cannot be
    /// handled.
    pub(crate) fn handle_status_signals() {
        if let Err(error) = start() {
            warn(format_args!("cannot handle SIGUSR1 ({error}); it will end the program"));
        }
    }

    fn start() -> io::Result<()> {
        let mut signals = Signals::new(SIGNALS)?;
        let answer_all = move || {
            for _ in signals.forever() {
                match &*super::lock() {
                    Some(answer) => answer(),
                    None => note("no progress to report: nothing is being checked"),
                }
            }
        };
        thread::Builder::new().name("status-request".into()).spawn(answer_all).map(drop)
    }
}
