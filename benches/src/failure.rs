//! Why a program has nothing to show, its exit code, and printing.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The text says what to do.
#[derive(Debug)]
pub enum Failure {
    /// The arguments name something that is not there. Exit code 2, as for those that cannot be parsed.
    Usage(String),
    /// A file or a folder cannot be read or written. Exit code 3.
    File(String),
}

impl Failure {
    /// A file that cannot be written.
    pub fn cannot_write(path: &Path, error: impl Display) -> Self {
        Self::File(format!("cannot write {}: {error}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::File(text)) = self;
        f.write_str(text)
    }
}

/// Says on standard error why `program` failed, if it did. Its exit code.
pub fn exit_code(program: &str, result: Result<(), Failure>) -> ExitCode {
    let Err(failure) = result else { return ExitCode::SUCCESS };
    eprintln!("{program}: {failure}");
    ExitCode::from(match failure {
        Failure::Usage(_) => 2,
        Failure::File(_) => 3,
    })
}

/// Prints to standard output. A reader that has seen enough and closes the pipe is no error.
///
/// # Errors
///
/// Where standard output cannot be written.
pub fn print(what: &dyn Display) -> Result<(), Failure> {
    match write!(io::stdout().lock(), "{what}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
