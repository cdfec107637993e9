//! The list of failures: a file with every failure of a sweep, one per line as JSON, written while
//! the sweep runs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::external_sort::ExternalSort;
use super::failure_lines::{FailureRecord, Lines, Names};
use crate::check::failure::Failure;
use crate::check::panics::lock;
use crate::error::FileError;
use crate::plan::interval::Positions;
use crate::plan::schedule::Schedule;
use crate::report::file_identity::folder;
use crate::report::file_lock;
use crate::report::output_file::OutputFile;

const SPACE: &str = "free some space, or name a file in a writable folder";
const UNCHANGED: &str = "free some space; the list is unchanged";

/// A file that receives every failure of a sweep while it runs, one per line as JSON. A report lists
/// only the first ones.
///
/// Failures are written as they are found, whole lines at a time. So the file has all failures up to
/// a moment before if the process is killed. If the disk is full, the sweep ends and the lines
/// written so far stay. A range of neighbours that fail alike may take several lines until the sweep
/// is complete; then they are sorted and joined, for which the folder has temporary files of the size of
/// the list.
/// [`Replay::read`](crate::replay::Replay::read) joins them too.
///
/// A sweep that resumes from its checkpoint continues the list: it removes failures that were found
/// after the checkpoint was saved, because it finds them again. Other sweeps replace the content.
#[derive(Debug)]
pub struct FailureList {
    path: PathBuf,
    /// Where the list is written, if that is no regular file. It stays open, because a program that reads
    /// a pipe would take the end of the first sweep for that of the list.
    stream: Option<Mutex<OutputFile>>,
    is_begun: AtomicBool,
    error: Mutex<Option<FileError>>,
}

impl FailureList {
    /// Checks that `path` can be written. The file is changed only when the sweep begins. It can be
    /// the list of several sweeps, one after the other. With a named pipe, a sweep begins when a program
    /// reads it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = OutputFile::create(path);
        let file = file.map_err(|error| FileError::new(path, error, "name a file in a writable folder"))?;
        Ok(Self::new(path, (!file.is_replaced()).then_some(file)))
    }

    fn new(path: &Path, stream: Option<OutputFile>) -> Self {
        let (path, stream) = (path.to_owned(), stream.map(Mutex::new));
        Self { path, stream, is_begun: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Returns a list on standard output. Its lines are not joined, and a sweep that resumes adds only
    /// what it finds.
    ///
    /// # Errors
    ///
    /// Returns an error if no more files can be opened.
    pub fn to_stdout() -> Result<Self, FileError> {
        let name = Path::new("standard output");
        let file = OutputFile::stdout().map_err(|error| FileError::new(name, error, SPACE))?;
        Ok(Self::new(name, Some(file)))
    }

    /// Returns why the list is not complete, if a failure could not be written.
    pub fn error(&self) -> Option<FileError> {
        lock(&self.error).clone()
    }

    /// Begins the part of a sweep. `finished` are the positions whose failures stay, if it resumes. If the
    /// list is a pipe that no program reads, it waits until `is_stopped` returns `true`.
    ///
    /// Returns the number of failing inputs that stay too.
    pub(crate) fn begin(
        self: &Arc<Self>,
        names: Names,
        finished: Option<&Positions>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(FailureWriter, u64), FileError> {
        let failed = |error: io::Error| FileError::new(&self.path, error, SPACE);
        let is_first = !self.is_begun.swap(true, Relaxed);
        let open = || self.open_locked(failed);
        let mut kept = 0;
        let stream = self.stream.as_ref().and_then(|stream| lock(stream).stream(is_stopped));
        let (mut end, is_regular) = (0, stream.is_none());
        let file = match stream {
            Some(Err(_)) if is_stopped() => None,
            Some(stream) => Some(stream.map_err(failed)?),
            None => {
                let mut file = open()?;
                if let Some(finished) = finished {
                    kept = self.keep(&names, finished)?;
                    file = open()?; // it was replaced
                }
                if is_first && finished.is_none() {
                    file.set_len(0).map_err(failed)?;
                }
                end = file.seek(SeekFrom::End(0)).map_err(failed)?;
                Some(file)
            }
        };
        let start = if finished.is_some() { 0 } else { end };
        let list = Arc::clone(self);
        Ok((FailureWriter { list, names, is_regular, start, file: Mutex::new((file, end)) }, kept))
    }

    /// Opens the list if it is a regular file, unless another sweep writes it.
    fn open_locked(&self, failed: impl Fn(io::Error) -> FileError) -> Result<File, FileError> {
        let file = File::options().write(true).create(true).truncate(false).open(&self.path);
        let file = file.map_err(failed)?;
        match file_lock::lock(&file) {
            Err(TryLockError::WouldBlock) => {
                Err(FileError::new(&self.path, "another sweep is writing it", "name another file"))
            }
            _ => Ok(file),
        }
    }

    /// Returns whether the list is a file that can be read and replaced.
    fn is_regular(&self) -> bool {
        self.stream.is_none() && fs::metadata(&self.path).is_ok_and(|found| found.is_file())
    }

    /// Removes all failures but those at some positions. Returns the number of failing inputs that are left.
    fn keep(&self, names: &Names, positions: &Positions) -> Result<u64, FileError> {
        if !self.is_regular() {
            return Ok(0);
        }
        let (mut lines, mut kept) = (Lines::open(&self.path, 0)?, 0u64);
        self.replace(0, || {
            let Some(record) = lines.next()? else { return Ok(None) };
            if let Some(problem) = names.difference_to(&record.names) {
                return Err(FileError::new(&self.path, problem, "name another file"));
            }
            let is_kept = record.position.is_some_and(|position| positions.contains(position));
            kept = kept.saturating_add(if is_kept { record.failure.inputs() } else { 0 });
            Ok(Some(if is_kept { record.line() } else { Vec::new() }))
        })?;
        Ok(kept)
    }

    /// Sorts the failures from this position on, joins those that are parts of one range, and removes
    /// edge cases that failed with their neighbours too.
    pub(crate) fn join(&self, start: u64, schedule: &Schedule) {
        if self.error().is_none()
            && self.is_regular()
            && let Err(error) = self.sort_and_join(start, schedule)
        {
            self.set_error(error);
        }
    }

    fn sort_and_join(&self, start: u64, schedule: &Schedule) -> Result<(), FileError> {
        let failed = |error: io::Error| FileError::new(&self.path, error, UNCHANGED);
        let edges_of = |record: &FailureRecord<'_>| -> Vec<i128> {
            record.failure.numbers.into_iter().flat_map(|numbers| schedule.edges_among(numbers)).collect()
        };
        let mut sort = ExternalSort::new(folder(&self.path));
        let mut failed_with_neighbours: BTreeSet<i128> = BTreeSet::new();
        let mut lines = Lines::open(&self.path, start)?;
        while let Some(record) = lines.next()? {
            if !record.is_edge() {
                failed_with_neighbours.extend(edges_of(&record));
            }
            sort.add(record.sort_key(), record.line()).map_err(failed)?;
        }
        let is_repeated = |record: &FailureRecord<'_>| {
            let edges = if record.is_edge() { edges_of(record) } else { Vec::new() };
            !edges.is_empty() && edges.iter().all(|edge| failed_with_neighbours.contains(edge))
        };
        let mut sorted = sort.sorted().map_err(failed)?;
        // The range so far, to which the next line may belong.
        let mut range: Option<FailureRecord<'_>> = None;
        self.replace(start, || {
            for line in &mut sorted {
                let (_, line) = line.map_err(failed)?;
                let next: FailureRecord<'_> = serde_json::from_slice(&line).map_err(|e| failed(e.into()))?;
                if is_repeated(&next) || range.as_mut().is_some_and(|range| range.join(&next)) {
                    continue;
                }
                if let Some(whole) = range.replace(next) {
                    return Ok(Some(whole.line()));
                }
            }
            Ok(range.take().map(|last| last.line()))
        })
    }

    /// Replaces the lines from this position on by those that `next` returns until it returns `None`.
    fn replace(
        &self,
        start: u64,
        mut next: impl FnMut() -> Result<Option<Vec<u8>>, FileError>,
    ) -> Result<(), FileError> {
        let failed = |error: io::Error| FileError::new(&self.path, error, UNCHANGED);
        let mut file = BufWriter::new(OutputFile::reopen(&self.path).map_err(failed)?);
        let before =
            File::open(&self.path).and_then(|file_before| io::copy(&mut file_before.take(start), &mut file));
        before.map_err(failed)?;
        while let Some(line) = next()? {
            file.write_all(&line).map_err(failed)?;
        }
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.finish(&[]).map_err(failed)
    }

    fn set_error(&self, error: FileError) {
        *lock(&self.error) = Some(error);
    }
}

