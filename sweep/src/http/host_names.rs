//! Protection against DNS rebinding: checks the host that a request names.
//!
//! A web page on any site can let its own host name resolve to this machine. Its script could then
//! read the answers of this server, which have the same origin. Browsers always send the host name
//! that they requested, so requests with other names are refused.

use std::net::IpAddr;

use hyper::Request;
use hyper::header::HOST;

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
