//! Reads profiles from files and from `http://` URLs, such as those of `sweep --http`.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use pprof_views::Profile;

use super::error::Error;

/// The time for a connection to the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time that the server may send nothing. A server with Go's routes answers when the profile is
/// done, after 30 s by default and 300 s at most.
const READ_TIMEOUT: Duration = Duration::from_secs(360);
/// The maximum size of a response. It is more than that of an uncompressed profile.
const MAX_BYTES: u64 = 33 << 20;

/// Reads a profile from a file or a URL.
///
/// # Errors
///
/// Returns an error if the profile cannot be read, or if the URL is not supported.
pub(crate) fn read_profile(source: &Path) -> Result<Profile, Error> {
    let cannot_read = |error: &dyn std::fmt::Display| {
        Error::file(format_args!("cannot read the profile '{}': {error}", source.display()))
    };
    let Some((scheme, rest)) = source.to_str().and_then(|text| text.split_once("://")) else {
        return Profile::read(source).map_err(|error| cannot_read(&error));
    };
    if !scheme.eq_ignore_ascii_case("http") {
        let url = source.display();
        return Err(Error::usage(format_args!(
            "profile '{url}': {scheme} is not supported; download it first: curl -o profile.pb.gz '{url}'"
        )));
    }
    let url = Url::parse(rest)
        .map_err(|error| Error::usage(format_args!("profile '{}': {error}", source.display())))?;
    let body = url.get().map_err(|error| cannot_read(&error))?;
    Profile::from_bytes(&body).map_err(|error| cannot_read(&error))
}

/// The parts of a URL after `http://`.
#[derive(Debug, PartialEq)]
struct Url<'u> {
    /// The host, with brackets if it is an IPv6 address, and the port if there is one.
    authority: &'u str,
    host: &'u str,
    port: u16,
    /// The path and the query.
    target: String,
}

impl<'u> Url<'u> {
    fn parse(rest: &'u str) -> Result<Self, &'static str> {
        let rest = rest.split('#').next().unwrap_or_default();
        let (authority, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("invalid URL (a space or a character outside ASCII); write it in percent-encoding");
        }
        if authority.contains('@') {
            return Err("a user name in a URL is not supported; download the profile first");
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = port.map_or(Ok(80), str::parse);
        match port {
            Ok(port) if !host.is_empty() => {
                let slash = if target.starts_with('/') { "" } else { "/" };
                Ok(Self { authority, host, port, target: format!("{slash}{target}") })
            }
            _ => Err("invalid URL; expected http://HOST:PORT/PATH"),
        }
    }

    /// Requests the URL and returns the body of the response.
    ///
    /// HTTP/1.0 is enough to download a file: the body ends with the connection, and there are no
    /// chunks. A library would add a second HTTP client to the dependencies.
    fn get(&self) -> Result<Vec<u8>, String> {
        let mut stream = self.connect().map_err(|error| {
            format!("cannot connect to {} ({error}); check that the server is running", self.authority)
        })?;
        let mut response = vec![];
        let mut exchange = || -> io::Result<()> {
            stream.set_read_timeout(Some(READ_TIMEOUT))?;
            let Self { authority, target, .. } = self;
            write!(stream, "GET {target} HTTP/1.0\r\nHost: {authority}\r\nAccept: */*\r\n\r\n")?;
            (&stream).take(MAX_BYTES + 1).read_to_end(&mut response)?;
            Ok(())
        };
        exchange().map_err(|error| format!("the connection failed ({error}); try again"))?;
        if response.len() as u64 > MAX_BYTES {
            return Err(format!("response too large: more than {} MiB", MAX_BYTES >> 20));
        }
        body(&response)
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut result = Err(io::Error::other("the host has no address"));
        for address in (self.host, self.port).to_socket_addrs()? {
            result = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT);
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

/// Returns the body of a response, if it has the status 200 and is complete.
fn body(response: &[u8]) -> Result<Vec<u8>, String> {
    let not_http = || "the server does not speak HTTP; check the port".to_owned();
    let end = response.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(not_http)?;
    let (head, body) = (String::from_utf8_lossy(&response[..end]), &response[end + 4..]);
    let (status, headers) = head.split_once("\r\n").unwrap_or((&head, ""));
    let code = status.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..)).ok_or_else(not_http)?;
    let header = |name: &str| {
        let mut pairs = headers.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    if !code.starts_with("200") {
        let reason = header("location")
            .map(|to| format!("moved to {to}"))
            .unwrap_or_else(|| String::from_utf8_lossy(body).lines().next().unwrap_or_default().to_owned());
        let text = format!("the server answered {code} ({reason})");
        return Err(text.replace(char::is_control, "\u{fffd}"));
    }
    match header("content-length").map(str::parse::<usize>) {
        Some(Ok(length)) if body.len() < length => {
            Err(format!("the connection ended early ({} of {length} bytes); try again", body.len()))
        }
        _ => Ok(body.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_split_into_host_port_and_target() {
        let parts = |text| Url::parse(text).map(|url| (url.host, url.port, url.target));
        assert_eq!(parts("localhost:8080/a?b=1#c"), Ok(("localhost", 8080, "/a?b=1".into())));
        assert_eq!(parts("[::1]:8080/a"), Ok(("::1", 8080, "/a".into())));
        assert_eq!(parts("[::1]/a"), Ok(("::1", 80, "/a".into())));
        assert_eq!(parts("host?b"), Ok(("host", 80, "/?b".into())));
        for wrong in ["", "/path", "host:x/", "host:70000/", "host/a b", "host/\r\nX: y", "me@host/"] {
            assert!(Url::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_a_complete_response_with_status_200_has_a_body() {
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"), Ok(b"ab".to_vec()));
        assert_eq!(body(b"HTTP/1.0 200 OK\r\n\r\nab"), Ok(b"ab".to_vec()));
        for (response, problem) in [
            (&b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"[..], "2 of 3 bytes"),
            (
                b"HTTP/1.1 503 Service Unavailable\r\n\r\nbusy\x1b\nmore",
                "503 Service Unavailable (busy\u{fffd})",
            ),
            (b"HTTP/1.1 301 Moved\r\nLocation: http://x/\r\n\r\n", "moved to http://x/"),
            (b"SSH-2.0-OpenSSH\r\n\r\n", "does not speak HTTP"),
            (b"", "does not speak HTTP"),
        ] {
            let error = body(response).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
    }
}
