//! The files that the commands write, among them the report as JSON and as JUnit XML.

use std::path::{Path, PathBuf};
use std::{fs, io};

use every_input::OutputFile;
use serde::Serialize;

use super::console::{print, print_error, print_raw, reserve_stdout};
use super::error::Error;

/// A file that the command line names.
pub(crate) struct NamedFile<'a> {
    /// The option or argument that names it.
    option: &'a str,
    path: &'a Path,
    is_output: bool,
}

impl<'a> NamedFile<'a> {
    pub(crate) fn input(option: &'a str, path: &'a Path) -> Self {
        Self { option, path, is_output: false }
    }

    pub(crate) fn output(option: &'a str, path: &'a Path) -> Self {
        Self { option, path, is_output: true }
    }
}

/// Checks that the outputs are different files from each other and from the inputs.
///
/// Symbolic links are followed. Devices and pipes can be named more than once.
pub(crate) fn check_distinct(files: &[NamedFile<'_>]) -> Result<(), Error> {
    let paths: Vec<_> = files.iter().map(resolved).collect();
    for (index, later) in files.iter().enumerate() {
        for (earlier, path) in files[..index].iter().zip(&paths) {
            let is_same = path.is_some() && *path == paths[index];
            if is_same && (earlier.is_output || later.is_output) {
                let (one, two, path) = (earlier.option, later.option, later.path.display());
                return Err(Error::usage(format_args!(
                    "{one} and {two} name the same file '{path}'; name another file for {}",
                    if later.is_output { two } else { one }
                )));
            }
        }
    }
    Ok(())
}

/// Returns the path of a regular file, which may be new, or of standard output, without symbolic links.
fn resolved(file: &NamedFile<'_>) -> Option<PathBuf> {
    let path = file.path;
    if is_standard(path) {
        return file.is_output.then(|| path.to_owned());
    }
    match fs::metadata(path) {
        Ok(found) => fs::canonicalize(path).ok().filter(|_| found.is_file()),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        }
    }
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
    /// Opens the file; `-` is standard output. Error messages use `content_name`, such as "report", for
    /// its content.
    pub(crate) fn open(content_name: &'static str, path: &Path) -> Result<Self, Error> {
        let mut output = Self { content_name, path: path.to_owned(), file: None };
        if is_standard(path) {
            reserve_stdout();
        } else {
            let file = OutputFile::create(path);
            output.file =
                Some(file.map_err(|error| output.error(&error, "name a file in a writable folder"))?);
        }
        Ok(output)
    }

    /// Writes the whole file. If that fails, an existing file is unchanged.
    pub(crate) fn write(mut self, content: &[u8]) -> Result<(), Error> {
        let Some(file) = self.file.take() else { return print_raw(content) };
        file.finish(content).map_err(|error| self.error(&error, "free some space or name another file"))
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
        let text = if self.quiet { Ok(()) } else { print(text).map_err(print_error) };
        json.and(text)
    }
}
