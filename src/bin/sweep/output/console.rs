//! Printing to standard output and standard error, around the progress line if there is one.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anstyle::AnsiColor;
use every_input::ProgressLine;

use super::error::Error;

/// The progress line, which is hidden while a message is printed.
static PROGRESS: Mutex<Option<ProgressLine>> = Mutex::new(None);

/// Sets the progress line that messages must not corrupt. It is shown until another one is set.
pub(crate) fn set_progress_line(line: Option<ProgressLine>) {
    *PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) = line;
}

/// Whether an output is written to standard output, so that texts go to standard error.
static HAS_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Moves texts to standard error, because an output is written to standard output.
pub(crate) fn reserve_stdout() {
    HAS_OUTPUT.store(true, Relaxed);
}

/// Calls `write` while no progress line is shown.
fn without_progress_line(write: impl FnOnce()) {
    match &*PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(line) => line.suspend(write),
        None => write(),
    }
}

/// Prints the message of an error to standard error, and returns the error without it.
pub(crate) fn print_error(mut error: Error) -> Error {
    error.message.take().into_iter().for_each(error_message);
    error
}

pub(crate) fn error_message(message: impl Display) {
    print_message("error:", AnsiColor::Red, message);
}

pub(crate) fn warn(message: impl Display) {
    print_message("warning:", AnsiColor::Yellow, message);
}

fn print_message(kind: &str, color: AnsiColor, message: impl Display) {
    let style = color.on_default().bold();
    without_progress_line(|| {
        let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#} {message}"); // nowhere to report a failure
    });
}

/// Prints a line that the user asked for to standard error.
pub(crate) fn note(message: impl Display) {
    without_progress_line(|| {
        let _ = writeln!(anstream::stderr(), "{message}"); // nowhere to report a failure
    });
}

/// Prints a text to standard output, or to standard error if an output is written to standard
/// output. A closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    if HAS_OUTPUT.load(Relaxed) {
        let _ = anstream::stderr().write_all(text.as_bytes()); // nowhere to report a failure
        return Ok(());
    }
    write_to(anstream::stdout().lock(), text.as_bytes())
}

/// Prints data to standard output unchanged, including any colour codes. A closed pipe is not an
/// error.
pub(crate) fn print_raw(content: &[u8]) -> Result<(), Error> {
    write_to(io::stdout().lock(), content)
}

/// Prints the help or the version that the command line asks for to standard output. A closed pipe is
/// not an error.
pub(crate) fn print_help(help: &clap::Error) -> Result<(), Error> {
    printed(help.print().and_then(|()| io::stdout().flush()))
}

fn write_to(mut stdout: impl Write, content: &[u8]) -> Result<(), Error> {
    printed(stdout.write_all(content).and_then(|()| stdout.flush()))
}

fn printed(result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::file(format_args!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
