//! What a long sweep tells those who watch it: the live line, the status file, and a line on request.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use varint_sweep::{Aside, ProgressLine, StatusFile, Watch, line};

use super::arguments::WATCHING;
use super::console::{FILE, note, warn};
use super::http::{HttpArguments, Serving};
use super::status_request::StatusRequest;

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

/// All that goes on beside a sweep, until it is dropped.
pub(crate) struct Watching {
    _http: Serving,
    _status: Option<StatusFile>,
    _request: Option<StatusRequest>,
    _progress: Option<ProgressLine>,
}

impl WatchArguments {
    /// Begins to tell, before the sweep begins: what cannot be written is known at once.
    /// Else the exit code and what to say.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Watching, (u8, String)> {
        let http = self.http.serve(watch, quiet)?;
        let progress = (!quiet && !self.no_progress).then(|| ProgressLine::of(Arc::clone(watch)));
        let aside = progress.as_ref().map(ProgressLine::aside);
        let request = StatusRequest::answered({
            let (watch, aside) = (Arc::clone(watch), aside.clone());
            move || beside(aside.as_ref(), || note(line(&watch)))
        });
        let status = match &self.status {
            None => None,
            Some(path) => {
                let tell = move |trouble: &str| beside(aside.as_ref(), || warn(trouble));
                Some(StatusFile::keep(path, Arc::clone(watch), tell).map_err(|message| (FILE, message))?)
            }
        };
        Ok(Watching { _http: http, _status: status, _request: request, _progress: progress })
    }
}

fn beside(aside: Option<&Aside>, write: impl FnOnce()) {
    match aside {
        Some(aside) => aside.say(write),
        None => write(),
    }
}
