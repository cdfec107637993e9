//! `sweep --http`: the page, the status, metrics and profiles of a running sweep, and bad clients.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use pprof_views::{Profile, View};
use serde_json::{Value, json};

use crate::client::{Answer, send};
use crate::support::{assert_refused, document, err, program, signals};
use crate::waiting::{PATIENCE, wait_for};

fn get(server: SocketAddr, path: &str) -> io::Result<Answer> {
    Answer::read(send(server, "GET", path)?)
}

/// A sweep of all `i64`, which runs until it is stopped, and the address at which it is shown.
struct Sweep {
    child: Child,
    address: SocketAddr,
}

impl Sweep {
    fn start(arguments: &[&str]) -> Self {
        let mut command = program();
        // The limit ends a sweep that a failing test leaves behind.
        command.args(["--exhaustive", "--time-limit", "10m", "--no-progress", "--http", "0"]).args(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        // Byte by byte, so that the rest remains for the output.
        let (mut line, stderr) = (String::new(), child.stderr.as_mut().expect("a pipe"));
        while !line.ends_with("/\n") {
            let mut byte = [0];
            stderr.read_exact(&mut byte).expect("a line with the address");
            line.push(byte[0].into());
        }
        let (_, address) = line.trim_end().rsplit_once("http://").expect("an address");
        Self { address: address.trim_end_matches('/').parse().expect("an address"), child }
    }

    fn status(&self) -> Value {
        document(&get(self.address, "/status.json").expect("an answer").body)
    }

    /// Interrupts the sweep, whose output must be that of an interrupted one.
    fn stop(self) -> Output {
        signals::send("-INT", &self.child);
        let output = self.child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(130), "{}", err(&output));
        output
    }
}

#[test]
fn a_running_sweep_is_shown() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&["--codec", "article2015", "--max-failures", "0"]);
    let status = wait_for(|| Some(sweep.status()).filter(|it| it["report"]["failures"].as_str() > Some("0")));
    assert_eq!(
        (&status["report"]["codec"], &status["pid"]),
        (&"article2015".into(), &sweep.child.id().into())
    );
    if cfg!(target_os = "linux") {
        let names = status["threads"].as_array().expect("threads").iter().map(|it| it["name"].as_str());
        let names: Vec<_> = names.flatten().collect();
        assert!(names.contains(&"sweep-1") && names.contains(&"main"), "{names:?}");
    }
    let metrics = get(sweep.address, "/metrics")?;
    assert!(metrics.head.contains("content-type: text/plain; version=0.0.4"), "{}", metrics.head);
    let text = metrics.text();
    let value = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        line.trim().parse().expect("a number")
    };
    assert_eq!(value("sweep_running "), 1.0);
    assert_eq!(value("sweep_planned_values "), 2f64.powi(64));
    assert_eq!(value("sweep_info{type=\"i64\",codec=\"article2015\"} "), 1.0);
    assert!(value("sweep_values_total ") > 0.0 && value("sweep_failures_total ") > 0.0, "{text}");
    // Each name has its help and type before it, once.
    for name in
        text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split([' ', '{']).next())
    {
        for kind in ["HELP", "TYPE"] {
            assert_eq!(text.matches(&format!("# {kind} {name} ")).count(), 1, "{text}");
        }
    }
    let page = get(sweep.address, "/")?;
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    let page = page.text();
    for link in ["href=\"", "src=\"", "get(\""].iter().flat_map(|start| page.split(start).skip(1)) {
        let link = link.split('"').next().expect("an end").split('?').next().expect("a path");
        assert!(!link.contains("//"), "another host in {link}");
        if !link.starts_with("data:") {
            let path = format!("/{}", link.replace("&amp;", "&"));
            assert_eq!(Answer::read(send(sweep.address, "HEAD", &path)?)?.status, 200, "{path}");
        }
    }
    sweep.stop();
    Ok(())
}

