//! The options for watching a long sweep: the progress line, the status file and the HTTP server.
//! The answer to SIGUSR1, which is the progress, is set here too.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use varint_sweep::{ProgressLine, StatusFile, Watch, progress_text};

use super::console::{note, set_progress_line, warn};
use super::distinct_files::NamedFile;
use super::error::Error;
use super::help_headings::WATCHING;
use super::http_arguments::{HttpArguments, Serving};
use super::status_signal::StatusAnswer;

#[derive(Args)]
pub(crate) struct WatchArguments {
    /// Hide the progress line
    ///
    /// It is also hidden if standard error is not a terminal, and with --quiet.
    #[arg(long, help_heading = WATCHING, hide_short_help = true)]
    no_progress: bool,
    /// Write the status to FILE as JSON, once a second
    ///
    /// FILE is replaced as a whole, so that scripts never read half of it.
    #[arg(long, value_name = "FILE", help_heading = WATCHING)]
    status: Option<PathBuf>,
    #[command(flatten)]
    http: HttpArguments,
}

/// Everything that shows the state of a running sweep. Dropping it stops that.
pub(crate) struct Watching {
    _http: Serving,
    _status: Option<StatusFile>,
    _answer: StatusAnswer,
    _progress: Option<ProgressLine>,
}

impl WatchArguments {
    /// Returns the files that these options name.
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        self.status.iter().map(|path| NamedFile::output("--status", path))
    }

    /// Starts to show the state. This is called before the sweep starts, so that a file that cannot
    /// be written is reported at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the status file cannot be written or the server cannot listen.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Watching, Error> {
        let http = self.http.serve(watch, quiet)?;
        let progress = (!quiet && !self.no_progress).then(|| ProgressLine::of(Arc::clone(watch)));
        set_progress_line(progress.as_ref().map(ProgressLine::suspender));
        let answer = StatusAnswer::set({
            let watch = Arc::clone(watch);
            move || note(progress_text(&watch))
        });
        let status = match &self.status {
            None => None,
            Some(path) => {
                let on_error = |error: &str| warn(error);
                Some(StatusFile::keep(path, Arc::clone(watch), on_error).map_err(Error::file)?)
            }
        };
        Ok(Watching { _http: http, _status: status, _answer: answer, _progress: progress })
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        set_progress_line(None);
    }
}
