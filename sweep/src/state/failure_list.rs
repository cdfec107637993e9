//! The list of failures: a file with every failure of a sweep, one per line as JSON, written while
//! the sweep runs.

use std::borrow::Cow;
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::failure_lines::{FailureRecord, Names, join, keep};
use crate::check::failure::Failure;
use crate::error::{FileError, SweepError};
use crate::plan::interval::UnitSet;
use crate::plan::schedule::Schedule;
use crate::report::output_file::OutputFile;

/// The number of failures that may wait to be written.
const WAITING: usize = 4096;
/// The number of bytes that are written together if failures wait.
const BUFFER: usize = 1 << 16;

const SPACE: &str = "free some space, or name a file in a writable folder";

/// A file that receives every failure of a sweep while it runs, one per line as JSON. A report lists
/// only the first ones.
///
/// Failures are written as they are found, whole lines at a time. So the file has all failures up to
/// a moment before if the process is killed. If the disk is full, the sweep ends and the lines
/// written so far stay. A range of neighbours that fail alike may take several lines until the sweep
/// is complete; then they are joined. [`Replay::read`](crate::replay::Replay::read) joins them too.
///
/// A sweep that resumes from its checkpoint continues the list: it removes failures that were found
/// after the checkpoint was saved, because it finds them again. Other sweeps replace the content.
#[derive(Debug)]
pub struct FailureList {
    path: PathBuf,
    is_stdout: bool,
    is_begun: AtomicBool,
    error: Mutex<Option<FileError>>,
}

