//! `--http`: a running sweep watched from a browser, by Prometheus and by pprof. In builds with feature `http`.

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

    use crate::program::arguments::WATCHING;
    use crate::program::console::{FILE, note, warn};

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
        /// Begins to serve, if that is asked for, and says where; else the exit code and what to say.
        pub(crate) fn serve(&self, watch: &Arc<Watch>, quiet: bool) -> Result<Serving, (u8, String)> {
            let Some(asked) = &self.http else { return Ok(None) };
            let server = Server::start(asked, Arc::clone(watch)).map_err(|error| {
                (
                    FILE,
                    format!(
                        "cannot listen on {asked} ({error}): choose a free port and a host of this machine"
                    ),
                )
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

    use crate::program::arguments::WATCHING;
    use crate::program::console::USAGE;

    #[derive(Args)]
    pub(crate) struct HttpArguments {
        /// Not in this build: build it with --features http
        #[arg(long, value_name = "ADDR", help_heading = WATCHING)]
        http: Option<String>,
    }

    /// Never served.
    pub(crate) struct Serving;

    impl HttpArguments {
        pub(crate) fn serve(&self, _watch: &Arc<Watch>, _quiet: bool) -> Result<Serving, (u8, String)> {
            match self.http {
                None => Ok(Serving),
                Some(_) => Err((USAGE, "this build has no --http: build it with --features http".into())),
            }
        }
    }
}
