//! Ctrl-C and SIGTERM.

use std::process::exit;

use super::console::{INTERRUPTED, warn};

/// The first calls `stop`, for an end in good order; the second ends the program at once.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let mut again = false;
    let handler = ctrlc::set_handler(move || {
        if again {
            #[cfg(unix)]
            varint_sweep::kill_children();
            exit(INTERRUPTED.into());
        }
        again = true;
        stop();
    });
    if let Err(error) = handler {
        warn(format_args!("Ctrl-C will end the program without a report: {error}"));
    }
}
