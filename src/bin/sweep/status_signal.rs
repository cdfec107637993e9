//! SIGUSR1, and SIGINFO (Ctrl-T) on systems that have it: a request for a line that says how far the sweep is.
//! Unix only.

#[cfg(unix)]
pub(crate) use unix::StatusSignal;

/// This system has no such signal.
#[cfg(not(unix))]
pub(crate) struct StatusSignal;

#[cfg(not(unix))]
impl StatusSignal {
    pub(crate) fn answered(_answer: impl Fn() + Send + 'static) -> Option<Self> {
        None
    }
}

#[cfg(unix)]
mod unix {
    use std::thread::{self, JoinHandle};

    use signal_hook::consts::SIGUSR1;
    use signal_hook::iterator::{Handle, Signals};

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

    /// The signals are answered until this is dropped; after that they are ignored.
    pub(crate) struct StatusSignal {
        handle: Handle,
        answering: Option<JoinHandle<()>>,
    }

    impl StatusSignal {
        /// Calls `answer`, on a thread of its own, for each signal.
        pub(crate) fn answered(answer: impl Fn() + Send + 'static) -> Option<Self> {
            let listen = || {
                let mut signals = Signals::new(SIGNALS)?;
                let handle = signals.handle();
                let answering = thread::Builder::new()
                    .name("status-request".into())
                    .spawn(move || signals.forever().for_each(|_| answer()))?;
                std::io::Result::Ok(Self { handle, answering: Some(answering) })
            };
            listen().inspect_err(|error| warn(format_args!("SIGUSR1 will not be answered: {error}"))).ok()
        }
    }

    impl Drop for StatusSignal {
        fn drop(&mut self) {
            self.handle.close();
            if let Some(answering) = self.answering.take() {
                let _ = answering.join();
            }
        }
    }
}
