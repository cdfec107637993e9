//! Profiles of a running sweep over HTTP, as Go's net/http/pprof serves them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use pprof_views::{Profile, View};

use crate::support::served_sweep::ServedSweep;
use crate::waiting::PATIENCE;

fn ask(sweep: &ServedSweep, target: &str) -> TcpStream {
    let address = sweep.url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /debug/pprof/{target} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    stream
}

/// The head and the body.
fn answer(mut stream: TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer");
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..].to_vec())
}

/// The sweep is in a profile of so many seconds, says `is_in`. In a short one it may hardly have run on a busy machine.
#[track_caller]
fn assert_profiled(is_in: impl FnMut(u64) -> bool) {
    assert!([1, 4, 16, 64].into_iter().any(is_in), "the sweep is in a profile that is long enough");
}

/// Has a long profile taken, and gives the connection that waits for it and the head of the answer to a second request.
fn occupied(sweep: &ServedSweep) -> (TcpStream, String) {
    let long = ask(sweep, "profile?seconds=300");
    loop {
        let (head, _) = answer(ask(sweep, "profile?seconds=1"));
        if head.starts_with("HTTP/1.1 503 ") {
            return (long, head);
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        long.set_nonblocking(true).unwrap();
        if long.peek(&mut [0]).is_ok() {
            return occupied(sweep); // the short one came first
        }
        long.set_nonblocking(false).unwrap();
    }
}

#[test]
fn a_profile_is_pprof_s_format_with_the_sweep_in_it_and_a_flamegraph_is_a_picture() {
    let mut sweep = ServedSweep::start(&["--exhaustive"]);
    assert_profiled(|seconds| {
        let (head, body) = answer(ask(&sweep, &format!("profile?seconds={seconds}")));
        assert!(
            head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: application/octet-stream"),
            "{head}"
        );
        assert!(head.contains("content-disposition: attachment; filename=\"profile\""), "{head}");
        assert!(body.starts_with(b"\x1f\x8b"), "gzip");
        let profile = Profile::from_bytes(&body).unwrap();
        let top = View::new(&profile).rows(50).by_cum().top().unwrap();
        !profile.is_empty() && top.contains("varint_sweep::run::worker")
    });
    assert_profiled(|seconds| {
        let (head, body) = answer(ask(&sweep, &format!("flamegraph?seconds={seconds}&hz=50")));
        let body = String::from_utf8(body).unwrap();
        if body.contains("no samples to draw: measure for longer") {
            assert!(head.starts_with("HTTP/1.1 500 "), "{head}");
            return false;
        }
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: image/svg+xml"), "{head}");
        assert!(head.contains("sandbox allow-scripts") && head.contains("default-src 'none'"), "{head}");
        assert!(body.contains("<svg"), "{}", &body[..500]);
        body.contains("varint_sweep::run::worker")
    });
    assert_eq!(sweep.end(), Some(130));
}

#[test]
fn one_profile_at_a_time_and_the_next_when_nobody_waits_for_it_any_more() {
    let sweep = ServedSweep::start(&["--exhaustive"]);
    let (first, head) = occupied(&sweep);
    let retry = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).expect(&head);
    assert!((1..=300).contains(&retry.parse::<u64>().unwrap()), "{head}");
    drop(first);
    while answer(ask(&sweep, "profile?seconds=1")).0.starts_with("HTTP/1.1 503 ") {}
}

#[test]
fn a_profile_that_the_end_of_the_sweep_cuts_short_is_delivered() {
    let mut sweep = ServedSweep::start(&["--exhaustive"]);
    let (long, _) = occupied(&sweep);
    assert_eq!(sweep.end(), Some(130));
    let (head, body) = answer(long);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(Profile::from_bytes(&body).is_ok());
}

#[test]
fn with_cpuprofile_the_place_is_taken_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cpu.pb.gz");
    let mut sweep = ServedSweep::start(&["--exhaustive", "--cpuprofile", file.to_str().unwrap()]);
    let (head, body) = answer(ask(&sweep, "flamegraph?seconds=1"));
    assert!(
        head.starts_with("HTTP/1.1 503 ") && String::from_utf8_lossy(&body).contains("--cpuprofile"),
        "{head}"
    );
    assert_eq!(sweep.end(), Some(130));
    assert!(Profile::read(&file).is_ok());
}

#[test]
fn go_tool_pprof_reads_it_over_the_network() {
    let sweep = ServedSweep::start(&["--exhaustive"]);
    let folder = tempfile::tempdir().unwrap();
    assert_profiled(|seconds| {
        let url = format!("{}debug/pprof/profile?seconds={seconds}", sweep.url);
        let mut pprof = Command::new("go");
        pprof.args(["tool", "pprof", "-top", &url]).env("PPROF_TMPDIR", folder.path());
        let Ok(output) = pprof.output() else {
            println!("skipped: Go is not installed");
            return true;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || said.contains("profile is empty"), "{said}");
        String::from_utf8_lossy(&output.stdout).contains("sweep::")
    });
}
