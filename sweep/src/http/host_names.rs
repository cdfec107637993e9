//! Which requests are meant for this server, by the host that they name.
//!
//! A web page from anywhere can have its own name resolved to this machine (DNS rebinding), and its script would then read
//! what is served here as if it were its own. A browser always says which name it asked for.

use std::net::IpAddr;

use hyper::Request;
use hyper::header::HOST;

/// The hosts that requests may name.
pub(super) enum Hosts {
    /// Any: the server can be reached from other machines, under names that it does not know.
    Any,
    /// This machine alone: an IP address, `localhost`, or the name that the server was told to listen on.
    Local(String),
}

impl Hosts {
    /// For a server that listens on `ip`, which it was given as `name`.
    pub(super) fn of(ip: IpAddr, name: &str) -> Self {
        if ip.to_canonical().is_loopback() { Self::Local(name.to_owned()) } else { Self::Any }
    }

    /// Whether the hosts that a request names are all among these. One that names none comes from no browser.
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
        // The colons of an IPv6 address stand in brackets.
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
    fn a_server_for_this_machine_answers_to_addresses_and_its_own_names_alone() {
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