#[test]
fn profiles_have_the_functions_of_the_sweep() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&[]);
    let heap = Profile::from_bytes(&get(sweep.address, "/debug/pprof/heap")?.body)?;
    assert!(View::new(&heap).sample_index("inuse_space").is_ok());
    for seconds in [1, 4, 16, 64] {
        let cpu = Profile::from_bytes(
            &get(sweep.address, &format!("/debug/pprof/profile?seconds={seconds}"))?.body,
        )?;
        if cpu.total(0) >= 50 {
            let top = View::new(&cpu).sort_by_cum().top();
            assert!(top.contains("every_input::") && top.contains("File: sweep"), "{top}");
            sweep.stop();
            return Ok(());
        }
    }
    panic!("too few samples");
}

#[test]
fn the_end_of_the_sweep_is_told_and_ends_a_profile() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&[]);
    let address = sweep.address;
    let last = send(address, "GET", "/status.json?end")?;
    let profile = send(address, "GET", "/debug/pprof/profile?seconds=600")?;
    wait_for(|| (get(address, "/debug/pprof/profile?seconds=1").ok()?.status == 503).then_some(()));
    sweep.stop();
    let last = document(&Answer::read(last)?.body);
    assert_eq!(last["report"]["ending"], "interrupted");
    Profile::from_bytes(&Answer::read(profile)?.body)?;
    assert!(get(address, "/").is_err(), "the server has ended");
    Ok(())
}

#[test]
fn a_profile_beside_cpuprofile_is_refused() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("x.pb.gz");
    let sweep = Sweep::start(&["--cpuprofile", file.to_str().expect("UTF-8")]);
    let answer = get(sweep.address, "/debug/pprof/profile?seconds=1")?;
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("another profile is being taken"), "{}", answer.text());
    sweep.stop();
    Profile::read(&file)?;
    Ok(())
}

#[test]
fn foreign_hosts_methods_and_paths_are_refused() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&[]);
    for (host, status) in
        [("evil.example", 421), ("evil.example:80", 421), ("127.0.0.1", 200), ("LOCALHOST:9", 200)]
    {
        for path in ["/", "/status.json", "/metrics", "/debug/pprof/cmdline"] {
            let mut stream = TcpStream::connect(sweep.address)?;
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
            assert_eq!(Answer::read(stream)?.status, status, "{host}{path}");
        }
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "NONSENSE"] {
        assert_eq!(Answer::read(send(sweep.address, method, "/status.json")?)?.status, 405, "{method}");
    }
    for path in
        ["/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/status.json/..", "//", "/debug/pprof/../../x"]
    {
        assert_eq!(get(sweep.address, path)?.status, 404, "{path}");
    }
    sweep.stop();
    Ok(())
}

/// Sends bytes, and returns what comes back until the server closes the connection.
fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let _ = stream.write_all(bytes); // the server may close the connection before
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn malformed_and_huge_requests_do_not_disturb_others() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&[]);
    let pipelined = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = pipelined.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let answers = raw(sweep.address, (pipelined.repeat(4) + &last).as_bytes());
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 5, "{answers}");
    let huge = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(!raw(sweep.address, huge.as_bytes()).contains(" 200 "), "a head of a megabyte");
    let path = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(1 << 20));
    assert!(!raw(sweep.address, path.as_bytes()).contains(" 200 "), "a path of a megabyte");
    for bytes in [&b"\0\0\0\0\r\n\r\n"[..], b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\0\x01", b"GET", b""]
    {
        raw(sweep.address, bytes);
    }
    assert_eq!(get(sweep.address, "/status.json")?.status, 200);
    let values = |status: &Value| status["report"]["values"].as_str().and_then(|it| it.parse::<u128>().ok());
    let before = values(&sweep.status());
    wait_for(|| (values(&sweep.status()) > before).then_some(()));
    sweep.stop();
    Ok(())
}

/// More connections than the server serves at a time, which send half a head and wait.
#[test]
fn a_thousand_silent_connections_do_not_stop_the_sweep_or_the_server() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::start(&[]);
    let mut silent = vec![];
    for _ in 0..1000 {
        let stream = TcpStream::connect_timeout(&sweep.address, Duration::from_millis(50));
        let Ok(mut stream) = stream else { break }; // the queue of the system is full
        if stream.write_all(b"GET / HT").is_err() {
            break;
        }
        silent.push(stream);
    }
    assert!(silent.len() > 128, "{} connections", silent.len());
    wait_for(|| get(sweep.address, "/metrics").ok().filter(|answer| answer.status == 200));
    sweep.stop();
    Ok(())
}

