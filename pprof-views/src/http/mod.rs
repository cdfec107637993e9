//! Profiles of the running process over HTTP, for services: the counterpart of Go's `net/http/pprof`.
//!
//! ```
//! let service: axum::Router = axum::Router::new() // with the routes of the service
//!     .nest_service("/debug/pprof", pprof_views::http::router());
//! ```
//!
//! | path | answer |
//! |---|---|
//! | `/` | an index for browsers |
//! | `/profile` | a CPU profile of the next `seconds` (1 to 600, default 30) with `hz` samples per second of CPU time (1 to 1000, default 99) |
//! | `/heap` | the memory in use, with the feature `heap` and [its allocator](crate::heap) |
//! | `/allocs` | the same profile; views show all allocations since the start of the process |
//! | `/cmdline` | the command line, with a NUL character between two words |
//!
//! Profiles are in pprof's format, compressed with gzip, for `go tool pprof` and others. With `svg`, as in
//! `/profile?seconds=5&svg`, the answer is a flamegraph, and with `debug=1` a table as text.
//!
//! | status | reason |
//! |---|---|
//! | 400 | a number is malformed or out of range; the text has the limits |
//! | 501 | profiles cannot be taken on this system, or the program has no heap profiler |
//! | 503 | another CPU profile is being taken; the header `Retry-After` has the seconds until its end, unless the program itself takes it |
//!
//! A process takes one CPU profile at a time. If the client disconnects, its profile ends.
//!
//! # Security
//!
//! There is no access control. Whoever can reach these paths sees the names of functions and the command
//! line, and can make the process a little slower. Serve them on an address or behind a check that only
//! operators can pass.

use std::env;
use std::fmt::Display;
use std::future::{Future, pending};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{OriginalUri, RawQuery};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, Method, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use humantime::format_rfc3339_seconds;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::capture::heap::profile_by;
use crate::capture::{Capture, CaptureError, DEFAULT_HERTZ, MAX_HERTZ};
use crate::format::Profile;
use crate::views::View;

/// The default number of seconds of a CPU profile, as in Go.
const DEFAULT_SECONDS: u32 = 30;
const MAX_SECONDS: u32 = 600;

/// Returns the routes, which [`nest_service`](Router::nest_service) attaches to those of a service.
///
/// With `nest`, the index would not be found at the path with a slash at its end. The routes need a
/// runtime of tokio with its timer.
pub fn router() -> Router {
    router_until(pending)
}

