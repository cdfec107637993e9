//! `--http`: serves the state of a running sweep to browsers, Prometheus and pprof.
//!
//! It needs the feature `http`.

#[cfg(not(feature = "http"))]
pub(crate) use absent::{HttpArguments, Serving};
#[cfg(feature = "http")]
pub(crate) use present::{HttpArguments, Serving};

#[cfg(feature = "http")]
mod present {
    use std::sync::Arc;

    use clap::Args;
    use varint_sweep::Watch;
    use varint_sweep::http::{Address, Server};

    use crate::program::console::{note, warn};
    use crate::program::error::Error;
    use crate::program::help_headings::WATCHING;

    #[derive(Args)]
    pub(crate) struct HttpArguments {
        /// Serve the state of the running sweep at http://ADDR/
        ///
        /// ADDR is HOST:PORT, or PORT for access from this machine only. Port 0 chooses a free
        /// port.
        ///
        /// The server has a page for browsers (/), the state as JSON (/status.json), metrics for
        /// Prometheus (/metrics) and CPU profiles for pprof (/debug/pprof/profile).
        #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
        http: Option<Address>,
    }

    /// The server, which runs until this is dropped.
    pub(crate) type Serving = Option<Server>;

    impl HttpArguments {
        /// Starts the server if the option is given, and prints its address.
        ///
        /// # Errors
        ///
        /// Returns an error if the server cannot listen on the address.
        pub(crate) fn serve(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Serving, Error> {
            let Some(requested) = &self.http else { return Ok(None) };
            let server = Server::start(requested, Arc::clone(watch)).map_err(|error| {
                Error::file(format_args!(
                    "--http {requested}: cannot listen ({error}); choose a free port and an address of this machine"
                ))
            })?;
            let address = server.address();
            if !quiet {
                if !address.ip().to_canonical().is_loopback() {
                    warn(format_args!(
                        "--http {requested}: anyone who can reach this machine can watch and profile the sweep; \
                         use --http {} to allow this machine only",
                        address.port()
                    ));
                }
                note(format_args!("watch it at http://{address}/"));
            }
            Ok(Some(server))
        }
    }
}

#[cfg(not(feature = "http"))]
mod absent {
    use std::sync::Arc;

    use clap::Args;
    use varint_sweep::Watch;

    use crate::program::error::Error;
    use crate::program::help_headings::WATCHING;

    #[derive(Args)]
    pub(crate) struct HttpArguments {
        /// Not available in this build; rebuild with --features http
        #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
        http: Option<String>,
    }

    /// A server that never runs.
    pub(crate) struct Serving;

    impl HttpArguments {
        /// Returns an error if the option is given.
        pub(crate) fn serve(&self, _watch: &Arc<Watch>, _quiet: bool) -> Result<Serving, Error> {
            match self.http {
                None => Ok(Serving),
                Some(_) => {
                    Err(Error::usage("--http: not available in this build; rebuild with --features http"))
                }
            }
        }
    }
}