#[test]
fn addresses_that_cannot_be_served_on_are_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    assert_refused(&["--http", &port], 2, &["--http", &port, "in use", "another port"]);
    assert_refused(
        &["--http", "no-such-host.invalid:80"],
        2,
        &["no-such-host.invalid:80", "an address of this machine"],
    );
    assert_refused(&["--http", "192.0.2.1:80"], 2, &["192.0.2.1:80", "an address of this machine"]);
    assert_refused(&["--http", "localhost"], 2, &["localhost", "expected PORT or HOST:PORT"]);
}

/// Chromium, which ChromeDriver drives over HTTP as WebDriver defines it.
struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Returns `None` if there is no ChromeDriver.
    fn open() -> io::Result<Option<Self>> {
        let mut driver = match Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            driver => driver?,
        };
        let mut lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        let address = SocketAddr::from(([127, 0, 0, 1], port.expect("a port")));
        let profile = tempfile::tempdir()?;
        let mut browser = Self { driver, address, session: "/session".into(), _profile: profile };
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let mut arguments =
            vec!["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
        arguments.extend([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &folder,
        ]);
        let options = json!({ "goog:chromeOptions": { "args": arguments } });
        let opened = browser.post("", &json!({ "capabilities": { "alwaysMatch": options } }))?;
        browser.session +=
            &format!("/{}", opened["sessionId"].as_str().unwrap_or_else(|| panic!("{opened}")));
        Ok(Some(browser))
    }

    fn post(&self, path: &str, body: &Value) -> io::Result<Value> {
        let (mut stream, body, path) =
            (TcpStream::connect(self.address)?, body.to_string(), self.session.clone() + path);
        stream.set_read_timeout(Some(PATIENCE))?;
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        Ok(serde_json::from_slice::<Value>(&Answer::read(stream)?.body)?["value"].take())
    }

    /// Waits until the script returns a text with these words.
    fn wait_for(&self, script: &str, words: &[&str]) -> String {
        let mut text = String::new();
        let has_words = || {
            let value =
                self.post("/execute/sync", &json!({ "script": script, "args": [] })).expect("an answer");
            text = value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
            words.iter().all(|word| text.contains(word)).then_some(())
        };
        wait_for(has_words);
        text
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = send(self.address, "DELETE", &self.session).and_then(Answer::read); // ends Chromium
        let _ = self.driver.kill().and_then(|()| self.driver.wait());
    }
}

#[test]
fn the_page_shows_the_sweep_and_its_end() -> Result<(), Box<dyn Error>> {
    let Some(browser) = Browser::open()? else {
        println!("not run: no chromedriver");
        return Ok(());
    };
    let sweep = Sweep::start(&["--codec", "article2015", "--max-failures", "0"]);
    browser.post("/url", &json!({ "url": format!("http://{}/", sweep.address) }))?;
    let shown = [
        "sweep of i64",
        "codec article2015",
        "running",
        "decode panicked: index out of bounds",
        "since this page was opened",
    ];
    let of_linux = ["sweep-1", "main (no worker)"];
    let of_linux = of_linux.iter().filter(|_| cfg!(target_os = "linux")).copied();
    let words: Vec<_> = shown.into_iter().chain(of_linux).collect();
    let text = browser.wait_for("return document.body.innerText", &words);
    for wrong in ["waiting for the first status", "connection is lost", "undefined", "NaN", "null"] {
        assert!(!text.contains(wrong), "{wrong} in {text}");
    }
    browser.wait_for(
        "return document.getElementById('replay').textContent",
        &["--type i64 --codec article2015"],
    );
    sweep.stop();
    browser
        .wait_for("return document.title + document.body.innerText", &["ended \u{b7} sweep", "interrupted"]);
    Ok(())
}
