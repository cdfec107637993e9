//! What a thread of its own updates at regular intervals: the progress line, and the status file for
//! scripts.

#[cfg(unix)]
use std::fs;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressStyle};

use crate::check::panics::guarded;
use crate::error::FileError;
use crate::report::output_file::OutputFile;
use crate::watch::handle::Watch;
use crate::watch::progress::SweepProgress;
use crate::watch::status::Status;

/// A thread that calls a function at regular intervals, until this is dropped.
#[derive(Debug)]
struct Ticker<T> {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Ticker<T> {
    /// Starts a thread with this name, which calls `tick` after each interval. The last call, which ends
    /// the thread, is with `true`.
    fn start(
        name: &str,
        interval: Duration,
        mut tick: impl FnMut(bool) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let (end, ended) = channel();
        let thread = thread::Builder::new().name(name.into()).spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                tick(false);
            }
            tick(true)
        })?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl<T> Ticker<T> {
    /// Ends the thread, and returns the result of the last call; `None` after the first time.
    fn stop(&mut self) -> Option<thread::Result<T>> {
        self.end = None;
        self.thread.take().map(JoinHandle::join)
    }
}

impl<T> Drop for Ticker<T> {
    fn drop(&mut self) {
        self.stop(); // the thread has told of its panic
    }
}

/// A progress line on standard error for one watched sweep, until it is dropped. It is only drawn on a
/// terminal.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    /// `None` if its thread cannot be started.
    _drawing: Option<Ticker<()>>,
}

/// The time after which a log has the first line.
const FIRST_LINE: Duration = Duration::from_millis(800);

impl ProgressLine {
    /// Starts to draw the progress of the watched sweep.
    pub fn of(watch: Arc<Watch>) -> Self {
        Self::or_log(watch, |_| ())
    }

    /// Starts to draw the progress of the watched sweep. If standard error is not a terminal, `log` gets
    /// what is checked and the progress instead, as a line within a second of the first value, then at
    /// doubling intervals.
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
            let (progress, elapsed) = (SweepProgress::of(running), running.began.elapsed());
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
/// second and for the last time when this is finished or dropped.
#[derive(Debug)]
pub struct StatusFile {
    path: PathBuf,
    writing: Ticker<Result<(), FileError>>,
}

impl StatusFile {
    /// Writes the file for the first time and starts to update it.
    ///
    /// If a later update fails, also by a panic, `tell` receives the error, once until an update succeeds
    /// again. The sweep continues.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn keep(
        path: &Path,
        watch: Arc<Watch>,
        tell: impl Fn(&FileError) + Send + 'static,
    ) -> Result<Self, FileError> {
        if is_pipe(path) {
            const REGULAR: &str = "name a regular file, which is replaced each second";
            return Err(cannot(path, &io::Error::other("a pipe or a socket"), REGULAR));
        }
        let first = OutputFile::create(path).and_then(|_| write(path, &watch));
        first.map_err(|error| cannot(path, &error, "name a file in a writable folder"))?;
        let file = path.to_owned();
        Self::update(path, INTERVAL, move || write(&file, &watch), tell)
    }

    /// Starts to call `write`. A panic in it does not end the thread.
    fn update(
        path: &Path,
        interval: Duration,
        mut write: impl FnMut() -> io::Result<()> + Send + 'static,
        tell: impl Fn(&FileError) + Send + 'static,
    ) -> Result<Self, FileError> {
        const OUTDATED: &str = "the sweep continues, and the file is outdated until it can be written again";
        let (file, mut is_outdated) = (path.to_owned(), false);
        let writing = Ticker::start("status", interval, move |_| {
            let written = guarded(&mut write).unwrap_or_else(|panic| Err(io::Error::other(panic)));
            let written = written.map_err(|error| cannot(&file, &error, OUTDATED));
            written.as_ref().err().filter(|_| !is_outdated).into_iter().for_each(&tell);
            is_outdated = written.is_err();
            written
        });
        let writing = writing.map_err(|error| cannot(path, &error, "close some other programs"))?;
        Ok(Self { path: path.to_owned(), writing })
    }

    /// Writes the file for the last time.
    ///
    /// # Errors
    ///
    /// Returns an error if it could not be written, so that it has an older status.
    pub fn finish(mut self) -> Result<(), FileError> {
        const FREE: &str = "free some space, or name another file";
        match self.writing.stop() {
            Some(Ok(written)) => written.map_err(|error| FileError { remedy: FREE, ..error }),
            _ => Err(cannot(&self.path, &io::Error::other("its thread has ended early"), FREE)),
        }
    }
}

fn cannot(path: &Path, error: &io::Error, remedy: &'static str) -> FileError {
    FileError::new(path, format_args!("cannot write the status ({error})"), remedy)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The update after the first panic succeeds, and the next one is the last.
    #[test]
    fn a_panic_of_an_update_is_told_and_the_next_one_follows() {
        for is_last_good in [true, false] {
            let (told, messages) = channel();
            let (called, calls) = channel();
            let mut call = 0;
            let write = move || {
                call += 1;
                let _ = called.send(call);
                assert!(call == 2 || (is_last_good && call > 2), "the clock jumps");
                Ok(())
            };
            let tell = move |error: &FileError| drop(told.send(error.to_string()));
            let file = StatusFile::update(Path::new("status"), Duration::from_millis(20), write, tell);
            assert!(calls.iter().any(|call| call == 2));
            let finished = file.unwrap().finish();
            assert_eq!(finished.is_ok(), is_last_good);
            let message = messages.recv().expect("a message");
            assert!(
                message.contains("'status': cannot write the status (panic: the clock jumps)"),
                "{message}"
            );
        }
    }

    #[test]
    fn the_loss_of_the_thread_is_an_error() {
        let tell = |_: &FileError| panic!("cannot tell");
        let fail = || Err(io::Error::other("full"));
        let file = StatusFile::update(Path::new("status"), Duration::from_millis(1), fail, tell).unwrap();
        let message = file.finish().unwrap_err().to_string();
        assert!(message.contains("its thread has ended early"), "{message}");
    }
}
