//! The signals: Ctrl-C (SIGINT) and SIGTERM end a command, and SIGXFSZ is an error of the write.

use std::mem;
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Handles the signal of a limited file size from now to the end of the process: the write returns an
/// error then, which names the file. Without a handler, the limit ends the process.
#[cfg(unix)]
pub(crate) fn handle_file_size_signal() {
    // Nobody asks whether the handler was called.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
