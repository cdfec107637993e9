//! The routes: paths, methods and answers, and protection against DNS rebinding.
//!
//! A web page on any site can let its own host name resolve to this machine. Its script could then
//! read the answers of this server, which have the same origin. Browsers always send the host name
//! that they requested, so requests with other names are refused.

use std::net::IpAddr;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};

use crate::http::metrics;
use crate::watch::handle::Watch;
use crate::watch::status::Status;

type Answer = Response<Full<Bytes>>;

/// The state from which requests are answered.
pub(super) struct Site {
    watch: Arc<Watch>,
    hosts: Hosts,
}

impl Site {
    pub(super) fn new(watch: Arc<Watch>, hosts: Hosts) -> Self {
        Self { watch, hosts }
    }

    /// Returns the answer to a request. Its body is not read.
    pub(super) fn answer<B>(&self, request: &Request<B>) -> Answer {
        if !self.hosts.allow(request) {
            let line = "the server is for this machine only; use localhost or 127.0.0.1 with the port";
            return refused(StatusCode::MISDIRECTED_REQUEST, line);
        }
        let content: fn(&Watch) -> Answer = match request.uri().path() {
            "/status.json" => |watch| match Status::of(watch).to_json() {
                Ok(json) => answer(StatusCode::OK, "application/json", json),
                Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            "/metrics" => |watch| answer(StatusCode::OK, metrics::CONTENT_TYPE, metrics::metrics(watch)),
            _ => return refused(StatusCode::NOT_FOUND, "not found; ask for /status.json or /metrics"),
        };
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let mut answer = refused(StatusCode::METHOD_NOT_ALLOWED, "method not allowed; use GET or HEAD");
            answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        content(&self.watch)
    }
}

fn refused(code: StatusCode, line: &str) -> Answer {
    answer(code, "text/plain; charset=utf-8", format!("{line}\n"))
}

fn answer(code: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = code;
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
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
