//! Profiles of a running sweep over HTTP, as Go's net/http/pprof serves them.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

#[path = "common/shown.rs"]
mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use common::Shown;
use zigzag_varint::sweep::profile::{Profile, View};

/// Longer than anything here takes on the slowest machine: only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);

fn ask(sweep: &Shown, target: &str) -> TcpStream {
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

/// Has a long profile taken, and gives the connection that waits for it and the head of the answer to a second request.
fn occupied(sweep: &Shown) -> (TcpStream, String) {
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
    let mut sweep = Shown::start(&["--exhaustive"]);
    let (head, body) = answer(ask(&sweep, "profile?seconds=2"));
    assert!(
        head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: application/octet-stream"),
        "{head}"
    );
    assert!(head.contains("content-disposition: attachment; filename=\"profile\""), "{head}");
    assert!(body.starts_with(b"\x1f\x8b"), "gzip");
    let profile = Profile::from_bytes(&body).unwrap();
    assert!(!profile.is_empty());
    let top = View::new(&profile).rows(50).by_cum().top().unwrap();
    assert!(top.contains("sweep::worker"), "{top}");

    let (head, body) = answer(ask(&sweep, "flamegraph?seconds=1&hz=50"));
    assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: image/svg+xml"), "{head}");
    assert!(head.contains("sandbox allow-scripts") && head.contains("default-src 'none'"), "{head}");
    let picture = String::from_utf8(body).unwrap();
    assert!(picture.contains("<svg") && picture.contains("sweep::worker"), "{}", &picture[..500]);
    assert_eq!(sweep.end(), Some(130));
}

#[test]
fn one_profile_at_a_time_and_the_next_when_nobody_waits_for_it_any_more() {
    let sweep = Shown::start(&["--exhaustive"]);
    let (first, head) = occupied(&sweep);
    let retry = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).expect(&head);
    assert!((1..=300).contains(&retry.parse::<u64>().unwrap()), "{head}");
    drop(first);
    while answer(ask(&sweep, "profile?seconds=1")).0.starts_with("HTTP/1.1 503 ") {}
}

#[test]
fn a_profile_that_the_end_of_the_sweep_cuts_short_is_delivered() {
    let mut sweep = Shown::start(&["--exhaustive"]);
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
    let mut sweep = Shown::start(&["--exhaustive", "--cpuprofile", file.to_str().unwrap()]);
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
    let sweep = Shown::start(&["--exhaustive"]);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("{}debug/pprof/profile?seconds=2", sweep.url);
    let pprof =
        Command::new("go").args(["tool", "pprof", "-top", &url]).env("PPROF_TMPDIR", folder.path()).output();
    match pprof {
        Err(_) => println!("skipped: Go is not installed"),
        Ok(output) => {
            let (top, said) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success() && top.contains("sweep::"), "{top}{said}");
        }
    }
}
