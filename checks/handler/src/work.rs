//! Threads that do what is delicate for a signal handler, over and over.

use std::ffi::CStr;
use std::hint::black_box;
use std::os::unix::process::CommandExt;
use std::panic::catch_unwind;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rayon::prelude::*;

/// One kind of work, and how often it was done.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    step: fn(),
    pub(crate) count: AtomicU64,
}

pub(crate) static ALL: [Work; 6] = [
    Work::new("panics", || {
        _ = catch_unwind(|| black_box(None::<u8>).expect("a panic to catch"));
    }),
    Work::new("allocations", || {
        for size in 1..1000 {
            let mut bytes = vec![1u8; size * 7];
            bytes.reserve(size * 100);
            black_box(bytes);
        }
    }),
    Work::new("executions", || {
        let mut command = Command::new("/bin/true");
        // SAFETY: the function does nothing. With one, the standard library forks.
        let status = unsafe { command.pre_exec(|| Ok(())) }.status();
        assert!(status.is_ok_and(|status| status.success()), "cannot run /bin/true");
    }),
    Work::new("libraries", || {
        const NAME: &CStr = c"libresolv.so.2"; // of glibc, and not loaded otherwise
        // SAFETY: the name ends with a zero byte, and no function of the library is used.
        let closed = unsafe { libc::dlclose(libc::dlopen(NAME.as_ptr(), libc::RTLD_NOW)) };
        assert_eq!(closed, 0, "cannot load and unload {NAME:?}");
    }),
    Work::new("parallel sums", || {
        black_box((0..100_000u64).into_par_iter().map(black_box).sum::<u64>());
    }),
    Work::new("threads", || {
        let sum = thread::spawn(|| (0..10_000u64).map(black_box).sum::<u64>()).join();
        assert!(sum.is_ok());
    }),
];

static IS_STOPPED: AtomicBool = AtomicBool::new(false);

impl Work {
    const fn new(name: &'static str, step: fn()) -> Self {
        Self { name, step, count: AtomicU64::new(0) }
    }
}

/// Starts a thread for each kind of work.
pub(crate) fn start() -> Vec<JoinHandle<()>> {
    let thread = |work: &'static Work| {
        thread::spawn(|| {
            while !IS_STOPPED.load(Relaxed) {
                (work.step)();
                work.count.fetch_add(1, Relaxed);
            }
        })
    };
    ALL.iter().map(thread).collect()
}

/// Ends the threads.
pub(crate) fn stop(threads: Vec<JoinHandle<()>>) {
    IS_STOPPED.store(true, Relaxed);
    threads.into_iter().for_each(|thread| thread.join().expect("a thread that has not panicked"));
}

/// Ends the process if a kind of work, or `own`, makes no progress in two minutes.
pub(crate) fn watch(own: &'static AtomicU64) {
    thread::spawn(move || {
        let counts = || ALL.iter().map(|work| (work.name, &work.count)).chain([("profiles", own)]);
        loop {
            let before: Vec<_> = counts().map(|(_, count)| count.load(Relaxed)).collect();
            thread::sleep(Duration::from_secs(120));
            for ((name, count), before) in counts().zip(before) {
                if count.load(Relaxed) == before {
                    eprintln!("deadlock: no {name} in two minutes");
                    std::process::abort();
                }
            }
        }
    });
}
