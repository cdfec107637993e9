//! The files that the commands write, among them the report as JSON and as JUnit XML.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use every_input::{FileIdentity, OutputFile, is_stderr, is_stdout};
use serde::Serialize;

use super::console::{print_error, print_raw, print_report, reserve_stdout};
use super::error::Error;
use super::signals::is_interrupted;

/// A file that the command line names.
pub(crate) struct NamedFile<'a> {
    /// The option or argument that names it.
    option: &'a str,
    path: Cow<'a, Path>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Input,
    Output,
    /// An output that is replaced while the command runs.
    Replaced,
}

impl<'a> NamedFile<'a> {
    pub(crate) fn input(option: &'a str, path: impl Into<Cow<'a, Path>>) -> Self {
        Self { option, path: path.into(), role: Role::Input }
    }

    pub(crate) fn output(option: &'a str, path: &'a Path) -> Self {
        Self { option, path: path.into(), role: Role::Output }
    }

    pub(crate) fn replaced(option: &'a str, path: impl Into<Cow<'a, Path>>) -> Self {
        Self { option, path: path.into(), role: Role::Replaced }
    }

    fn is_output(&self) -> bool {
        self.role != Role::Input
    }

    fn is_stdout(&self) -> bool {
        self.is_output() && names_stdout(&self.path)
    }

    /// Returns the regular file, which may be new.
    fn identity(&self) -> Option<FileIdentity> {
        match (is_standard(&self.path), self.is_output()) {
            (true, true) => FileIdentity::of_stdout(),
            (true, false) => FileIdentity::of_stdin(),
            (false, _) => FileIdentity::of(&self.path),
        }
    }
}

/// Checks that the outputs are different files from each other and from the inputs, by whatever name.
///
/// Devices and pipes can be named more than once, but standard output by one output only.
pub(crate) fn check_distinct(files: &[NamedFile<'_>]) -> Result<(), Error> {
    let all: Vec<_> = files.iter().map(|file| (file, file.identity(), file.is_stdout())).collect();
    for (index, (later, identity, is_stdout)) in all.iter().enumerate() {
        let path = later.path.display();
        if later.role == Role::Replaced && (*is_stdout || is_stderr(&later.path)) {
            let (option, stream) = (later.option, if *is_stdout { "output" } else { "error" });
            return Err(Error::usage(format_args!(
                "{option}: '{path}' is standard {stream}, and the file is replaced while the sweep runs; name another file"
            )));
        }
        for (earlier, earlier_identity, is_earlier_stdout) in &all[..index] {
            let is_same = identity.is_some() && identity == earlier_identity;
            let is_same = is_same || (*is_stdout && *is_earlier_stdout);
            if is_same && (earlier.is_output() || later.is_output()) {
                let (one, two) = (earlier.option, later.option);
                return Err(Error::usage(format_args!(
                    "{one} and {two} name the same file '{path}'; name another file for {}",
                    if later.is_output() { two } else { one }
                )));
            }
        }
    }
    Ok(())
}

/// Returns whether the path of an output is standard output: `-`, or a file that it was redirected to.
pub(crate) fn names_stdout(path: &Path) -> bool {
    is_standard(path) || is_stdout(path)
}

/// Returns whether a path is `-`, which is standard output, or standard input of a command that reads
/// it.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An output file with the name of its content and the path as the user wrote it.
///
/// It is opened before the work starts, so that an invalid path is reported at once. It is written
/// after the work.
pub(crate) struct NamedOutput {
    content_name: &'static str,
    pub(crate) path: PathBuf,
    /// `None` for standard output.
    file: Option<OutputFile>,
}

impl NamedOutput {
    /// Opens the file, which may be standard output. Error messages use `content_name`, such as "report", for
    /// its content.
    pub(crate) fn open(content_name: &'static str, path: &Path) -> Result<Self, Error> {
        let mut output = Self { content_name, path: path.to_owned(), file: None };
        if names_stdout(path) {
            reserve_stdout();
        } else {
            let file = OutputFile::create(path).map(|file| file.stop_waiting_if(is_interrupted));
            output.file =
                Some(file.map_err(|error| output.error(&error, "name a file in a writable folder"))?);
        }
        Ok(output)
    }

    /// Removes an old file, which is of another run.
    pub(crate) fn without_old(mut self) -> Result<Self, Error> {
        let file = self.file.take().map(OutputFile::without_old).transpose();
        self.file = file.map_err(|error| self.error(&error, "name a file in a writable folder"))?;
        Ok(self)
    }

    /// Writes the whole file. If that fails, an existing file is unchanged.
    pub(crate) fn write(mut self, content: &[u8]) -> Result<(), Error> {
        let Some(file) = self.file.take() else { return print_raw(content) };
        file.finish(content).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => self.error(&error, "start a program that reads all of it"),
            _ => self.error(&error, "free some space or name another file"),
        })
    }

    fn error(&self, error: &io::Error, remedy: &str) -> Error {
        let (content_name, path) = (self.content_name, self.path.display());
        Error::file(format_args!("cannot write the {content_name} to '{path}': {error}; {remedy}"))
    }
}

/// The destinations of a report.
pub(crate) struct Destinations {
    pub(crate) json: Option<NamedOutput>,
    pub(crate) junit: Option<NamedOutput>,
    /// Whether the text is left out.
    pub(crate) quiet: bool,
}

impl Destinations {
    /// Writes the JUnit report, if it was asked for. It comes first, so that the others can have its
    /// error.
    pub(crate) fn write_junit(&mut self, junit: &str) -> Result<(), Error> {
        self.junit.take().map_or(Ok(()), |file| file.write(junit.as_bytes()))
    }

    /// Writes the report as JSON, if it was asked for, and prints the text, even if the first fails. The
    /// message about the file is printed before the text, and is no longer in the error.
    pub(crate) fn deliver(self, report: Option<&impl Serialize>, text: &str) -> Result<(), Error> {
        let json = self.json.zip(report).map_or(Ok(()), |(file, report)| {
            serde_json::to_string_pretty(report)
                .map_err(|error| Error::file(format_args!("cannot convert the report to JSON: {error}")))
                .and_then(|json| file.write((json + "\n").as_bytes()))
        });
        let json = json.map_err(print_error);
        let text = if self.quiet { Ok(()) } else { print_report(text).map_err(print_error) };
        json.and(text)
    }
}
