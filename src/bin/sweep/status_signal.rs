//! SIGUSR1, and SIGINFO (Ctrl-T) on systems that have it: both print the progress of the sweep.
//! Unix only.

#[cfg(unix)]
pub(crate) use unix::StatusSignal;

/// A handler that does nothing, for systems without these signals.
#[cfg(not(unix))]
pub(crate) struct StatusSignal;

#[cfg(not(unix))]
impl StatusSignal {
    pub(crate) fn listen(_on_signal: impl Fn() + Send + 'static) -> Option<Self> {
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

    /// A handler of the signals. They are ignored after it is dropped.
    pub(crate) struct StatusSignal {
        handle: Handle,
        thread: Option<JoinHandle<()>>,
    }

    impl StatusSignal {
        /// Starts a thread that calls `on_signal` for each signal. If that fails, prints a warning
        /// and returns `None`.
        pub(crate) fn listen(on_signal: impl Fn() + Send + 'static) -> Option<Self> {
            let start = || {
                let mut signals = Signals::new(SIGNALS)?;
                let handle = signals.handle();
                let thread = thread::Builder::new()
                    .name("status-request".into())
                    .spawn(move || signals.forever().for_each(|_| on_signal()))?;
                std::io::Result::Ok(Self { handle, thread: Some(thread) })
            };
            let warn_failed = |error: &std::io::Error| {
                warn(format_args!("cannot handle SIGUSR1 ({error}); it will not print the progress"))
            };
            start().inspect_err(warn_failed).ok()
        }
    }

    impl Drop for StatusSignal {
        fn drop(&mut self) {
            self.handle.close();
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }
}
