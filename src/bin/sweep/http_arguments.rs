//! `--http`: shows a running sweep to browsers, Prometheus and pprof. It needs the feature `http`.

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
        /// Show the running sweep at http://ADDR/
        ///
        /// Show the running sweep at http://ADDR/ (HOST:PORT, or PORT for this machine alone): a page, status.json,
        /// metrics for Prometheus, profiles for pprof
        #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
        http: Option<Address>,
    }

    /// Serves until it is dropped.
    pub(crate) type Serving = Option<Server>;

    impl HttpArguments {
        /// Starts the server if that was asked for, and prints its address.
        ///
        /// # Errors
        ///
        /// If it cannot listen on that address.
        pub(crate) fn serve(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Serving, Error> {
            let Some(asked) = &self.http else { return Ok(None) };
            let server = Server::start(asked, Arc::clone(watch)).map_err(|error| {
                Error::file(format_args!(
                    "cannot listen on {asked} ({error}): choose a free port and a host of this machine"
                ))
            })?;
            let address = server.address();
            if !quiet {
                if !address.ip().to_canonical().is_loopback() {
                    warn(format_args!(
                        "--http {asked}: anybody who reaches this machine can watch and profile the sweep; for this \
                         machine alone: --http {}",
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
        /// Not in this build: build it with --features http
        #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
        http: Option<String>,
    }

    /// No server.
    pub(crate) struct Serving;

    impl HttpArguments {
        /// Refuses the option.
        pub(crate) fn serve(&self, _watch: &Arc<Watch>, _quiet: bool) -> Result<Serving, Error> {
            match self.http {
                None => Ok(Serving),
                Some(_) => Err(Error::usage("this build has no --http: build it with --features http")),
            }
        }
    }
}
