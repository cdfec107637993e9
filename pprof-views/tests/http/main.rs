//! Tests of profiles over HTTP, with a server in this process.

#[path = "../../../tests/common/http.rs"]
mod client;
#[path = "../split.rs"]
mod split;

use std::error::Error;
use std::hint::black_box;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use client::Answer;
use pprof_views::heap::HeapProfiler;
use pprof_views::{Capture, Profile, View, http};
use tokio::sync::watch;

#[global_allocator]
static ALLOCATOR: HeapProfiler = HeapProfiler::new();

type TestResult = Result<(), Box<dyn Error>>;

/// Held by the test that takes a profile, because a process takes one of CPU time at a time. It is `None`
/// where profiles cannot be taken.
fn lock_capture() -> Option<MutexGuard<'static, ()>> {
    static LOCK: Mutex<()> = Mutex::new(());
    Capture::IS_SUPPORTED.then(|| LOCK.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A server with the routes under /debug/pprof, which shuts down when this is dropped.
struct Server {
    address: SocketAddr,
    shut_down: watch::Sender<bool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    fn start() -> Self {
        let (shut_down, ended) = watch::channel(false);
        let end = move || {
            let mut ended = ended.clone();
            async move { drop(ended.wait_for(|ended| *ended).await) }
        };
        let (bound, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                bound.send(listener.local_addr().expect("an address")).expect("somebody waits");
                let routes = Router::new().nest_service("/debug/pprof", http::router_until(end.clone()));
                axum::serve(listener, routes).with_graceful_shutdown(end()).await.expect("a server");
            });
        });
        Self { address: address.recv().expect("a server"), shut_down, thread: Some(thread) }
    }

    /// Sends a request for a path below /debug/pprof.
    fn send(&self, method: &str, path: &str) -> io::Result<TcpStream> {
        client::send(self.address, method, &format!("/debug/pprof{path}"))
    }

    fn get(&self, path: &str) -> io::Result<Answer> {
        Answer::read(self.send("GET", path)?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.shut_down.send(true);
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// Calls `test` while another thread works.
fn while_working<T>(test: impl FnOnce() -> T) -> T {
    static IS_OVER: AtomicBool = AtomicBool::new(false);
    IS_OVER.store(false, Relaxed);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut x = 1;
            while !IS_OVER.load(Relaxed) {
                x = (0..100).fold(x, |x, _| black_box(split::both(black_box(x))));
            }
        });
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test));
        IS_OVER.store(true, Relaxed);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Returns the share of a function in percent, itself and what it calls.
fn share(table: &str, function: &str) -> f64 {
    let row =
        table.lines().find(|row| row.contains(function)).unwrap_or_else(|| panic!("{function} in {table}"));
    row.split_whitespace().nth(4).and_then(|share| share.strip_suffix('%')?.parse().ok()).expect("a share")
}

#[test]
fn cpu_profile_has_the_shares_of_the_work() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    while_working(|| {
        // How many samples there are in a second depends on the timer of the system.
        for seconds in [2, 8, 32, 128] {
            let answer = server.get(&format!("/profile?seconds={seconds}&hz=250"))?;
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert!(answer.head.contains("content-type: application/octet-stream"), "{}", answer.head);
            let profile = Profile::from_bytes(&answer.body)?;
            if profile.total(0) < 400 {
                continue;
            }
            let table = View::new(&profile).sort_by_cum().top();
            let (three, seven) = (share(&table, "split::three"), share(&table, "split::seven"));
            let part = 100.0 * three / (three + seven);
            assert!((20.0..40.0).contains(&part) && three + seven > 80.0, "{table}");
            return Ok(());
        }
        panic!("too few samples");
    })
}

/// Needs Go, as users of it have.
#[test]
fn go_tool_pprof_reads_the_profiles() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let help = Command::new("go").args(["tool", "pprof", "-h"]).output();
    if !help.is_ok_and(|output| output.status.success()) {
        println!("not run: no go tool pprof");
        return Ok(());
    }
    let server = Server::start();
    let kept = black_box(kept_memory());
    let url = |path: &str| format!("http://{}/debug/pprof/{path}", server.address);
    let folder = std::env::temp_dir();
    let pprof = |url: &str| {
        let output =
            Command::new("go").args(["tool", "pprof", "-top", url]).env("PPROF_TMPDIR", &folder).output();
        output.map(|output| String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    while_working(|| -> TestResult {
        let cpu = pprof(&url("profile?seconds=2"))?;
        assert!(cpu.contains("split::seven") && cpu.contains("Type: cpu"), "{cpu}");
        let heap = pprof(&url("heap"))?;
        assert!(heap.contains("kept_memory") && heap.contains("Type: inuse_space"), "{heap}");
        let allocs = pprof(&url("allocs"))?;
        assert!(allocs.contains("kept_memory") && allocs.contains("Type: alloc_space"), "{allocs}");
        let refused = pprof(&url("profile?seconds=601"))?;
        assert!(refused.contains("from 1 to 600"), "{refused}");
        Ok(())
    })?;
    drop(kept);
    Ok(())
}

#[inline(never)]
fn kept_memory() -> Vec<Vec<u8>> {
    (0..1024).map(|_| black_box(Vec::with_capacity(1 << 20))).collect()
}

#[test]
fn heap_profile_has_the_memory_in_use() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    let kept = black_box(kept_memory()); // not written, so that it takes no memory
    let answer = server.get("/heap")?;
    assert_eq!(answer.status, 200);
    let profile = Profile::from_bytes(&answer.body)?;
    let types: Vec<_> = profile.sample_types().collect();
    let expected = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"];
    assert_eq!(types, [0, 1, 2, 3].map(|at| (expected[at], ["count", "bytes"][at % 2])));
    let table = server.get("/heap?debug=1")?;
    assert!(
        table.head.contains("text/plain") && table.text().contains("http::kept_memory"),
        "{}",
        table.text()
    );
    assert!(table.text().contains("Type: inuse_space"));
    assert!(server.get("/allocs?debug=1")?.text().contains("Type: alloc_space"));
    let graph = server.get("/allocs?svg")?;
    assert!(graph.head.contains("image/svg+xml") && graph.text().contains("http::kept_memory"));
    drop(kept);
    Ok(())
}

