//! The handler of Ctrl-C (SIGINT) and SIGTERM.

use std::process::exit;

use super::console::{note, warn};
use super::exit_code::ExitCode;

/// Installs a handler: the first signal calls `stop`, so that the command ends with a report, and
/// the second one ends the program at once. Prints what happens unless `quiet`.
pub(crate) fn on_interrupt(quiet: bool, stop: impl Fn() + Send + 'static) {
    let mut is_stopping = false;
    let handler = ctrlc::set_handler(move || {
        if is_stopping {
            #[cfg(unix)]
            varint_sweep::kill_children();
            exit(ExitCode::Interrupted.into());
        }
        is_stopping = true;
        stop();
        if !quiet {
            note("interrupted: finishing the calls under way; interrupt again to end without a report");
        }
    });
    if let Err(error) = handler {
        warn(format_args!("cannot handle Ctrl-C ({error}); it will end the program without a report"));
    }
}
