//! The options for watching a long sweep: the progress line, the status file and the server.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use every_input::{FileError, ProgressLine, StatusFile, Watch};

use super::common::{WATCHING, file_path};
use crate::output::console::{set_progress_line, warn};
use crate::output::error::Error;
use crate::output::files::NamedFile;

#[derive(Args)]
pub(crate) struct WatchArguments {
    /// Hide the progress line
    ///
    /// It is also hidden with --quiet. If standard error is not a terminal, the progress is a line of a log
    /// after one second, then at doubling intervals.
    #[arg(long, help_heading = WATCHING, hide_short_help = true)]
    no_progress: bool,
    /// Write the status to FILE as JSON, once a second
    ///
    /// FILE is replaced as a whole, so that scripts never read half of it.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = WATCHING)]
    status: Option<PathBuf>,
    /// Serve the progress on ADDRESS, as PORT for this machine only, or HOST:PORT
    ///
    /// `/` is a page for browsers, `/status.json` the status as with --status, `/metrics` for Prometheus,
    /// and `/debug/pprof/` has profiles of CPU time and memory, for browsers and `go tool pprof`. With port
    /// 0, any free port is chosen and printed. There is no access control.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "ADDRESS", help_heading = WATCHING, hide_short_help = true)]
    http: Option<crate::http::server::Address>,
}

impl WatchArguments {
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        self.status.iter().map(|path| NamedFile::replaced("--status", &**path))
    }

    /// Replaces the status of an earlier run by one that has no report yet.
    pub(crate) fn forget(&self) -> Result<(), Error> {
        let begin = |path| StatusFile::keep(path, Arc::default(), |_| ());
        self.status.as_deref().map(begin).transpose()?;
        Ok(())
    }

    /// Starts the server, if there is one. It shows the sweep with this watch first.
    #[cfg(feature = "http")]
    pub(crate) fn serve(&self, watch: &Arc<Watch>) -> Result<Option<crate::http::server::Server>, Error> {
        self.http.as_ref().map(|address| crate::http::server::Server::start(address, watch)).transpose()
    }

    /// Starts to show the state, until the status file is dropped and the progress line is removed. This
    /// is called before the sweep starts, so that a file that cannot be written is reported at once.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Option<StatusFile>, Error> {
        let on_error = |error: &FileError| warn(error);
        let status = self.status.as_deref().map(|path| StatusFile::keep(path, Arc::clone(watch), on_error));
        let status = status.transpose()?;
        let is_shown = !quiet && !self.no_progress;
        let log = |line: &str| {
            let _ = writeln!(anstream::stderr(), "{line}"); // nowhere to report a failure
        };
        set_progress_line(is_shown.then(|| ProgressLine::or_log(Arc::clone(watch), log)));
        Ok(status)
    }
}