/// Starts a profile of ten minutes, and waits until it is under way.
fn long_profile(server: &Server) -> io::Result<TcpStream> {
    loop {
        let stream = server.send("GET", "/profile?seconds=600")?;
        if server.get("/profile?seconds=1")?.status == 503 {
            return Ok(stream);
        } // else the second request came first
    }
}

#[test]
fn second_cpu_profile_is_refused_until_the_client_of_the_first_is_gone() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    let first = long_profile(&server)?;
    let second = || server.get("/profile?seconds=1").expect("an answer");
    let answer = second();
    let line = answer.text();
    assert!(line.contains("is being taken until 20") && line.contains("try again in "), "{line}");
    let wait = answer.head.lines().find_map(|line| line.strip_prefix("retry-after: ")).expect("a header");
    assert!((1..=600).contains(&wait.trim().parse::<u32>()?), "{wait}");
    drop(first);
    let start = Instant::now();
    while second().status != 200 {
        assert!(start.elapsed() < Duration::from_secs(60), "the first profile has not ended in a minute");
    }
    Ok(())
}

#[test]
fn cpu_profile_of_the_program_itself_is_named() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    let own = Capture::start(99)?;
    let answer = server.get("/profile?seconds=1")?;
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("another profile is being taken"), "{}", answer.text());
    drop(own);
    assert_eq!(server.get("/profile?seconds=1")?.status, 200);
    Ok(())
}

/// The server waits for its answers, and a profile of ten minutes is one.
#[test]
fn cpu_profile_ends_with_the_server() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    let stream = long_profile(&server)?;
    drop(server);
    let answer = Answer::read(stream)?;
    assert_eq!(answer.status, 200);
    Profile::from_bytes(&answer.body)?;
    Ok(())
}

#[test]
fn numbers_out_of_range_are_refused_with_the_limits() -> TestResult {
    let server = Server::start();
    for (query, limits) in [
        ("seconds=0", "from 1 to 600"),
        ("seconds=601", "from 1 to 600"),
        ("seconds=", "from 1 to 600"),
        ("seconds", "from 1 to 600"),
        ("seconds=x", "from 1 to 600"),
        ("seconds=1.5", "from 1 to 600"),
        ("seconds=-1", "from 1 to 600"),
        ("seconds=+1", "from 1 to 600"),
        ("seconds=99999999999999999999", "from 1 to 600"),
        ("seconds=1&hz=0", "from 1 to 1000"),
        ("seconds=1&hz=1001", "from 1 to 1000"),
    ] {
        let answer = server.get(&format!("/profile?{query}"))?;
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.text().contains(limits), "{query}: {}", answer.text());
        assert!(answer.head.contains("x-go-pprof: 1"), "for go tool pprof: {}", answer.head);
    }
    Ok(())
}

#[test]
fn index_has_a_slash_at_its_end_and_links_that_exist() -> TestResult {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let server = Server::start();
    let redirect = server.get("")?;
    assert_eq!(redirect.status, 307);
    assert!(redirect.head.contains("location: ./pprof/"), "{}", redirect.head);
    let page = server.get("/")?.text();
    let links: Vec<_> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() > 10, "{page}");
    for link in links.iter().filter(|link| !link.starts_with("data:")) {
        let answer = Answer::read(server.send("HEAD", &format!("/{}", link.replace("&amp;", "&")))?)?;
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{link}");
    }
    Ok(())
}

#[test]
fn command_line_has_nul_between_its_words() -> TestResult {
    let words: Vec<_> = std::env::args().collect();
    assert_eq!(Server::start().get("/cmdline")?.text(), words.join("\0"));
    Ok(())
}

#[test]
fn other_methods_and_paths_are_refused() -> TestResult {
    let server = Server::start();
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        assert_eq!(Answer::read(server.send(method, "/profile")?)?.status, 405, "{method}");
    }
    for path in ["/nothing", "/../profile", "/%2e%2e/heap", "/profile/", "/heap/../cmdline"] {
        assert_eq!(server.get(path)?.status, 404, "{path}");
    }
    Ok(())
}

#[test]
fn readme_has_the_service_that_is_compiled_here() {
    let (_, service) = include_str!("service.rs").split_once("\n\n").expect("a comment");
    assert!(include_str!("../../README.md").contains(service));
}
