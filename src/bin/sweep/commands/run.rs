//! Runs sweeps and delivers their reports, whatever they check.

use std::path::Path;
use std::sync::Arc;

use every_input::{Check, Checkpoint, FailureList, Report, Space, Sweep, SweepError, Watch};

use crate::arguments::run::RunArguments;
use crate::output::console::{error_message, reserve_stdout, set_progress_line, warn};
use crate::output::error::{Error, ExitCode};
use crate::output::files::{Destinations, names_stdout};
use crate::output::signals::stop_when_interrupted;

const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// The sweep of a codec, a function or a set of decoders.
pub(crate) type Subject<'s> = Box<dyn Fn(&Watch, Option<&mut Checkpoint>) -> Result<Report, SweepError> + 's>;

/// Returns the sweep with a check of something with this name.
pub(crate) fn subject<'s, S: Space>(
    sweep: &'s Sweep<S>,
    name: String,
    check: impl Check<S::Item> + 's,
) -> Subject<'s> {
    Box::new(move |watch, checkpoint| sweep.report_watched(&name, &check, watch, checkpoint))
}

/// Sweeps all subjects, one after the other, and delivers the reports to `outputs`. Opens all other files
/// before the work starts. `replay_command` checks failures again; see [`Watch::replay_command`].
pub(crate) fn run(
    arguments: &RunArguments,
    mut outputs: Destinations,
    replay_command: Option<&str>,
    subjects: &[Subject<'_>],
) -> Result<ExitCode, Error> {
    if arguments.checkpoint.is_some() && subjects.len() > 1 {
        return Err(Error::usage(
            "--checkpoint: not available with several codecs; remove it, or sweep one codec at a time",
        ));
    }
    let checkpoint = arguments.checkpoint.as_deref().map(Checkpoint::open).transpose()?;
    let mut checkpoint =
        checkpoint.map(|new| new.save_every(arguments.checkpoint_every).on_save_error(|error| warn(error)));
    let failures = arguments.failures.as_deref().map(open_list).transpose()?.map(Arc::new);
    let quiet = arguments.output.quiet;
    let watches: Vec<_> =
        subjects.iter().map(|_| new_watch(replay_command, quiet, failures.clone())).collect();
    stop_when_interrupted(&watches);
    #[cfg(feature = "profile")]
    let profile = arguments.profile.start()?;
    #[cfg(feature = "http")]
    let server = watches.first().map(|watch| arguments.watch.serve(watch)).transpose()?.flatten();
    let (mut reports, mut unwritten): (Vec<Report>, Vec<String>) = (vec![], vec![]);
    for (subject, watch) in subjects.iter().zip(&watches) {
        #[cfg(feature = "http")]
        server.iter().for_each(|server| server.show(watch));
        let status = arguments.watch.begin(watch, quiet)?;
        let swept = subject(watch, checkpoint.as_mut());
        set_progress_line(None);
        unwritten.extend(status.and_then(|status| status.finish().err()).map(|error| error.to_string()));
        reports.push(swept?);
    }
    #[cfg(feature = "http")]
    drop(server);

    let mut text = match &reports[..] {
        [report] => format!("{report:#}"),
        several => format!("{:#}", Report::comparison(several)),
    };
    if let Some(path) = &arguments.checkpoint
        && watches.iter().all(|watch| !watch.has_begun())
    {
        let path = path.display();
        text += &format!("\nnothing to do: the checkpoint '{path}' already has the complete sweep\n");
    }
    // If one output fails, the others are still written. Its error is printed before the report.
    let listed = failures.and_then(|list| list.error());
    let listed = listed.map(|error| format!("the list of failures is not complete: {error}"));
    let saved = checkpoint.as_ref().and_then(Checkpoint::save_error).map(ToString::to_string);
    unwritten.extend(listed.into_iter().chain(saved));
    #[cfg(feature = "profile")]
    match profile.map(|profile| profile.finish()).transpose() {
        Ok(tables) => text.extend(tables),
        Err(error) => unwritten.extend(error.message),
    }
    let slow: Vec<_> = reports.iter().map(|report| too_slow(report, arguments.min_rate)).collect();
    for (report, slow) in reports.iter_mut().zip(&slow) {
        report.errors.extend(slow.iter().chain(&unwritten).cloned());
    }
    if let Err(error) = outputs.write_junit(&Report::junit(&reports)) {
        reports.iter_mut().for_each(|report| report.errors.extend(error.message.clone()));
        unwritten.extend(error.message);
    }
    unwritten.iter().for_each(error_message);
    let codes = reports.iter().zip(&slow);
    let codes = codes.map(|(report, slow)| ExitCode::of(report, !unwritten.is_empty(), slow.is_some()));
    let codes: Vec<_> = codes.collect();
    for (report, code) in reports.iter_mut().zip(&codes) {
        report.exit_code = Some(*code as u8);
    }
    match &reports[..] {
        [report] => outputs.deliver(Some(report), &text),
        several => outputs.deliver(Some(&several), &text),
    }?;
    for (slow, code) in slow.iter().zip(&codes) {
        slow.iter().filter(|_| *code == ExitCode::Slow).for_each(error_message);
    }
    Ok(ExitCode::first_of(&codes))
}

/// Opens the list of all failures, which may be standard output.
fn open_list(path: &Path) -> Result<FailureList, Error> {
    if names_stdout(path) {
        reserve_stdout();
        return Ok(FailureList::to_stdout()?);
    }
    Ok(FailureList::open(path)?)
}

/// Returns the watch of a sweep, which prints warnings unless `quiet`, and writes failures to a file.
fn new_watch(replay_command: Option<&str>, quiet: bool, failures: Option<Arc<FailureList>>) -> Arc<Watch> {
    let mut watch = Watch::for_program(PROGRAM);
    if let Some(command) = replay_command {
        watch = watch.replay_command(command);
    }
    if let Some(list) = failures {
        watch = watch.list_failures(list);
    }
    if !quiet {
        watch = watch.on_warning(|warning| warn(warning));
    }
    Arc::new(watch)
}

fn too_slow(report: &Report, min_rate: Option<u64>) -> Option<String> {
    let measured = report.values_per_second;
    let rate = min_rate.filter(|&rate| measured < rate as f64)?;
    Some(format!("--min-rate: {measured:.0} values/s is less than {rate}"))
}
