//! `sweep` with several codecs: compares them.

use std::sync::Arc;

use varint_sweep::{Codec, Comparison, ComparisonReport, ComparisonText, Integer, Sweep, TestSuites};

use super::error::Error;
use super::exit_code::ExitCode;
use super::interrupt_signal::on_interrupt;
use super::run_arguments::RunArguments;

/// Compares codecs on the values of `sweep`. Validates all arguments before the work
/// starts.
pub(crate) fn compare<T: Integer>(
    sweep: Sweep<T>,
    codecs: &[Box<dyn Codec<T>>],
    run: &RunArguments,
) -> Result<ExitCode, Error> {
    let output = run.output.open()?;
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
    output.with_junit(&TestSuites(suites)).deliver(&report, &ComparisonText(&report).to_string())?;
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
