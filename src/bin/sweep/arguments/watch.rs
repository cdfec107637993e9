//! The options for watching a long sweep: the progress line, the status file and the HTTP server.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
#[cfg(feature = "http")]
use every_input::http::Server;
use every_input::{FileError, ProgressLine, StatusFile, Watch};

use super::common::{WATCHING, file_path};
#[cfg(feature = "http")]
use crate::output::console::note;
use crate::output::console::{ProgressLog, set_progress_line, warn};
use crate::output::error::Error;
use crate::output::files::NamedFile;

#[derive(Args)]
pub(crate) struct WatchArguments {
    /// Hide the progress line
    ///
    /// It is also hidden with --quiet. If standard error is not a terminal, it is a line of a log, after
    /// a second and then each time after twice as long.
    #[arg(long, help_heading = WATCHING, hide_short_help = true)]
    no_progress: bool,
    /// Write the status to FILE as JSON, once a second
    ///
    /// FILE is replaced as a whole, so that scripts never read half of it.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = WATCHING)]
    status: Option<PathBuf>,
    /// Serve the state of the running sweep over HTTP
    ///
    /// ADDR is HOST:PORT, or PORT for access from this machine only. Port 0 chooses a free port. It
    /// needs a build with the feature http.
    ///
    /// The server has the JSON of --status at /status.json and metrics for Prometheus at /metrics.
    #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
    http: Option<String>,
}

/// Everything that shows the state of a running sweep. Dropping it stops that.
pub(crate) struct Watching {
    _http: Option<Server>,
    _status: Option<StatusFile>,
    _log: Option<ProgressLog>,
}

impl WatchArguments {
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        self.status.iter().map(|path| NamedFile::output("--status", path))
    }

    /// Starts to show the state. This is called before the sweep starts, so that a file that cannot
    /// be written is reported at once.
    pub(crate) fn begin(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Watching, Error> {
        let http = self.http.as_deref().map(|address| serve(address, watch, quiet)).transpose()?;
        let on_error = |error: &FileError| warn(error);
        let status = self.status.as_deref().map(|path| StatusFile::keep(path, Arc::clone(watch), on_error));
        let status = status.transpose()?;
        let is_shown = !quiet && !self.no_progress;
        let log = (is_shown && !io::stderr().is_terminal()).then(|| ProgressLog::of(watch));
        set_progress_line(is_shown.then(|| ProgressLine::of(Arc::clone(watch))));
        Ok(Watching { _http: http, _status: status, _log: log })
    }
}

/// A server that never runs.
#[cfg(not(feature = "http"))]
struct Server;

#[cfg(not(feature = "http"))]
fn serve(_address: &str, _watch: &Arc<Watch>, _quiet: bool) -> Result<Server, Error> {
    Err(Error::usage("--http: not available in this build; rebuild with --features http"))
}

#[cfg(feature = "http")]
fn serve(requested: &str, watch: &Arc<Watch>, quiet: bool) -> Result<Server, Error> {
    let server = Server::start(requested, Arc::clone(watch)).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => Error::usage(format_args!(
            "--http '{}': {error}; expected HOST:PORT or PORT",
            requested.escape_debug()
        )),
        _ => Error::file(format_args!(
            "--http {requested}: cannot listen ({error}); choose a free port and an address of this machine"
        )),
    })?;
    let address = server.address();
    if !quiet {
        if !address.ip().to_canonical().is_loopback() {
            warn(format_args!(
                "--http {requested}: anyone who can reach this machine can watch the sweep; \
                 use --http {} to allow this machine only",
                address.port()
            ));
        }
        note(format_args!("watch it at http://{address}/status.json"));
    }
    Ok(server)
}

impl Drop for Watching {
    fn drop(&mut self) {
        set_progress_line(None);
    }
}
