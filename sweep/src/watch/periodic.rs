//! What a thread of its own updates at regular intervals: the progress line, and the status file for
//! scripts.

#[cfg(unix)]
use std::fs;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::FileError;
use crate::report::output_file::OutputFile;
use crate::watch::handle::Watch;
use crate::watch::status::Status;

/// A thread that calls a function at regular intervals, until this is dropped.
#[derive(Debug)]
struct Ticker {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts a thread with this name, which calls `tick` after each interval. The last call, which ends
    /// the thread, is with `true`.
    fn start(
        name: &str,
        interval: Duration,
        mut tick: impl FnMut(bool) + Send + 'static,
    ) -> io::Result<Self> {
        let (end, ended) = channel();
        let thread = thread::Builder::new().name(name.into()).spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                tick(false);
            }
            tick(true);
        })?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.end = None;
        let _ = self.thread.take().map(JoinHandle::join); // the thread has told of its panic
    }
}

/// A progress line on standard error for one watched sweep, until it is dropped. It is only drawn on a
/// terminal.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    /// `None` if its thread cannot be started.
    _drawing: Option<Ticker>,
}

/// The time after which a log has the first line.
const FIRST_LINE: Duration = Duration::from_millis(800);

impl ProgressLine {
    /// Starts to draw the progress of the watched sweep.
    pub fn of(watch: Arc<Watch>) -> Self {
        Self::or_log(watch, |_| ())
    }

    /// Starts to draw the progress of the watched sweep. If standard error is not a terminal, `log` gets
    /// what is checked and the progress instead, as a line within a second of the first value, and then
    /// each time after twice as long.
    pub fn or_log(watch: Arc<Watch>, log: impl Fn(&str) + Send + 'static) -> Self {
        let bar = ProgressBar::no_length();
        // Until a line is drawn anew, what does not fit a smaller terminal is cut off.
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let (drawn, mut next_line) = (bar.clone(), FIRST_LINE);
        let drawing = Ticker::start("progress", Duration::from_millis(100), move |is_last| {
            if is_last {
                return drawn.finish_and_clear();
            }
            let Some(running) = watch.running.get() else { return };
            let (progress, elapsed) = (running.progress(), running.began.elapsed());
            let noun = running.space.noun;
            if !drawn.is_hidden() {
                let (_, columns) = Term::stderr().size();
                drawn.set_message(progress.line(noun, elapsed, columns.into()));
            } else if elapsed >= next_line {
                log(&format!("{}: {}", running.blank.title(), progress.text(noun)));
                next_line *= 2;
            }
        });
        Self { bar, _drawing: drawing.ok() }
    }

    /// Hides the progress line, calls `write`, and draws the line again.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

/// The time between two updates of the file.
const INTERVAL: Duration = Duration::from_secs(1);

/// Keeps the [`Status`] of a watched sweep as JSON in a file, which is replaced atomically once a
/// second and for the last time when this is dropped.
#[derive(Debug)]
pub struct StatusFile {
    _writing: Ticker,
}

impl StatusFile {
    /// Writes the file for the first time and starts to update it.
    ///
    /// If a later update fails, `tell` receives the error, once until an update succeeds again. The
    /// sweep continues.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn keep(
        path: &Path,
        watch: Arc<Watch>,
        tell: impl Fn(&FileError) + Send + 'static,
    ) -> Result<Self, FileError> {
        fn cannot(path: &Path, error: &io::Error, remedy: &'static str) -> FileError {
            FileError::new(path, format_args!("cannot write the status ({error})"), remedy)
        }
        if is_pipe(path) {
            const REGULAR: &str = "name a regular file, which is replaced each second";
            return Err(cannot(path, &io::Error::other("a pipe or a socket"), REGULAR));
        }
        let first = OutputFile::create(path).and_then(|_| write(path, &watch));
        first.map_err(|error| cannot(path, &error, "name a file in a writable folder"))?;
        let (file, mut is_outdated) = (path.to_owned(), false);
        let writing = Ticker::start("status", INTERVAL, move |_| {
            let written = write(&file, &watch);
            if let Some(error) = written.as_ref().err().filter(|_| !is_outdated) {
                const OUTDATED: &str =
                    "the sweep continues, and the file is outdated until it can be written again";
                tell(&cannot(&file, error, OUTDATED));
            }
            is_outdated = written.is_err();
        });
        let writing = writing.map_err(|error| cannot(path, &error, "close some other programs"))?;
        Ok(Self { _writing: writing })
    }
}

/// Returns whether a path names what may block a write, unlike a file or a device such as `/dev/null`.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    return fs::metadata(path).is_ok_and(|found| {
        let kind = found.file_type();
        kind.is_fifo() || kind.is_socket()
    });
    #[cfg(not(unix))]
    return false;
}

fn write(path: &Path, watch: &Watch) -> io::Result<()> {
    OutputFile::reopen(path)?.finish_unsynced(&Status::of(watch).to_json()?)
}
