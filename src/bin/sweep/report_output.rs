//! Exit codes, and what is said on standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::AnsiColor;
use serde::Serialize;
use varint_sweep::OutputFile;

/// Failures were found.
pub(crate) const FAILURES: u8 = 1;
/// The arguments make no sense.
pub(crate) const USAGE: u8 = 2;
/// A file cannot be read or written, or belongs to something else.
pub(crate) const FILE: u8 = 3;
/// Ctrl-C or SIGTERM.
pub(crate) const INTERRUPTED: u8 = 130;

/// Says what is wrong on standard error.
pub(crate) fn fail(code: u8, message: impl Display) -> ExitCode {
    say("error:", AnsiColor::Red, message);
    ExitCode::from(code)
}

/// Says what is worth knowing on standard error.
pub(crate) fn warn(message: impl Display) {
    say("warning:", AnsiColor::Yellow, message);
}

fn say(kind: &str, color: AnsiColor, message: impl Display) {
    let style = color.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#} {message}"); // nowhere else to tell
}

/// Says what was asked for on standard error.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}"); // nowhere else to tell
}

/// Prints to standard output. A reader that has gone away is no error.
pub(crate) fn print(text: &str, code: ExitCode) -> ExitCode {
    print_to(anstream::stdout().lock(), text.as_bytes(), code)
}

/// Prints what is not for the eye, just as it is.
pub(crate) fn print_raw(content: &[u8], code: ExitCode) -> ExitCode {
    print_to(io::stdout().lock(), content, code)
}

fn print_to(mut stdout: impl Write, content: &[u8], code: ExitCode) -> ExitCode {
    match stdout.write_all(content).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(FILE, format!("cannot write to standard output: {error}"))
        }
        _ => code,
    }
}

/// Where a report goes as JSON. Opened before the work, so that a bad path is known at once.
pub(crate) enum Json {
    Stdout,
    File(PathBuf, OutputFile),
}

impl Json {
    /// `-` is standard output.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        match OutputFile::create(path) {
            Ok(file) => Ok(Self::File(path.to_owned(), file)),
            Err(error) => Err(format!(
                "cannot write the report to '{}' ({error}): name a file in a folder that you may write to",
                path.display()
            )),
        }
    }
}

/// Writes a report as JSON where that is asked for, and as text: to standard error where JSON has standard output.
/// `code` is the exit code if all goes well.
pub(crate) fn deliver(
    report: &impl Serialize,
    text: &str,
    json: Option<Json>,
    quiet: bool,
    mut code: ExitCode,
) -> ExitCode {
    let to_stderr = matches!(json, Some(Json::Stdout));
    if let Some(json) = json {
        let mut content = match serde_json::to_string_pretty(report) {
            Ok(content) => content,
            Err(error) => return fail(FILE, format!("cannot put the report into JSON: {error}")),
        };
        content.push('\n');
        match json {
            Json::Stdout => code = print_raw(content.as_bytes(), code),
            Json::File(path, file) => {
                if let Err(error) = file.finish(content.as_bytes()) {
                    code = fail(
                        FILE,
                        format!(
                            "cannot write the report to '{}': {error}; free some space or name another file",
                            path.display()
                        ),
                    );
                }
            }
        }
    }
    if quiet {
        code
    } else if to_stderr {
        let _ = anstream::stderr().write_all(colored(text).as_bytes()); // nowhere else to tell
        code
    } else {
        print(&colored(text), code)
    }
}

/// A report with the verdict in colour, which is the last word of its kind: the text of failures comes before it.
fn colored(text: &str) -> String {
    let mut at = 0;
    let mut verdict = None;
    for line in text.split_inclusive('\n') {
        for (word, color) in
            [("OK:", AnsiColor::Green), ("FAILED:", AnsiColor::Red), ("INCOMPLETE:", AnsiColor::Yellow)]
        {
            if line.starts_with(word) {
                verdict = Some((at, word, color.on_default().bold()));
            }
        }
        at += line.len();
    }
    match verdict {
        None => text.to_owned(),
        Some((at, word, style)) => {
            format!("{}{style}{word}{style:#}{}", &text[..at], &text[at + word.len()..])
        }
    }
}
