//! The routes: paths, methods and answers, and protection against DNS rebinding.
//!
//! A web page on any site can let its own host name resolve to this machine. Its script could then
//! read the answers of this server, which have the same origin. Browsers always send the host name
//! that they requested, so requests with other names are refused.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::HOST;
use hyper::{Method, Request, StatusCode};
use tokio::sync::watch::Receiver;
use tokio::time::timeout;

use crate::http::metrics;
use crate::http::responses::{Answer, found, not_allowed, refused};
use crate::watch::handle::Watch;
use crate::watch::status::Status;

/// The maximum time of a request for the end of the sweep. The client asks again after it.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(60);

/// The state from which requests are answered.
pub(super) struct Site {
    watch: Arc<Watch>,
    hosts: Hosts,
    /// Its sender is dropped when the server ends.
    ended: Receiver<()>,
}

impl Site {
    pub(super) fn new(watch: Arc<Watch>, hosts: Hosts, ended: Receiver<()>) -> Self {
        Self { watch, hosts, ended }
    }

    /// Returns the answer to a request. Its body is not read.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.hosts.allow(&request) {
            let line = "the server is for this machine only; use localhost or 127.0.0.1 with the port";
            return refused(StatusCode::MISDIRECTED_REQUEST, line);
        }
        let query = request.uri().query().unwrap_or_default();
        if (request.uri().path(), query) == ("/status.json", "end") && self.watch.ended().is_none() {
            let _ = timeout(MAX_WAIT, self.ended.clone().changed()).await; // the answer is the same
        }
        match self.page(request.uri().path()) {
            Some(_) if ![Method::GET, Method::HEAD].contains(request.method()) => not_allowed(),
            Some(answer) => answer(self),
            None => refused(StatusCode::NOT_FOUND, "page not found; start at /"),
        }
    }

    /// Returns the function that answers requests for this path.
    fn page(&self, path: &str) -> Option<fn(&Self) -> Answer> {
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

/// The hosts that requests may name.
pub(super) enum Hosts {
    /// Any host: the server is reachable from other machines, under names that it cannot know.
    Any,
    /// This machine only: an IP address, `localhost`, or the host name of the server's address.
    Local(String),
}

impl Hosts {
    /// Returns the hosts for a server that listens on `ip`, which was given as `name`.
    pub(super) fn of(ip: IpAddr, name: &str) -> Self {
        if ip.to_canonical().is_loopback() { Self::Local(name.to_owned()) } else { Self::Any }
    }

    /// Returns whether all hosts that a request names are allowed. Requests without a host are
    /// allowed, because they do not come from a browser.
    pub(super) fn allow<B>(&self, request: &Request<B>) -> bool {
        let Self::Local(name) = self else { return true };
        let is_local = |host: &str| {
            let host = without_port(host);
            let is_ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
            is_ip || host.eq_ignore_ascii_case("localhost") || host.eq_ignore_ascii_case(name)
        };
        let mut headers = request.headers().get_all(HOST).iter();
        headers.all(|host| host.to_str().is_ok_and(is_local))
            && request.uri().authority().is_none_or(|authority| is_local(authority.as_str()))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The colons of an IPv6 address are between brackets.
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(hosts: &Hosts, host: &str) -> bool {
        let request = Request::builder().header(HOST, host).body(()).expect("a request");
        hosts.allow(&request)
    }

    #[test]
    fn local_servers_allow_only_addresses_localhost_and_their_own_name() {
        let local = Hosts::of([127, 0, 0, 1].into(), "box");
        for host in
            ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "10.0.0.9", "[::1]", "[::1]:8080", "box:1"]
        {
            assert!(allows(&local, host), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", ""]
        {
            assert!(!allows(&local, host), "{host}");
        }
        let open = Hosts::of([0, 0, 0, 0].into(), "0.0.0.0");
        assert!(allows(&open, "build-box.example:8080"));
    }
}
