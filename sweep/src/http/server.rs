//! The server: one thread, and limits to whatever comes in.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::http::address::Address;
use crate::http::host_names::Hosts;
use crate::http::profiles::profiler::take;
use crate::http::profiles::query::MOST_SECONDS;
use crate::http::profiles::queue::{Captures, Take};
use crate::http::request_limits::Pace;
use crate::http::routes::Site;
use crate::watch::handle::Watch;

/// Connections at a time; others wait until the system turns them away.
const CONNECTIONS: usize = 128;
/// New connections: so many at once, then one each so long. A connection has one request.
const BURST: u32 = 64;
const PACE: Duration = Duration::from_millis(10);
/// Bytes of a request's head; more is answered with 431.
const HEAD: usize = 16 << 10;
/// Time for a request's head to arrive.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Time for a connection in all, the longest profile included.
const CONNECTION_TIME: Duration = Duration::from_secs(MOST_SECONDS + 60);
/// Time for answers under way when the sweep is over.
const GRACE: Duration = Duration::from_secs(5);

/// Serves what is described at [`http`](crate::http) until it is dropped.
pub struct Server {
    address: SocketAddr,
    captures: Arc<Captures>,
    end: Option<oneshot::Sender<Infallible>>,
    serving: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens there, and answers from now on.
    ///
    /// # Errors
    ///
    /// Where one cannot listen: the port is taken, the host is another machine, ports below 1024 need a privilege.
    pub fn start(address: &Address, watch: Arc<Watch>) -> io::Result<Self> {
        Self::with_profiler(address, watch, take)
    }

    pub(super) fn with_profiler(address: &Address, watch: Arc<Watch>, take: Take) -> io::Result<Self> {
        let listener = TcpListener::bind(&address.resolve()?[..])?;
        listener.set_nonblocking(true)?;
        let name = address.host();
        let address = listener.local_addr()?;
        let hosts = Hosts::of(address.ip(), name);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1) // profiles
            .thread_name("http-profile")
            .build()?;
        let captures = Captures::new(take);
        let site = Arc::new(Site::new(watch, Arc::clone(&captures), hosts));
        let (end, ended) = oneshot::channel();
        let serving = thread::Builder::new().name("http".into()).spawn(move || {
            runtime.block_on(serve(listener, site, ended));
            runtime.shutdown_background();
        })?;
        Ok(Self { address, captures, end: Some(end), serving: Some(serving) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.captures.close();
        self.end.take();
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}

/// Answers requests until `ended`, and those under way then.
async fn serve(listener: TcpListener, site: Arc<Site>, ended: oneshot::Receiver<Infallible>) {
    let graceful = Arc::new(GracefulShutdown::new());
    let noting = tokio::spawn(note(Arc::clone(&site)));
    let accepting = tokio::spawn(accept(listener, site, Arc::clone(&graceful)));
    let _ = ended.await; // an error is the end: the sender was dropped
    accepting.abort();
    noting.abort();
    let _ = accepting.await; // aborted: its share of `graceful` is gone
    if let Some(graceful) = Arc::into_inner(graceful) {
        let _ = timeout(GRACE, graceful.shutdown()).await; // longer nobody waits
    }
}

async fn note(site: Arc<Site>) {
    let mut seconds = interval(Duration::from_secs(1));
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        site.note();
    }
}

async fn accept(listener: TcpListener, site: Arc<Site>, graceful: Arc<GracefulShutdown>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut pace = Pace::new(PACE, BURST, Instant::now());
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            sleep(Duration::from_millis(100)).await; // out of files, for example: later there may be some
            continue;
        };
        let connection = graceful.watch(connection(stream, Arc::clone(&site)));
        tokio::spawn(async move {
            let _ = timeout(CONNECTION_TIME, connection).await; // whatever went wrong is the client's
            drop(place);
        });
        sleep(pace.wait(Instant::now())).await;
    }
}

fn connection(
    stream: TcpStream,
    site: Arc<Site>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(site.answer(&request).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
}
