//! Exit codes, and what is said on standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use zigzag_varint::sweep::OutputFile;

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
    let _ = writeln!(io::stderr(), "error: {message}"); // nowhere else to tell
    ExitCode::from(code)
}

/// Says what is worth knowing on standard error.
pub(crate) fn warn(message: impl Display) {
    let _ = writeln!(io::stderr(), "warning: {message}"); // nowhere else to tell
}

/// Says what was asked for on standard error.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}"); // nowhere else to tell
}

/// Prints to standard output. A reader that has gone away is no error.
pub(crate) fn print(text: &str, code: ExitCode) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
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
            Json::Stdout => code = print(&content, code),
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
        let _ = io::stderr().write_all(text.as_bytes()); // nowhere else to tell
        code
    } else {
        print(text, code)
    }
}
