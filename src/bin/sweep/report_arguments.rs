//! The options of commands that print a report: `--json` and `--quiet`.

use std::path::PathBuf;

use clap::Args;

use super::distinct_files::NamedFile;
use super::error::Error;
use super::help_headings::OUTPUT;
use super::report_output::ReportOutput;

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Write the report to FILE as JSON; - is standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Print only errors
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

impl ReportArguments {
    /// Returns the files that these options name.
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        self.json.iter().map(|path| NamedFile::output("--json", path))
    }

    /// Opens the output of the report.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open(&self) -> Result<ReportOutput, Error> {
        ReportOutput::open(self.json.as_deref(), self.quiet)
    }
}
