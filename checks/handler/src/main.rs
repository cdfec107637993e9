//! Checks the signal handler of the profiler: `handler [SECONDS [STARTS]]`.
//!
//! It takes a profile of SECONDS (default 600) at the highest frequency of threads that panic,
//! allocate, fork, load libraries, start threads and use a thread pool. Then it starts and stops
//! STARTS profiles (default 10,000). A call of the handler that allocates, waits for a lock or
//! unwinds is counted. If there is one, or if a thread makes no progress, the exit code is not 0.
//! `checks/run handler` runs it.

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[allow(unsafe_code)] // functions of the C library
mod intercept;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod work;

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::time::{Duration, Instant};

    use intercept::{SIGNALS, inject_faults, take_calls, wrap_handler};
    use pprof_views::{Capture, MAX_HERTZ};

    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let seconds = arguments.next().unwrap_or(Ok(600))?;
    let starts = arguments.next().unwrap_or(Ok(10_000))?;
    std::panic::set_hook(Box::new(|panic| {
        if !panic.to_string().contains("a panic to catch") {
            eprintln!("{panic}");
            std::process::abort();
        }
    }));

    let capture = Capture::start(MAX_HERTZ)?;
    wrap_handler();
    println!("figure: injected faults={}; found={0}", inject_faults());
    drop(capture);

    static PROFILES: AtomicU64 = AtomicU64::new(0);
    let threads = work::start();
    work::watch(&PROFILES);
    let capture = Capture::start(MAX_HERTZ)?;
    wrap_handler();
    let (before, start) = (SIGNALS.load(Relaxed), Instant::now());
    while start.elapsed() < Duration::from_secs(seconds) {
        std::thread::sleep(Duration::from_millis(100));
        PROFILES.fetch_add(1, Relaxed);
    }
    let signals = SIGNALS.load(Relaxed) - before;
    let profile = capture.finish()?;
    // The nanoseconds of all samples add up to the CPU time.
    let (samples, nanos) = (profile.total(0) as u64, profile.total(1));
    let hertz = samples as f64 / (nanos as f64 / 1e9);
    println!(
        "figure: CPU seconds={}; asked Hz={MAX_HERTZ}; reached Hz={hertz:.0}; signals={signals}; lost={}",
        nanos / 1_000_000_000,
        signals.saturating_sub(samples)
    );

    for _ in 0..starts {
        let capture = Capture::start(MAX_HERTZ)?;
        wrap_handler();
        std::thread::sleep(Duration::from_millis(1));
        drop(capture);
        PROFILES.fetch_add(1, Relaxed);
    }
    work::stop(threads);
    let done = work::ALL.iter().map(|work| format!("{}={}", work.name, work.count.load(Relaxed)));
    println!("figure: starts={starts}; {}", done.collect::<Vec<_>>().join("; "));
    let calls = take_calls();
    println!(
        "figure: signals={}; forbidden calls={}",
        SIGNALS.load(Relaxed),
        calls.iter().map(|(_, count)| count).sum::<u64>()
    );
    if calls.is_empty() { Ok(()) } else { Err(format!("the signal handler has called {calls:?}").into()) }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
fn main() {
    println!("not run: this check is for x86-64 Linux with glibc");
}
