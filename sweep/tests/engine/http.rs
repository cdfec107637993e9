//! The HTTP server: its routes, the requests that it refuses, and that clients do not disturb the
//! sweep.

use std::process::Command;
use std::thread;

use every_input::Watch;
use serde_json::Value;

use crate::held_sweep::{Answer, HeldSweep, WRONG};

#[test]
fn every_answer_has_its_content_type_and_cannot_be_embedded_in_a_page() {
    let live = HeldSweep::start("mine");
    for (path, content_type) in [
        ("/status.json", "application/json"),
        ("/metrics", "text/plain; version=0.0.4; charset=utf-8"),
        ("/status.json?any=query", "application/json"),
    ] {
        let answer = live.get(path);
        assert_eq!((answer.code, answer.header("content-type")), (200, Some(content_type)), "{path}");
        assert_eq!(answer.header("content-length"), Some(answer.body.len().to_string().as_str()), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        let head = live.request("HEAD", path);
        assert_eq!((head.code, head.body.len()), (200, 0), "HEAD {path}");
    }
    live.finish();
}

#[test]
fn the_status_agrees_with_the_sweep() {
    let live = HeldSweep::start_watched("mine", Watch::new().replay_command("check 'a<b>' --exhaustive"));
    let status: Value = serde_json::from_slice(&live.get("/status.json").body).unwrap();
    let report = &status["report"];
    assert_eq!(status["replay"], format!("check 'a<b>' --exhaustive {WRONG}..={WRONG}"));
    assert_eq!((&report["ending"], &status["of"]), (&"running".into(), &"3100001".into()));
    assert_eq!((&report["failures"], &report["codec"]), (&"1".into(), &"mine".into()));
    assert_eq!(report["first_failures"][0]["value"], WRONG.to_string());
    let counts = report["by_length"].as_object().unwrap().values();
    let sum: u64 = counts.map(|count| count.as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(report["values"], sum.to_string(), "the sum of the counts");
    let part = status["part"].as_f64().unwrap();
    assert!(part > 0.5 && part < 1.0, "{part}");
    live.finish();
}

#[test]
fn the_metrics_are_in_prometheus_text_format() {
    let live = HeldSweep::start("a \"quoted\" \\ name");
    let text = live.get("/metrics").text();
    let mut described: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let name = rest.split(' ').next().unwrap();
            assert!(!described.contains(&name), "{name} twice");
            described.push(name);
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(Some(&name), described.last(), "the type follows the help");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
        } else {
            let (series, value) = line.rsplit_once(' ').unwrap();
            assert_eq!(Some(&series.split('{').next().unwrap()), described.last(), "{line}");
            assert!(value.parse::<f64>().is_ok(), "{line}");
        }
    }
    assert!(text.ends_with('\n'));
    assert!(text.contains("codec=\"a \\\"quoted\\\" \\\\ name\""), "{text}");
    assert!(
        text.contains("\nsweep_failures_total 1\nsweep") || text.contains("\nsweep_failures_total 1\n#"),
        "{text}"
    );
    assert!(text.contains("\nsweep_values_total{length=\"1\"} 128\n"), "{text}");
    let promtool =
        Command::new("promtool").args(["check", "metrics"]).stdin(std::process::Stdio::piped()).spawn();
    match promtool {
        Ok(mut promtool) => {
            std::io::Write::write_all(&mut promtool.stdin.take().unwrap(), text.as_bytes()).unwrap();
            assert!(promtool.wait().unwrap().success(), "promtool reports an error");
        }
        Err(_) => println!("skipped: promtool is not installed"),
    }
    live.finish();
}

#[test]
fn wrong_paths_and_methods_are_refused_with_the_correct_code() {
    let live = HeldSweep::start("mine");
    for path in ["/", "/nope", "/status.json/", "//", "/../../etc/passwd", "/%2e%2e/"] {
        assert_eq!(live.get(path).code, 404, "{path}");
        assert_eq!(live.request("POST", path).code, 404, "POST {path}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"] {
        for path in ["/status.json", "/metrics"] {
            let answer = live.request(method, path);
            assert_eq!((answer.code, answer.header("allow")), (405, Some("GET, HEAD")), "{method} {path}");
        }
    }
    live.finish();
}

#[test]
fn requests_for_other_host_names_are_refused() {
    let live = HeldSweep::start("mine");
    for (target, host) in [
        ("/status.json", "evil.example"),
        ("/metrics", "localhost\r\nHost: evil.example"),
        ("http://evil.example/metrics", "localhost"),
    ] {
        let answer =
            Answer::read(live.send(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()));
        assert_eq!((answer.code, answer.text().contains("use localhost")), (421, true), "{target} {host}");
    }
    assert_eq!(live.get("/metrics").code, 200);
    live.finish();
}

#[test]
fn hostile_requests_are_refused_and_do_not_disturb_the_sweep() {
    let live = HeldSweep::start("mine");
    let refused = |bytes: &[u8]| Answer::read(live.send(bytes)).code;
    assert_eq!(refused(b"\x00\xff\x16\x03garbage\r\n\r\n"), 400);
    let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "X-Many: header\r\n".repeat(2000));
    assert_eq!(refused(many_headers.as_bytes()), 431);
    let endless_head = vec![b'a'; 4 << 20];
    assert!(matches!(refused(&endless_head), 400 | 414 | 431 | 0), "an answer, or a closed connection");
    let body = b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999\r\n\r\nxxxxxxxx";
    assert_eq!(refused(body), 405, "the body is not read");
    let answer = Answer::read(live.send(b"GET /metrics HTTP/1.1\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n"));
    assert_eq!(
        (answer.code, answer.header("connection")),
        (200, Some("close")),
        "one request per connection"
    );
    live.finish();
}

#[test]
fn many_slow_clients_do_not_block_other_clients() {
    let live = HeldSweep::start("mine");
    // More connections than the limit, each with an incomplete head. Other clients send nothing or
    // never read.
    let slow: Vec<_> =
        (0..150).map(|_| live.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")).collect();
    let silent: Vec<_> = (0..10).map(|_| live.send(b"")).collect();
    let deaf: Vec<_> =
        (0..10).map(|_| live.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")).collect();
    assert_eq!(live.get("/status.json").code, 200);
    for stream in slow {
        assert_eq!(Answer::read(stream).code, 0, "the connection is closed");
    }
    drop((silent, deaf));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(live.get("/metrics").code, 200)));
        }
    });
    live.finish();
}

#[test]
fn the_end_of_the_sweep_does_not_wait_for_idle_clients() {
    let live = HeldSweep::start("mine");
    let idle = live.send(b"");
    let address = live.address;
    live.finish();
    assert!(std::net::TcpStream::connect(address).is_err(), "the server is closed");
    drop(idle);
}
