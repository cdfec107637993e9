//! The server of `--http`: one thread, which shows the running sweep to browsers, scripts and Prometheus.
//!
//! Clients may be slow, many or hostile: there are limits on connections, heads and times.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use every_input::Watch;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::routes::{Shown, routes};
use crate::output::console::note;
use crate::output::error::Error;

/// The maximum number of connections at a time. Others wait.
const MAX_CONNECTIONS: usize = 128;
/// The maximum number of bytes of the head of a request.
const MAX_HEAD: usize = 16 << 10;
/// The time for the head of a request, and between two requests of a connection.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The time for a connection: that of the longest profile, and a minute.
const CONNECTION_TIME: Duration = Duration::from_secs(660);
/// The time for the answers that are under way at the end of the sweep.
const GRACE: Duration = Duration::from_secs(5);

/// Where to serve: a name or an address, and a port.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Address {
    host: String,
    port: u16,
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = port.parse().map_err(|_| "expected PORT or HOST:PORT, such as 8080 or 0.0.0.0:8080")?;
        Ok(Self { host: if host.is_empty() { "127.0.0.1" } else { host }.into(), port })
    }
}

/// A server, which runs until it is dropped.
pub(crate) struct Server {
    shown: Arc<Shown>,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(address: &Address, watch: &Arc<Watch>) -> Result<Self, Error> {
        let Address { host, port } = address;
        let failed = |error: io::Error| {
            let remedy = match error.kind() {
                io::ErrorKind::AddrInUse => "choose another port, or 0 for any free one",
                io::ErrorKind::PermissionDenied => "choose a port from 1024",
                _ => "name an address of this machine, such as 127.0.0.1:8080",
            };
            Error::usage(format_args!("--http: cannot serve on '{host}:{port}': {error}; {remedy}"))
        };
        let (listener, local) = bind(host, *port).map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .thread_name("http")
            .max_blocking_threads(4) // each encodes one profile
            .build()
            .map_err(failed)?;
        let shown = Arc::new(Shown { watch: Mutex::new(Arc::clone(watch)), host: host.clone(), local });
        let (end, ended) = watch::channel(false);
        let routes = routes(&shown, ended.clone());
        let work = move || runtime.block_on(serve(listener, routes, ended));
        let thread = thread::Builder::new().name("http".into()).spawn(work).map_err(failed)?;
        note(format_args!("serving the progress on http://{local}/"));
        Ok(Self { shown, end, thread: Some(thread) })
    }

    /// Shows another sweep from now on.
    pub(crate) fn show(&self, watch: &Arc<Watch>) {
        self.shown.set(watch);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.end.send(true); // the thread may have ended
        let _ = self.thread.take().map(JoinHandle::join); // it has told of its panic
    }
}

fn bind(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let addresses: Vec<_> = (host, port).to_socket_addrs()?.collect();
    let listener = TcpListener::bind(&addresses[..])?;
    listener.set_nonblocking(true)?;
    let local = listener.local_addr()?;
    Ok((listener, local))
}

async fn serve(listener: TcpListener, routes: Router, mut ended: watch::Receiver<bool>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD);
    loop {
        let accept = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accept => accepted,
            _ = ended.wait_for(|ended| *ended) => break,
        };
        let Ok((stream, _)) = accepted else {
            sleep(Duration::from_millis(100)).await; // such as too many open files
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _ = timeout(CONNECTION_TIME, connection).await; // errors are those of the client
            drop(place);
        });
    }
    drop(listener);
    let _ = timeout(GRACE, connections.shutdown()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_port_or_a_host_with_a_port() {
        let parsed = |text: &str| text.parse::<Address>().map(|Address { host, port }| (host, port));
        let of = |host: &str, port| Ok((host.to_owned(), port));
        assert_eq!(parsed("8080"), of("127.0.0.1", 8080));
        assert_eq!(parsed(":0"), of("127.0.0.1", 0));
        assert_eq!(parsed("0.0.0.0:80"), of("0.0.0.0", 80));
        assert_eq!(parsed("[::1]:80"), of("::1", 80));
        for wrong in ["", "localhost", "host:", "host:65536", "http://host", "host:80/"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
