//! `sweep` with several codecs: compares them.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use varint_sweep::{Comparison, ComparisonReport, ComparisonText, Csv, Integer, Markdown, Sweep, TestSuites};
use zigzag_varint::Integer as VarintInteger;

use super::codec_arguments::CodecArguments;
use super::distinct_files::NamedFile;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_headings::OUTPUT;
use super::interrupt_signal::on_interrupt;
use super::named_output::NamedOutput;
use super::run_arguments::RunArguments;
use super::value_parsers::file_path;

/// The outputs that only a comparison has.
#[derive(Args)]
pub(crate) struct TableArguments {
    /// Write the table of a comparison to FILE as Markdown
    ///
    /// A comparison has several codecs: several --codec, --kernel or --exec.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = OUTPUT, hide_short_help = true)]
    markdown: Option<PathBuf>,
    /// Write the table of a comparison to FILE as CSV
    ///
    /// Rates are values per second. The fields of a codec without a measured speed are empty.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = OUTPUT, hide_short_help = true)]
    csv: Option<PathBuf>,
}

impl TableArguments {
    /// Returns the files that these options name.
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let markdown = self.markdown.iter().map(|path| NamedFile::output("--markdown", path));
        markdown.chain(self.csv.iter().map(|path| NamedFile::output("--csv", path)))
    }

    /// Returns an error if an option is given, for a sweep of one codec.
    pub(crate) fn refuse(&self) -> Result<(), Error> {
        let given = [("--markdown", &self.markdown), ("--csv", &self.csv)];
        match given.into_iter().find(|(_, path)| path.is_some()) {
            Some((option, _)) => Err(Error::usage(format_args!(
                "{option}: only a comparison has a table; add a --codec or --exec to compare with, or use --json"
            ))),
            None => Ok(()),
        }
    }
}

/// Compares codecs on the values of `sweep`. Validates all arguments before the work
/// starts.
pub(crate) fn compare<T: Integer + VarintInteger>(
    sweep: Sweep<T>,
    codecs: &CodecArguments,
    run: &RunArguments,
    tables: &TableArguments,
) -> Result<ExitCode, Error> {
    let codecs = codecs.all::<T>()?;
    let output = run.output.open()?;
    let open =
        |path: &Option<PathBuf>| path.as_deref().map(|path| NamedOutput::open("table", path)).transpose();
    let (markdown, csv) = (open(&tables.markdown)?, open(&tables.csv)?);
    let quiet = run.output.quiet;
    let watch = Arc::new(run.new_watch());
    let stopped = Arc::clone(&watch);
    on_interrupt(quiet, move || stopped.stop());
    let watching = run.watch.begin(&watch, quiet)?;
    let codecs: Vec<_> = codecs.iter().map(|codec| &**codec).collect();
    let compared = Comparison::new(sweep).run_watched(&codecs, &watch);
    drop(watching);
    let report = compared?;
    let suites = report.codecs.iter().map(|codec| codec.report.test_suite()).collect();
    output
        .with_junit(&TestSuites(suites))
        .with_file(markdown, Markdown(&report))
        .with_file(csv, Csv(&report))
        .deliver(&report, &ComparisonText(&report).to_string())?;
    Ok(if watch.is_stopped() { ExitCode::Interrupted } else { exit_code(&report) })
}

fn exit_code(report: &ComparisonReport) -> ExitCode {
    if report.failing_codecs > 0 {
        ExitCode::Failures
    } else if !report.complete {
        ExitCode::Interrupted
    } else {
        ExitCode::Success
    }
}
