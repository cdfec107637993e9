//! A sweep that pauses until it is released and is served over HTTP, and a client that sends
//! arbitrary bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use every_input::http::Server;
use every_input::{Codec, CodecError, Interval, Report, Sweep, Watch, all, codec_from_fns};

use crate::leb128;
use crate::waiting::PATIENCE;

/// The values of the sweep.
pub(crate) const PLAN: Interval = Interval { first: -100_000, last: 3_000_000 };
/// The value at which the sweep pauses, within the last block.
const GATE: i64 = 2_999_000;
/// The value that the decoder gets wrong.
pub(crate) const WRONG: i64 = 1000;

/// A running sweep with a server.
pub(crate) struct HeldSweep {
    pub(crate) address: SocketAddr,
    gate: Arc<AtomicBool>,
    server: Server,
    sweep: JoinHandle<Report>,
}

/// Returns a codec whose decoder is wrong for one value, and whose encoder waits at another value
/// until the gate is open.
fn codec(name: &'static str, gate: Arc<AtomicBool>) -> impl Codec<i64> {
    codec_from_fns(
        name,
        move |value: i64, dst| {
            while value == GATE && !gate.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            leb128::encode(value, dst)
        },
        |src| {
            let (value, len) = leb128::decode::<i64>(src)?;
            if value == WRONG { Err(CodecError::from("not this one")) } else { Ok((value, len)) }
        },
    )
}

impl HeldSweep {
    /// Starts the server and the sweep, and waits until only the last block is left.
    pub(crate) fn start(name: &'static str) -> Self {
        Self::start_watched(name, Watch::new())
    }

    /// Does the same with this watch.
    pub(crate) fn start_watched(name: &'static str, watch: Watch) -> Self {
        let (gate, watch) = (Arc::new(AtomicBool::new(false)), Arc::new(watch));
        let server = Server::start("127.0.0.1:0", Arc::clone(&watch)).expect("a port is free");
        let sweep = thread::spawn({
            let (gate, watch) = (Arc::clone(&gate), Arc::clone(&watch));
            let sweep = Sweep::of(all()).ranges([PLAN]).exhaustive().threads(2);
            move || sweep.run_watched(&codec(name, gate), &watch, None).expect("it can be run")
        });
        while watch.values() < 2_000_000 || watch.failures() == 0 {
            assert!(!sweep.is_finished());
            thread::sleep(Duration::from_millis(5));
        }
        Self { address: server.address(), gate, server, sweep }
    }

    /// Opens the gate, waits for the end of the sweep and asserts that nothing disturbed it.
    pub(crate) fn finish(self) {
        self.gate.store(true, Relaxed);
        let report = self.sweep.join().expect("the sweep does not panic");
        drop(self.server);
        assert_eq!((report.covered, report.failures), (vec![PLAN], 1));
        assert_eq!(report.first_failures[0].value, WRONG.to_string());
    }

    /// Sends these bytes on a new connection and returns it.
    pub(crate) fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time that is not zero");
        let _ = stream.write_all(bytes); // the server may close the connection before the end
        stream
    }

    /// Returns the answer to a request without a body.
    pub(crate) fn request(&self, method: &str, target: &str) -> Answer {
        Answer::read(self.send(format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()))
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.request("GET", target)
    }
}

/// The answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Reads to the end of the connection.
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes); // the connection may be reset after the answer
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Self { code, head, body: bytes[(end + 4).min(bytes.len())..].to_vec() }
    }

    /// Returns the first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
