//! The routes: paths, methods and answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Incoming;
use hyper::header::CONTENT_SECURITY_POLICY;
use hyper::{Method, Request, StatusCode};

use crate::http::content::rate_history::History;
use crate::http::content::{metrics, page};
use crate::http::host_names::Hosts;
use crate::http::profiles::query::Query;
use crate::http::profiles::queue::{Captures, Form};
use crate::http::responses::{
    Answer, SVG_POLICY, TEXT, found, moved, no_profile, not_allowed, profile, refused, with,
};
use crate::watch::handle::Watch;
use crate::watch::status::Status;

const HTML: &str = "text/html; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The state from which requests are answered.
pub(super) struct Site {
    watch: Arc<Watch>,
    captures: Arc<Captures>,
    hosts: Hosts,
    history: Mutex<History>,
}

impl Site {
    pub(super) fn new(watch: Arc<Watch>, captures: Arc<Captures>, hosts: Hosts) -> Self {
        Self { watch, captures, hosts, history: Mutex::new(History::new()) }
    }

    /// Records the progress of the sweep, for the chart of the rate.
    pub(super) fn record(&self) {
        if let (Some((start, _)), None) = (self.watch.start(), self.watch.ended()) {
            self.history().record(start.elapsed(), self.watch.values());
        }
    }

    /// Returns the answer to a request. Its body is not read.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.hosts.allow(&request) {
            let line = "the server is for this machine only; use localhost or 127.0.0.1 with the port";
            return refused(StatusCode::MISDIRECTED_REQUEST, line);
        }
        let query = request.uri().query().unwrap_or_default();
        let is = |methods: &[Method]| methods.contains(request.method());
        let get = [Method::GET, Method::HEAD];
        match request.uri().path() {
            // Not for HEAD, because taking a profile costs CPU time.
            "/debug/pprof/profile" | "/debug/pprof/flamegraph" if !is(&get[..1]) => not_allowed("GET"),
            "/debug/pprof/profile" => self.profile(query, Form::Profile).await,
            "/debug/pprof/flamegraph" => self.profile(query, Form::Flamegraph).await,
            path => match self.fixed(path) {
                Some(_) if !is(&get) => not_allowed("GET, HEAD"),
                Some(answer) => answer(self),
                None => refused(StatusCode::NOT_FOUND, "page not found; start at /"),
            },
        }
    }

    /// Returns the function that answers requests for this path, except for profiles.
    fn fixed(&self, path: &str) -> Option<fn(&Self) -> Answer> {
        Some(match path {
            "/" => |site| {
                let rates = site.history().rates();
                found(HTML, page::progress(&Status::of(&site.watch), &rates).into_string())
            },
            "/live.css" => |_| found("text/css; charset=utf-8", include_str!("content/live.css")),
            "/live.js" => |_| found("text/javascript; charset=utf-8", include_str!("content/live.js")),
            "/icon.svg" => |_| found(SVG, include_str!("content/icon.svg")),
            "/status.json" => |site| match serde_json::to_vec_pretty(&Status::of(&site.watch)) {
                Ok(mut json) => {
                    json.push(b'\n');
                    found("application/json", json)
                }
                Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            "/metrics" => |site| found(metrics::CONTENT_TYPE, metrics::metrics(&site.watch)),
            "/debug/pprof/cmdline" => |_| {
                let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
                found(TEXT, arguments.collect::<Vec<_>>().join("\0"))
            },
            "/debug/pprof" => |_| moved("/debug/pprof/"),
            "/debug/pprof/" => |_| found(HTML, page::profiles().into_string()),
            _ => return None,
        })
    }

    async fn profile(&self, query: &str, form: Form) -> Answer {
        let query = match Query::parse(query) {
            Ok(query) => query,
            Err(line) => return refused(StatusCode::BAD_REQUEST, &line),
        };
        match (self.captures.capture(query, form).await, form) {
            (Ok(compressed), Form::Profile) => profile(compressed),
            (Ok(svg), Form::Flamegraph) => with(found(SVG, svg), CONTENT_SECURITY_POLICY, SVG_POLICY),
            (Err(refusal), _) => no_profile(&refusal),
        }
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
