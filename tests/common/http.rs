//! A client of HTTP for tests: one request for each connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The lines of the head, in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Reads an answer up to its length, or to the end of the connection.
    pub(crate) fn read(stream: TcpStream) -> io::Result<Self> {
        let (mut reader, mut head) = (BufReader::new(stream), String::new());
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let head = head.trim_end().to_lowercase();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let mut body = vec![];
        reader.take(length.unwrap_or(u64::MAX)).read_to_end(&mut body)?;
        Ok(Self { status: status.ok_or(io::ErrorKind::InvalidData)?, head, body })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends a request without reading its answer.
pub(crate) fn send(server: SocketAddr, method: &str, path: &str) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(server)?;
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    Ok(stream)
}
