//! `sweep profile URL`, with a server in this process that answers by the path.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use pprof_views::{Profile, View};

use super::profile::synthetic::{small, small_before};
use crate::support::{assert_refused, in_folder, out, sweep};

/// Serves each path with `answer`, as long as this process runs.
fn serve(answer: fn(&str, &mut TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = BufReader::new(stream.try_clone().expect("a second handle")).lines();
            let line = head.next().and_then(Result::ok).unwrap_or_default();
            head.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).for_each(drop);
            answer(line.split(' ').nth(1).unwrap_or_default(), &mut stream);
        }
    });
    address
}

fn send(stream: &mut TcpStream, status: &str, header: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{header}\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)); // a client may be gone
}

/// The answers of a server, of which most are bad.
fn answer(path: &str, stream: &mut TcpStream) {
    let binary = "Content-Type: application/octet-stream";
    let (ok, moved) = ("200 OK", "302 Found");
    match path {
        "/small" => send(stream, ok, binary, &small("/x.rs").bytes()),
        "/before?seconds=1" => send(stream, ok, binary, &small_before("/x.rs").bytes()),
        "/moved/here" => send(stream, moved, "Location: ../small", b""),
        "/moved/there" => send(stream, moved, "Location: /small", b""),
        "/elsewhere" => send(stream, moved, "Location: http://127.0.0.2:1/small", b""),
        "/other-port" => send(stream, moved, "Location: //127.0.0.1:1/small", b""),
        "/secure" => send(stream, moved, "Location: https://127.0.0.1/small", b""),
        "/file" => send(stream, moved, "Location: file:///etc/passwd", b""),
        "/circle" => send(stream, moved, "Location: /circle", b""),
        "/page" => send(stream, ok, "Content-Type: text/html", b"<!doctype html>"),
        "/untyped-page" => send(stream, ok, binary, b"\n <html></html>"),
        "/busy" => {
            send(stream, "503 Service Unavailable", "Retry-After: 9", b"busy \x1b[31muntil noon\nsecret")
        }
        "/damaged" => send(stream, ok, binary, &small("/x.rs").bytes()[..100]),
        "/shortened" => send(stream, ok, "Content-Length: 1000000", &small("/x.rs").bytes()),
        "/no-http" => drop(stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")),
        "/endless" => {
            let part = vec![0x08; 1 << 20];
            send(stream, ok, binary, &part);
            while stream.write_all(&part).is_ok() {}
        }
        _ => send(stream, "404 Not Found", "", b"no such path\n"),
    }
}

#[test]
fn profiles_of_urls_and_files_are_added_up() -> Result<(), Box<dyn Error>> {
    let url = |path: &str| format!("http://{}{path}", serve(answer));
    let path = in_folder();
    let file = path("x.pb");
    fs::write(&file, small("/x.rs").bytes())?;
    let [one, before] =
        [small("/x.rs"), small_before("/x.rs")].map(|it| Profile::from_bytes(&it.bytes()).unwrap());
    let top = |profiles: &[&Profile]| -> Result<String, Box<dyn Error>> {
        let profiles: Vec<_> = profiles.iter().copied().cloned().collect();
        Ok(View::new(&Profile::sum(&profiles)?).top())
    };
    let [small, before_url] = ["/small", "/before?seconds=1"].map(url);
    for (arguments, expected) in [
        (vec![&small[..]], top(&[&one])?),
        (vec![&url("/moved/here")], top(&[&one])?),
        (vec![&url("/moved/there")], top(&[&one])?),
        (vec![&small, &before_url], top(&[&one, &before])?),
        (vec![&file, &before_url, &file], top(&[&one, &before, &one])?),
        (vec![&file, "--diff", &before_url], View::new(&one).diff(&before)?.top()),
    ] {
        let output = sweep(&[&["profile"], &arguments[..]].concat());
        assert_eq!(out(&output), expected, "{arguments:?}: {}", crate::support::err(&output));
    }
    Ok(())
}

#[test]
fn answers_without_a_profile_are_refused_with_the_reason() {
    let address = serve(answer);
    for (path, words) in [
        ("/elsewhere", &["another host", "http://127.0.0.2:1/small"][..]),
        ("/other-port", &["another host", "//127.0.0.1:1/small"]),
        ("/secure", &["https://127.0.0.1/small", "no URL of http"]),
        ("/file", &["file:///etc/passwd", "no URL of http"]),
        ("/circle", &["more than 10 redirects"]),
        ("/page", &["not with a profile", "/debug/pprof/heap"]),
        ("/untyped-page", &["not with a profile"]),
        ("/busy", &["503", "busy \u{fffd}[31muntil noon"]),
        ("/damaged", &["pprof's format"]),
        ("/shortened", &["/shortened"]),
        ("/no-http", &["/no-http"]),
        ("/endless", &["4 MiB", "--max-size", "shorter time"]),
        ("/nothing", &["404", "no such path"]),
    ] {
        let url = format!("http://{address}{path}");
        let output = sweep(&["profile", &url, "--max-size", "4MiB"]);
        let message = crate::support::err(&output);
        assert_eq!(output.status.code(), Some(3), "{path}: {message}");
        for word in words.iter().chain(&["error: cannot fetch the profile", &url[..]]) {
            assert!(message.contains(word), "no {word:?} in {message}");
        }
        assert!(!message.contains("secret") && !message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn urls_that_cannot_be_fetched_are_refused_with_the_remedy() {
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    assert_refused(&["profile", "https://example.org/x"], 2, &["https", "curl -o x.pb.gz"]);
    assert_refused(&["profile", "/x.pb", "--diff", "https://example.org/x"], 2, &["curl -o x.pb.gz"]);
    assert_refused(&["profile", "http://"], 2, &["invalid URL", "http://HOST:PORT/debug/pprof/profile"]);
    for (url, words) in [
        (format!("http://{closed}/"), ["refused", "the port"]),
        ("http://no-such-host.invalid/".to_owned(), ["no-such-host.invalid", "check the name"]),
    ] {
        let message = crate::support::err(&sweep(&["profile", &url]));
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}
