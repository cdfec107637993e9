//! The table of the metrics of `sweep --http`, from a sweep that runs for a moment.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, process, thread};

use crate::Sweep;

/// These metrics are not known from the start.
const LATE: [&str; 2] = ["sweep_remaining_seconds", "sweep_checkpoint_saved_timestamp_seconds"];
const LIMIT: Duration = Duration::from_secs(60);

/// Ends its process.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait()); // it may have ended
    }
}

/// Returns the body of the answer to `GET /metrics`.
fn fetch(address: &str) -> Result<String, String> {
    let get = || {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let answer: String =
        get().map_err(|error: std::io::Error| format!("http://{address}/metrics: {error}"))?;
    let body = answer.split_once("\r\n\r\n").ok_or_else(|| format!("an answer without a body: {answer}"))?.1;
    Ok(body.to_owned())
}

/// Returns a row for each metric of Prometheus' text format.
fn table(metrics: &str) -> String {
    let mut out = "| metric | type | meaning |\n|---|---|---|\n".to_owned();
    let mut help = "";
    for line in metrics.lines() {
        if let Some((_, text)) = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')) {
            help = text.trim_end_matches('.');
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' '))
        {
            let _ = writeln!(out, "| `{name}` | {kind} | {help} |"); // a String
        }
    }
    out
}

pub(crate) fn metrics(sweep: &Sweep) -> Result<String, String> {
    let checkpoint = std::env::temp_dir().join(format!("sweep-docs-{}.json", process::id()));
    let child = sweep
        .command()
        .args(["--exhaustive", "--threads", "1", "--no-progress", "--http", "127.0.0.1:0"])
        .args(["--checkpoint-every", "1s", "--checkpoint"])
        .arg(&checkpoint)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut running = Running(child.map_err(|error| format!("sweep: {error}"))?);
    // Open until the end, so that the sweep can write its warnings.
    let mut errors = BufReader::new(running.0.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let address = errors
        .find_map(|line| Some(line.split_once("http://")?.1.trim_end_matches('/').to_owned()))
        .ok_or("sweep --http: no address on standard error")?;
    let started = Instant::now();
    let found = loop {
        let text = fetch(&address)?;
        match LATE.iter().find(|name| !text.contains(*name)) {
            None => break Ok(table(&text)),
            Some(name) if started.elapsed() > LIMIT => break Err(format!("sweep --http: no metric {name}")),
            Some(_) => thread::sleep(Duration::from_millis(100)),
        }
    };
    drop(running);
    let lock = checkpoint.with_extension("json.lock");
    for file in [checkpoint, lock] {
        let _ = fs::remove_file(file); // the sweep may have ended before it was created
    }
    found
}
