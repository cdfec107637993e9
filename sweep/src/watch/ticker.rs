//! A thread that does something at regular intervals.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that calls a function at regular intervals, until this is dropped.
#[derive(Debug)]
pub(super) struct Ticker {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts a thread with this name, which calls `tick` after each interval. The last call, which ends
    /// the thread, is with `true`.
    pub(super) fn start(
        name: &str,
        interval: Duration,
        mut tick: impl FnMut(bool) + Send + 'static,
    ) -> io::Result<Self> {
        let ended = Arc::new(AtomicBool::new(false));
        let has_ended = Arc::clone(&ended);
        let thread = thread::Builder::new().name(name.into()).spawn(move || {
            let mut is_last = false;
            while !is_last {
                thread::park_timeout(interval);
                is_last = has_ended.load(Relaxed);
                tick(is_last);
            }
        })?;
        Ok(Self { ended, thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
