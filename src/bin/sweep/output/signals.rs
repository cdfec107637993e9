//! The signals: Ctrl-C (SIGINT) and SIGTERM end a command, and SIGUSR1, and SIGINFO (Ctrl-T) on
//! systems that have it, ask for its progress. SIGXFSZ is an error of the write.

use std::mem;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use every_input::Watch;

use super::console::{note, warn};
use super::error::ExitCode;

/// Whether a signal has asked for the end, and the sweeps that it stops.
static INTERRUPT: Mutex<(bool, Vec<Arc<Watch>>)> = Mutex::new((false, Vec::new()));

/// Handles interrupts from now on, which is before the children start: the first signal stops the
/// sweeps, so that the command ends with a report, and the second one ends the program at once. Prints
/// what happens unless `quiet`.
pub(crate) fn handle_interrupts(quiet: bool) {
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

/// Whether the progress was asked for and not printed yet.
static IS_ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Handles the signals that ask for the progress, and that of a limited file size, from now to the end
/// of the process. It is called first of all, because they would end the process.
#[cfg(unix)]
pub(crate) fn handle_signals() {
    use signal_hook::consts::{SIGUSR1, SIGXFSZ};

    // With a handler, the write returns an error, which names the file. Nobody asks whether it was
    // called. Without one, the limit ends the process.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());

    #[cfg(not(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    )))]
    let signals = [SIGUSR1];
    #[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd", target_os = "openbsd"))]
    let signals = [SIGUSR1, signal_hook::consts::SIGINFO];
    for signal in signals {
        if let Err(error) = signal_hook::flag::register(signal, Arc::clone(&IS_ASKED)) {
            warn(format_args!("cannot handle SIGUSR1 ({error}); it will not print the progress"));
        }
    }
}

/// Does nothing on systems without these signals.
#[cfg(not(unix))]
pub(crate) fn handle_signals() {}

/// Prints the progress when a signal asks for it, until it is dropped.
pub(crate) struct StatusAnswer(Arc<AtomicBool>);

/// The time after which a log has the first figure.
const FIRST_FIGURE: Duration = Duration::from_millis(800);

impl StatusAnswer {
    /// Answers each request on a thread of its own. In a log, also prints the progress within a second
    /// of the first value, and then each time after twice as long.
    pub(crate) fn set(watch: &Arc<Watch>, is_log: bool) -> Self {
        let watch = Arc::clone(watch);
        let ended = Arc::new(AtomicBool::new(false));
        let is_ended = Arc::clone(&ended);
        let (start, mut next) = (Instant::now(), FIRST_FIGURE);
        let answer_all = move || {
            while !is_ended.load(Relaxed) {
                let is_due = is_log && watch.has_begun() && start.elapsed() >= next;
                if is_due {
                    next *= 2;
                }
                if IS_ASKED.swap(false, Relaxed) || is_due {
                    let title = watch.report().map(|report| report.title() + ": ");
                    note(title.unwrap_or_default() + &watch.progress());
                }
                thread::sleep(Duration::from_millis(100));
            }
        };
        // Without a thread, there are no answers.
        let _ = thread::Builder::new().name("status-request".into()).spawn(answer_all);
        Self(ended)
    }
}

impl Drop for StatusAnswer {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
