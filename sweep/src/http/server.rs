//! The server: one thread, with limits on connections and requests.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

use crate::http::routes::{Hosts, Site};
use crate::watch::handle::Watch;

/// The maximum number of concurrent connections. Others wait in the queue of the system.
const MAX_CONNECTIONS: usize = 128;
/// The least time between two new connections. A connection has one request.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(10);
/// The maximum length of a request's head in bytes. A longer one is answered with 431.
const MAX_HEAD: usize = 16 << 10;
/// The time within which the head of a request must arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum time of a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(60);

/// A server with the routes of [`http`](crate::http), which runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server for the watched sweep on `address`, which is `HOST:PORT`, or `:PORT` or `PORT`
    /// for this machine only. Port 0 stands for any free port.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind `InvalidInput` if the address is invalid. Returns others if the
    /// server cannot listen on it, for example because the port is in use, the host is another
    /// machine, or the port is below 1024 and needs a privilege.
    pub fn start(address: &str, watch: Arc<Watch>) -> io::Result<Self> {
        let address = match address.strip_prefix(':').unwrap_or(address) {
            port if port.parse::<u16>().is_ok() => format!("127.0.0.1:{port}"),
            _ => address.to_owned(),
        };
        let listener = TcpListener::bind(&address)?;
        listener.set_nonblocking(true)?;
        let name = address.rsplit_once(':').map_or("", |(name, _)| name);
        let address = listener.local_addr()?;
        let hosts = Hosts::of(address.ip(), name);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (end, ended) = oneshot::channel();
        let site = Arc::new(Site::new(watch, hosts));
        let serving = thread::Builder::new().name("http".into()).spawn(move || {
            runtime.spawn(accept(listener, site));
            let _ = runtime.block_on(ended); // always an error: the end is that the sender is dropped
        })?;
        Ok(Self { address, end: Some(end), serving: Some(serving) })
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end.take();
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}

/// Accepts connections, and answers the request of each.
async fn accept(listener: TcpListener, site: Arc<Site>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            sleep(Duration::from_millis(100)).await; // a shortage of file descriptors may end, for example
            continue;
        };
        let site = Arc::clone(&site);
        let service = service_fn(move |request| {
            let answer = site.answer(&request);
            async move { Ok::<_, Infallible>(answer) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MAX_HEAD)
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let _ = timeout(CONNECTION_TIMEOUT, connection).await; // errors concern this client only
            drop(permit);
        });
        sleep(ACCEPT_INTERVAL).await;
    }
}