impl FailureList {
    /// Checks that `path` can be written. The file is changed only when the sweep begins. It can be
    /// the list of several sweeps, one after the other.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let checked = OutputFile::create(path);
        checked.map_err(|error| FileError::new(path, error, "name a file in a writable folder"))?;
        Ok(Self {
            path: path.to_owned(),
            is_stdout: false,
            is_begun: AtomicBool::new(false),
            error: Mutex::new(None),
        })
    }

    /// Returns a list on standard output. Its lines are not joined, and a sweep that resumes adds only
    /// what it finds.
    pub fn to_stdout() -> Self {
        let path = PathBuf::from("standard output");
        Self { path, is_stdout: true, is_begun: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Returns why the list is not complete, if a failure could not be written.
    pub fn error(&self) -> Option<FileError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins the part of a sweep. `finished` are the units whose failures stay, if it resumes.
    ///
    /// Returns the number of failing inputs that stay too.
    pub(crate) fn begin(
        self: &Arc<Self>,
        names: Names,
        finished: Option<&UnitSet>,
    ) -> Result<(FailureWriter, u64), SweepError> {
        let failed = |error: io::Error| SweepError::File(FileError::new(&self.path, error, SPACE));
        let is_first = !self.is_begun.swap(true, Relaxed);
        let kept = match finished {
            Some(finished) if !self.is_stdout => {
                keep(&self.path, &names, finished).map_err(SweepError::File)?
            }
            _ => 0,
        };
        let open = || match self.is_stdout {
            true => stdout(),
            false => File::options().write(true).create(true).truncate(false).open(&self.path),
        };
        let mut file = open().map_err(failed)?;
        let mut start = 0;
        if !self.is_stdout && file.metadata().map_err(failed)?.is_file() {
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                let error = FileError::new(&self.path, "another sweep is writing it", "name another file");
                return Err(SweepError::File(error));
            }
            if is_first && finished.is_none() {
                file.set_len(0).map_err(failed)?;
            }
            let end = file.seek(SeekFrom::End(0)).map_err(failed)?;
            start = if finished.is_some() { 0 } else { end };
        }
        let (sender, messages) = sync_channel(WAITING);
        let list = Arc::clone(self);
        let thread = thread::Builder::new().name("failures".into()).spawn(move || {
            // The channel is closed after the error is known.
            if let Err(error) = write_lines(&mut file, &messages) {
                list.set_error(FileError::new(&list.path, error, SPACE));
            }
        });
        let writer =
            FailureWriter { list: Arc::clone(self), names, start, sender, thread: thread.map_err(failed)? };
        Ok((writer, kept))
    }

    /// Joins the lines from this position on that are parts of one range, and removes those of edge
    /// cases that failed with their neighbours too.
    pub(crate) fn join(&self, start: u64, schedule: &Schedule) {
        if !self.is_stdout
            && self.error().is_none()
            && let Err(error) = join(&self.path, start, schedule)
        {
            self.set_error(error);
        }
    }

    fn set_error(&self, error: FileError) {
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

/// Returns standard output as a file, which has no buffer.
fn stdout() -> io::Result<File> {
    #[cfg(unix)]
    return Ok(std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?.into());
    #[cfg(windows)]
    return Ok(std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?.into());
    #[cfg(not(any(unix, windows)))]
    return Err(io::ErrorKind::Unsupported.into());
}

/// Writes the failures of one sweep to its list, on a thread of its own.
pub(crate) struct FailureWriter {
    list: Arc<FailureList>,
    names: Names,
    /// The position at which the failures of this sweep begin.
    start: u64,
    sender: SyncSender<Message>,
    thread: JoinHandle<()>,
}

enum Message {
    /// A line to write.
    Line(Vec<u8>),
    /// Asks for an answer when all lines before are on the disk.
    Sync(Sender<()>),
}

impl FailureWriter {
    /// Adds a failure in this unit. Returns whether it can be written.
    pub(crate) fn add(&self, unit: u64, failure: &Failure) -> bool {
        let record = FailureRecord::new(&self.names, Some(unit), Cow::Borrowed(failure));
        self.sender.send(Message::Line(record.line())).is_ok()
    }

    /// Waits until all failures are on the disk.
    pub(crate) fn sync(&self) -> Result<(), FileError> {
        let (answer, answered) = channel();
        let sent = self.sender.send(Message::Sync(answer)).is_ok();
        let is_synced = sent && answered.recv().is_ok();
        if is_synced { Ok(()) } else { self.list.error().map_or(Ok(()), Err) }
    }

    /// Waits until all failures are written, and returns the position at which they begin.
    pub(crate) fn finish(self) -> u64 {
        let Self { sender, thread, start, .. } = self;
        drop(sender);
        let _ = thread.join(); // its error is that of the list
        start
    }
}

/// Writes lines as they come, those that wait together.
fn write_lines(file: &mut File, messages: &Receiver<Message>) -> io::Result<()> {
    let mut buffer = Vec::new();
    while let Ok(first) = messages.recv() {
        for message in std::iter::once(first).chain(messages.try_iter()) {
            match message {
                Message::Line(line) => buffer.extend(line),
                Message::Sync(answer) => {
                    write_whole_lines(file, &mut buffer)?;
                    match file.sync_data() {
                        Err(error) if file.metadata()?.is_file() => return Err(error),
                        _ => drop(answer.send(())), // nobody waits if the sweep has ended
                    }
                }
            }
            if buffer.len() > BUFFER {
                write_whole_lines(file, &mut buffer)?;
            }
        }
        write_whole_lines(file, &mut buffer)?;
    }
    // A device or a pipe has no disk.
    if file.metadata()?.is_file() { file.sync_data() } else { Ok(()) }
}

/// Writes the buffer. If not all of it can be written, the lines that are cut are removed again.
fn write_whole_lines(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<()> {
    let mut written = 0;
    while written < buffer.len() {
        match file.write(&buffer[written..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let cut = buffer[..written].iter().rev().take_while(|&&byte| byte != b'\n').count();
                if file.metadata()?.is_file() {
                    let end = file.stream_position()?;
                    file.set_len(end - cut as u64)?;
                }
                return Err(error);
            }
        }
    }
    buffer.clear();
    Ok(())
}
