//! The routes: paths, methods and answers.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use tokio::sync::watch::Receiver;
use tokio::time::timeout;

use crate::http::host_names::Hosts;
use crate::http::metrics;
use crate::http::profiles::Profiles;
use crate::http::responses::{Answer, found, not_allowed, refused};
use crate::watch::handle::Watch;
use crate::watch::status::Status;

/// The maximum time of a request for the end of the sweep. The client asks again after it.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The state from which requests are answered.
pub(super) struct Site {
    watch: Arc<Watch>,
    profiles: Arc<Profiles>,
    hosts: Hosts,
    /// Its sender is dropped when the server ends.
    ended: Receiver<()>,
}

impl Site {
    pub(super) fn new(watch: Arc<Watch>, profiles: Arc<Profiles>, hosts: Hosts, ended: Receiver<()>) -> Self {
        Self { watch, profiles, hosts, ended }
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
        if (request.uri().path(), query) == ("/status.json", "end") && self.watch.ended().is_none() {
            let _ = timeout(MAX_WAIT, self.ended.clone().changed()).await; // the answer is the same
        }
        match request.uri().path() {
            // Not for HEAD, because taking a profile costs CPU time.
            "/debug/pprof/profile" if !is(&get[..1]) => not_allowed("GET"),
            "/debug/pprof/profile" => self.profiles.answer(query).await,
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
            "/" => |_| found("text/html; charset=utf-8", include_str!("content/page.html")),
            "/live.css" => |_| found("text/css; charset=utf-8", include_str!("content/live.css")),
            "/live.js" => |_| found("text/javascript; charset=utf-8", include_str!("content/live.js")),
            "/icon.svg" => |_| found("image/svg+xml", include_str!("content/icon.svg")),
            "/status.json" => |site| match serde_json::to_vec_pretty(&Status::of(&site.watch)) {
                Ok(mut json) => {
                    json.push(b'\n');
                    found("application/json", json)
                }
                Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            "/metrics" => |site| found(metrics::CONTENT_TYPE, metrics::metrics(&site.watch)),
            _ => return None,
        })
    }
}
