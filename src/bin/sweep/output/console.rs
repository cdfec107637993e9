//! Printing to standard output and standard error, around the progress line if there is one.

use std::fmt::Display;
use std::io::{self, Write};
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anstyle::AnsiColor;
use console::{Term, measure_text_width};
use every_input::ProgressLine;

use super::error::Error;

/// By how many columns what continues a line is indented.
const INDENT: usize = 4;

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

/// Prints the text of a report as [`print()`] does. On a terminal, longer lines break at spaces, since the
/// terminal would break them inside of words.
pub(crate) fn print_report(text: &str) -> Result<(), Error> {
    let terminal = if HAS_OUTPUT.load(Relaxed) { Term::stderr() } else { Term::stdout() };
    match terminal.size_checked() {
        Some((_, columns)) => print(&wrapped(text, columns.into())),
        None => print(text),
    }
}

/// Breaks lines of more than this number of columns at spaces. What continues a line is indented further
/// than it. A word that is longer than a line stays whole, so that it can be copied.
fn wrapped(text: &str, columns: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if measure_text_width(line.trim_end_matches('\n')) <= columns {
            wrapped += line;
            continue;
        }
        let content = line.trim_start_matches(' ');
        let start = line.len() - content.len();
        let indent = if start + INDENT < columns / 2 { start + INDENT } else { 0 };
        wrapped += &line[..start];
        let mut used = start; // columns of the current line
        for (at, word) in content.split(' ').enumerate() {
            let width = measure_text_width(word.trim_end_matches('\n'));
            if at > 0 && used + 1 + width > columns {
                wrapped.truncate(wrapped.trim_end_matches(' ').len());
                wrapped += "\n";
                wrapped.extend(iter::repeat_n(' ', indent));
                used = indent;
            } else if at > 0 {
                wrapped += " ";
                used += 1;
            }
            wrapped += word;
            used += width;
        }
    }
    wrapped
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_spaces_and_short_ones_stay() {
        let text = " a  table\n  -5: decode panicked: index out of bounds: the len is 3\n\nOK\n";
        let expected = " a  table\n  -5: decode\n      panicked: index\n      out of bounds:\n      the len is 3\n\nOK\n";
        assert_eq!(wrapped(text, 21), expected);
        assert_eq!(wrapped(text, 80), text);
        assert_eq!(wrapped("  5: 0123456789abcdef no\n", 10), "  5:\n0123456789abcdef\nno\n");
        // Colours take no columns.
        let colored = "\x1b[1;31mFAILED:\x1b[0m 1 failure";
        assert_eq!(wrapped(colored, 17), colored);
        assert_eq!(wrapped(colored, 16), "\x1b[1;31mFAILED:\x1b[0m 1\n    failure");
    }
}