/// Returns the same routes, for a server that can be shut down: when a future of `end` is ready, the CPU
/// profile under way ends, and its client gets what was sampled until then.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
///
/// use axum::Router;
/// use pprof_views::http::router_until;
///
/// static IS_ENDING: AtomicBool = AtomicBool::new(false); // what ends the server sets it
///
/// /// Also for `axum::serve(listener, routes).with_graceful_shutdown(end())`.
/// async fn end() {
///     while !IS_ENDING.load(Ordering::Relaxed) {
///         tokio::time::sleep(Duration::from_millis(100)).await;
///     }
/// }
///
/// let routes: Router = Router::new().nest_service("/debug/pprof", router_until(end));
/// ```
pub fn router_until<F>(end: impl Fn() -> F + Clone + Send + Sync + 'static) -> Router
where
    F: Future<Output = ()> + Send + 'static,
{
    let cpu = move |method: Method, RawQuery(query): RawQuery| {
        let end = end.clone();
        async move { cpu(method, &query.unwrap_or_default(), end).await }
    };
    Router::new()
        .route("/", get(index))
        .route("/profile", get(cpu))
        .route("/heap", get(|query: RawQuery| heap("heap", "inuse_space", query)))
        .route("/allocs", get(|query: RawQuery| heap("allocs", "alloc_space", query)))
        .route("/cmdline", get(cmdline))
}

async fn index(OriginalUri(uri): OriginalUri) -> Response {
    match uri.path().rsplit('/').next() {
        // The links of the page are relative to a path with a slash at its end.
        Some(last) if !last.is_empty() => Redirect::temporary(&format!("./{last}/")).into_response(),
        _ => answer("text/html; charset=utf-8", include_str!("index.html")),
    }
}

async fn cmdline() -> Response {
    let words: Vec<_> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    answer("text/plain; charset=utf-8", words.join("\0"))
}

/// When the CPU profile under way will end. `None` if there is none of this module.
static UNDER_WAY: Mutex<Option<SystemTime>> = Mutex::new(None);

/// The right to take a CPU profile, which one request has at a time.
struct Turn;

impl Turn {
    /// Returns the time at which the profile under way will end if there is one.
    fn take(duration: Duration) -> Result<Self, SystemTime> {
        let mut under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        match *under_way {
            Some(end) => Err(end),
            None => {
                *under_way = SystemTime::now().checked_add(duration);
                Ok(Self)
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

async fn cpu<F: Future<Output = ()>>(
    method: Method,
    query: &str,
    end: impl Fn() -> F,
) -> Result<Response, Refusal> {
    let invalid = |line| Refusal { status: StatusCode::BAD_REQUEST, line, retry_after: None };
    let seconds = number(query, "seconds", DEFAULT_SECONDS, MAX_SECONDS).map_err(invalid)?;
    let hertz = number(query, "hz", DEFAULT_HERTZ, MAX_HERTZ).map_err(invalid)?;
    let form = Form::of(query);
    if method == Method::HEAD {
        return Ok(form.answer("profile", vec![]));
    }
    let duration = Duration::from_secs(seconds.into());
    let turn = Turn::take(duration).map_err(Refusal::until)?;
    // On a thread that may block, because the first capture reads the unwind tables of the program. If
    // the client disconnects, axum drops this future, and with it the capture.
    let capture = spawn_blocking(move || Capture::start(hertz)).await.map_err(Refusal::failed)??;
    let _ = timeout(duration, end()).await; // either of them ends the profile
    form.encoded("profile", move || {
        let _turn = turn; // until the profile is encoded, even if the client disconnects
        capture.finish()
    })
    .await
}

async fn heap(
    name: &'static str,
    sample_type: &'static str,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let take = move || profile_by(sample_type);
    Form::of(&query.unwrap_or_default()).encoded(name, take).await
}

/// The form of a profile in an answer.
#[derive(Clone, Copy)]
enum Form {
    /// pprof's format, compressed with gzip.
    File,
    Flamegraph,
    Table,
}

impl Form {
    fn of(query: &str) -> Self {
        match (value(query, "svg"), value(query, "debug")) {
            (Some(_), _) => Self::Flamegraph,
            (_, None | Some("" | "0")) => Self::File,
            _ => Self::Table,
        }
    }

    /// Takes a profile and encodes it, on a thread that may block: looking up the names of functions can
    /// take seconds.
    async fn encoded(
        self,
        name: &'static str,
        take: impl FnOnce() -> Result<Profile, CaptureError> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let encode = move || {
            let profile = take()?;
            let view = View::new(&profile);
            match self {
                Self::File => profile.to_gzip().map_err(Refusal::failed),
                Self::Flamegraph => view.flamegraph().map_err(Refusal::failed),
                Self::Table => Ok(view.top().into_bytes()),
            }
        };
        let body = spawn_blocking(encode).await.map_err(Refusal::failed)??;
        Ok(self.answer(name, body))
    }

    fn answer(self, name: &str, body: Vec<u8>) -> Response {
        match self {
            // The header of Go, for browsers.
            Self::File => (
                [(CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))],
                answer("application/octet-stream", body),
            )
                .into_response(),
            Self::Flamegraph => answer("image/svg+xml", body),
            Self::Table => answer("text/plain; charset=utf-8", body),
        }
    }
}

fn answer(content_type: &'static str, body: impl IntoResponse) -> Response {
    let headers =
        [(CONTENT_TYPE, content_type), (X_CONTENT_TYPE_OPTIONS, "nosniff"), (CACHE_CONTROL, "no-store")];
    (headers, body).into_response()
}

/// An answer that says why there is no profile.
struct Refusal {
    status: StatusCode,
    line: String,
    /// The seconds after which another request can succeed.
    retry_after: Option<u64>,
}

impl Refusal {
    fn failed(error: impl Display) -> Self {
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, line: error.to_string(), retry_after: None }
    }

    /// The refusal of a CPU profile while another one is taken, which ends at this time.
    fn until(end: SystemTime) -> Self {
        let left = end.duration_since(SystemTime::now()).map_or(1, |left| left.as_secs() + 1);
        let end = format_rfc3339_seconds(end);
        let line = format!("another CPU profile is being taken until {end}; try again in {left} s");
        Self { status: StatusCode::SERVICE_UNAVAILABLE, line, retry_after: Some(left) }
    }
}

impl From<CaptureError> for Refusal {
    fn from(error: CaptureError) -> Self {
        let status = match error {
            CaptureError::AlreadyRunning => StatusCode::SERVICE_UNAVAILABLE,
            CaptureError::Unsupported | CaptureError::NoHeapProfiler => StatusCode::NOT_IMPLEMENTED,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, line: error.to_string(), retry_after: None }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        // With this header `go tool pprof` prints the text.
        let header = [(HeaderName::from_static("x-go-pprof"), "1")];
        let text = answer("text/plain; charset=utf-8", self.line + "\n");
        let mut response = (self.status, header, text).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Returns the value of a parameter, which is empty if it has none.
fn value<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.find(|&(key, _)| key == name).map(|(_, value)| value)
}

/// Returns a number of the query, or the default. The error names the limits.
fn number(query: &str, name: &str, default: u32, max: u32) -> Result<u32, String> {
    match value(query, name).map(|value| (value, value.parse())) {
        None => Ok(default),
        Some((value, Ok(number))) if (1..=max).contains(&number) && !value.starts_with('+') => Ok(number),
        _ => Err(format!(
            "invalid parameter {name}; write a whole number from 1 to {max}, such as {name}={default}"
        )),
    }
}
