//! The options for watching a long sweep: the progress line, the status file and the HTTP server; and the line that
//! SIGUSR1 asks for.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use varint_sweep::{ProgressLine, StatusFile, Suspender, Watch, progress_text};

use super::console::{note, warn};
use super::error::Error;
use super::help_headings::WATCHING;
use super::http_arguments::{HttpArguments, Serving};
use super::status_signal::StatusSignal;

#[derive(Args)]
pub(crate) struct WatchArguments {
    /// Draw no progress line
    #[arg(long, help_heading = WATCHING, hide_short_help = true)]
    no_progress: bool,
    /// Keep a JSON status up to date in FILE, for scripts
    #[arg(long, value_name = "FILE", help_heading = WATCHING)]
    status: Option<PathBuf>,
    #[command(flatten)]
    http: HttpArguments,
}

/// What shows the state of a sweep while it runs, until this is dropped.
pub(crate) struct Watching {
    _http: Serving,
    _status: Option<StatusFile>,
    _signal: Option<StatusSignal>,
    _progress: Option<ProgressLine>,
}

impl WatchArguments {
    /// Starts to show the state, before the sweep starts, so that a file that cannot be written is known at once.
    ///
    /// # Errors
    ///
    /// If the status file cannot be written or the server cannot listen.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Watching, Error> {
        let http = self.http.serve(watch, quiet)?;
        let progress = (!quiet && !self.no_progress).then(|| ProgressLine::of(Arc::clone(watch)));
        let suspender = progress.as_ref().map(ProgressLine::suspender);
        let signal = StatusSignal::answered({
            let (watch, suspender) = (Arc::clone(watch), suspender.clone());
            move || suspended(suspender.as_ref(), || note(progress_text(&watch)))
        });
        let status = match &self.status {
            None => None,
            Some(path) => {
                let tell = move |trouble: &str| suspended(suspender.as_ref(), || warn(trouble));
                Some(StatusFile::keep(path, Arc::clone(watch), tell).map_err(Error::file)?)
            }
        };
        Ok(Watching { _http: http, _status: status, _signal: signal, _progress: progress })
    }
}

fn suspended(suspender: Option<&Suspender>, write: impl FnOnce()) {
    match suspender {
        Some(suspender) => suspender.suspend(write),
        None => write(),
    }
}