/// Writes the failures of one sweep to its list.
pub(crate) struct FailureWriter {
    list: Arc<FailureList>,
    names: Names,
    /// Whether the file is on a disk, unlike a device or a pipe.
    is_regular: bool,
    /// The position at which the failures of this sweep begin.
    start: u64,
    /// The file, and the end of its last whole line. There is none if no program reads a pipe, and the
    /// sweep was stopped before it began.
    file: Mutex<(Option<File>, u64)>,
}

impl FailureWriter {
    /// Writes a failure at this position. Returns whether it and those before it could be written.
    pub(crate) fn add(&self, position: i128, failure: &Failure) -> bool {
        let line = FailureRecord::new(&self.names, Some(position), Cow::Borrowed(failure)).line();
        self.attempt(|file, end| {
            let file = file.as_mut().ok_or_else(|| io::Error::other("no program reads the pipe"))?;
            if let Err(error) = file.write_all(&line) {
                if self.is_regular {
                    file.set_len(*end)?; // without the part of the line
                }
                return Err(error);
            }
            *end += line.len() as u64;
            Ok(())
        })
        .is_ok()
    }

    pub(crate) fn sync(&self) -> Result<(), FileError> {
        self.attempt(|file, _| match file {
            Some(file) if self.is_regular => file.sync_data(),
            _ => Ok(()),
        })
    }

    /// Ends the list, and returns the position at which its failures begin.
    pub(crate) fn finish(self) -> u64 {
        let _ = self.sync(); // its error is that of the list
        self.start
    }

    /// Uses the file, unless that has failed before.
    fn attempt(
        &self,
        action: impl FnOnce(&mut Option<File>, &mut u64) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let mut file = lock(&self.file);
        if let Some(error) = self.list.error() {
            return Err(error);
        }
        let (file, end) = &mut *file;
        action(file, end).map_err(|error| {
            let error = FileError::new(&self.list.path, error, SPACE);
            self.list.set_error(error.clone());
            error
        })
    }
}
