//! The address on which the server listens, as it is written on the command line.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// A host and a port: `HOST:PORT`, or `:PORT` or `PORT` for this machine only. Port 0 stands for
/// any free port.
///
/// # Examples
///
/// ```
/// use varint_sweep::http::Address;
///
/// assert_eq!("8080".parse::<Address>()?.to_string(), "127.0.0.1:8080");
/// assert_eq!("[::1]:8080".parse::<Address>()?.to_string(), "[::1]:8080");
/// assert!("somewhere".parse::<Address>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

impl Address {
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the addresses of the host.
    pub(super) fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        Ok((self.host.as_str(), self.port).to_socket_addrs()?.collect())
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(host) => host,
            None if host.contains(':') => {
                return Err("IPv6 address without brackets; write it as in [::1]:8080".into());
            }
            None if host.is_empty() => "127.0.0.1",
            None => host,
        };
        match port.parse() {
            Ok(port) if !text.contains('+') => Ok(Self { host: host.to_owned(), port }),
            _ => Err("expected HOST:PORT or PORT, with a port from 0 (any free port) to 65535".into()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_host_is_this_machine() {
        for text in ["8080", ":8080", "127.0.0.1:8080"] {
            assert_eq!(
                text.parse::<Address>().map(|address| address.to_string()),
                Ok("127.0.0.1:8080".into())
            );
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for text in ["", ":", "host", "host:", "host:x", "1:2:3", "::1:80", "70000", "+80", ":-1", "host:+80"]
        {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
