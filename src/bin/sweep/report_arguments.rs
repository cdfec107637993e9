//! The options of commands that print a report: `--json`, `--junit` and `--quiet`.

use std::path::PathBuf;

use clap::Args;

use super::distinct_files::NamedFile;
use super::error::Error;
use super::help_headings::OUTPUT;
use super::report_output::ReportOutput;
use super::value_parsers::file_path;

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Write the report to FILE as JSON; - is standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Write the result to FILE as JUnit XML, for CI systems
    ///
    /// The test cases of a sample are its boundaries and each encoded length and sign, those of an
    /// exhaustive sweep each encoded length. Another case fails if not all values were checked.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = OUTPUT)]
    junit: Option<PathBuf>,
    /// Print only errors
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

impl ReportArguments {
    /// Returns the files that these options name.
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let json = self.json.iter().map(|path| NamedFile::output("--json", path));
        json.chain(self.junit.iter().map(|path| NamedFile::output("--junit", path)))
    }

    /// Opens the outputs of the report.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be opened for writing.
    pub(crate) fn open(&self) -> Result<ReportOutput, Error> {
        ReportOutput::open("report", self.json.as_deref(), self.quiet)?.open_junit(self.junit.as_deref())
    }
}
