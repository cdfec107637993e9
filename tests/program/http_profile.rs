//! `sweep --http`: profiles of a running sweep, with the routes of Go's net/http/pprof. `http.rs` has the
//! addresses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use pprof_views::{Profile, View};

use crate::support::{program, signals};
use crate::waiting::PATIENCE;

/// A running sweep, which is killed when this is dropped.
struct ServedSweep {
    process: Child,
    /// The URL that the program prints. It ends with a slash.
    url: String,
}

impl ServedSweep {
    fn start(arguments: &[&str]) -> Self {
        let mut process = program()
            .args(["--no-progress", "--http", "0"])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = process.stderr.take().expect("standard error is piped");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let url = lines.find_map(|line| line.strip_prefix("watch it at ").map(str::to_owned));
        Self { process, url: url.expect("the URL is printed") }
    }

    /// Interrupts the sweep and returns its exit code.
    fn end(&mut self) -> Option<i32> {
        signals::send("-INT", &self.process);
        self.process.wait().expect("the program exits").code()
    }
}

impl Drop for ServedSweep {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn request(sweep: &ServedSweep, target: &str) -> TcpStream {
    let address = sweep.url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /debug/pprof/{target} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    stream
}

/// Reads the response and returns its head and its body.
fn response(mut stream: TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the end of the head");
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..].to_vec())
}

/// Asserts that a profile contains the sweep. `contains_sweep` takes a profile of the given number
/// of seconds. On a busy machine the sweep may hardly run during a short profile, so that longer
/// ones are tried.
#[track_caller]
fn assert_profiled(contains_sweep: impl FnMut(u64) -> bool) {
    assert!([1, 4, 16, 64].into_iter().any(contains_sweep), "no profile contains the sweep");
}

/// Requests a long profile. Returns the connection that waits for it, and the head of the response
/// to a second request.
fn start_long_profile(sweep: &ServedSweep) -> (TcpStream, String) {
    let long = request(sweep, "profile?seconds=300");
    loop {
        let (head, _) = response(request(sweep, "profile?seconds=1"));
        if head.starts_with("HTTP/1.1 503 ") {
            return (long, head);
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        long.set_nonblocking(true).unwrap();
        if long.peek(&mut [0]).is_ok() {
            return start_long_profile(sweep); // the short profile started first, so that the long one was rejected
        }
        long.set_nonblocking(false).unwrap();
    }
}

#[test]
fn a_profile_contains_the_sweep() {
    let mut sweep = ServedSweep::start(&["--exhaustive"]);
    assert_profiled(|seconds| {
        let (head, body) = response(request(&sweep, &format!("profile?seconds={seconds}")));
        assert!(
            head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: application/octet-stream"),
            "{head}"
        );
        assert!(head.contains("content-disposition: attachment; filename=\"profile\""), "{head}");
        assert!(body.starts_with(b"\x1f\x8b"), "gzip");
        let profile = Profile::from_bytes(&body).unwrap();
        let top = View::new(&profile).node_count(50).sort_by_cum().top();
        !profile.is_empty() && top.contains("every_input::run::worker")
    });
    assert_eq!(sweep.end(), Some(130));
}

#[test]
fn a_second_profile_can_start_once_the_client_of_the_first_has_disconnected() {
    let sweep = ServedSweep::start(&["--exhaustive"]);
    let (first, head) = start_long_profile(&sweep);
    let retry = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).expect(&head);
    assert!((1..=300).contains(&retry.parse::<u64>().unwrap()), "{head}");
    drop(first);
    while response(request(&sweep, "profile?seconds=1")).0.starts_with("HTTP/1.1 503 ") {}
}

#[test]
fn a_profile_is_delivered_if_the_sweep_ends_early() {
    let mut sweep = ServedSweep::start(&["--exhaustive"]);
    let (long, _) = start_long_profile(&sweep);
    assert_eq!(sweep.end(), Some(130));
    let (head, body) = response(long);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(Profile::from_bytes(&body).is_ok());
}

#[test]
fn profiles_are_unavailable_during_cpuprofile() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cpu.pb.gz");
    let mut sweep = ServedSweep::start(&["--exhaustive", "--cpuprofile", file.to_str().unwrap()]);
    let (head, body) = response(request(&sweep, "profile?seconds=1"));
    assert!(
        head.starts_with("HTTP/1.1 503 ") && String::from_utf8_lossy(&body).contains("--cpuprofile"),
        "{head}"
    );
    assert_eq!(sweep.end(), Some(130));
    assert!(Profile::read(&file).is_ok());
}

#[test]
fn go_tool_pprof_reads_a_profile_over_http() {
    let sweep = ServedSweep::start(&["--exhaustive"]);
    let folder = tempfile::tempdir().unwrap();
    assert_profiled(|seconds| {
        let url = format!("{}debug/pprof/profile?seconds={seconds}", sweep.url);
        let mut pprof = Command::new("go");
        // The default timeout is too short to look up the names of functions on a busy machine.
        let timeout = PATIENCE.as_secs().to_string();
        pprof.args(["tool", "pprof", "-timeout", &timeout, "-top", &url]);
        pprof.env("PPROF_TMPDIR", folder.path());
        let Ok(output) = pprof.output() else {
            println!("skipped: Go is not installed");
            return true;
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || stderr.contains("profile is empty"), "{stderr}");
        String::from_utf8_lossy(&output.stdout).contains("sweep::")
    });
}
