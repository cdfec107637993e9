//! What a long sweep tells those who watch it: the live line, the status file, and a line on request.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use zigzag_varint::sweep::{Aside, Progress, StatusFile, Watch, line};

use crate::arguments::WATCHING;
use crate::console::{FILE, note, warn};
use crate::http::{HttpArguments, Serving};
use crate::status_request::StatusRequest;

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
    _progress: Option<Progress>,
}

impl WatchArguments {
    /// Begins to tell, before the sweep begins: what cannot be written is known at once.
    /// Else the exit code and what to say.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Watching, (u8, String)> {
        let http = self.http.serve(watch, quiet)?;
        let progress = (!quiet && !self.no_progress).then(|| Progress::of(Arc::clone(watch)));
        let aside = progress.as_ref().map(Progress::aside);
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
