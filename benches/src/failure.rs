//! Errors of the programs, their exit codes, and printing.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a program failed. The text names the remedy.
#[derive(Debug)]
pub enum Failure {
    /// The arguments name something that does not exist. Exit code 2, as for arguments that cannot
    /// be parsed.
    Usage(String),
    /// A file or a folder cannot be read or written. Exit code 3.
    File(String),
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::File(text)) = self;
        f.write_str(text)
    }
}

/// Prints to standard error why `program` failed, if it did, and returns its exit code.
pub fn exit_code(program: &str, result: Result<(), Failure>) -> ExitCode {
    let Err(failure) = result else { return ExitCode::SUCCESS };
    eprintln!("{program}: {failure}");
    ExitCode::from(match failure {
        Failure::Usage(_) => 2,
        Failure::File(_) => 3,
    })
}

/// Prints to standard output. It is not an error if the reader closes the pipe early.
///
/// # Errors
///
/// Returns a failure if standard output cannot be written.
pub fn print(what: &dyn Display) -> Result<(), Failure> {
    match write!(io::stdout().lock(), "{what}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
