//! Ctrl-C (SIGINT) and SIGTERM.

use std::process::exit;

use super::console::warn;
use super::exit_code::ExitCode;

/// Makes the first signal call `stop`, so that the work ends with a report, and the second one end the program at once.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let mut again = false;
    let handler = ctrlc::set_handler(move || {
        if again {
            #[cfg(unix)]
            varint_sweep::kill_children();
            exit(ExitCode::Interrupted.into());
        }
        again = true;
        stop();
    });
    if let Err(error) = handler {
        warn(format_args!("Ctrl-C will end the program without a report: {error}"));
    }
}
