//! Sorted, disjoint intervals in a temporary file without a name, of which a few pages are in memory.

use std::env;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, OnceLock};

use twox_hash::XxHash64;

use crate::check::panics::lock;
use crate::error::FileError;
use crate::plan::interval::Interval;

/// The number of intervals that are read at a time.
pub(crate) const PAGE: usize = 512;
/// The number of pages in memory. Threads that read different parts of the file rarely need the same.
const CACHED: usize = 16;

/// An interval of a set, with the number of integers of the set before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) interval: Interval,
    pub(crate) before: i128,
}

/// An interval in the file: its first and its last integer, from the first one of the file on, and the
/// number of integers before it.
type Record = [u64; 3];
const FIRST: usize = 0;
const BEFORE: usize = 2;

/// The intervals, which are within 2^64 integers.
pub(crate) struct IntervalFile {
    file: Mutex<File>,
    /// The number of intervals in a page.
    page: usize,
    /// The first record of each page.
    firsts: Vec<Record>,
    /// The pages in memory, each at its number modulo their number.
    cached: [Mutex<(Option<usize>, Vec<Record>)>; CACHED],
    base: i128,
    pub(crate) len: u64,
    /// The number of integers.
    pub(crate) count: u128,
    pub(crate) hash: u64,
    /// Why a page could not be read.
    pub(crate) error: OnceLock<io::Error>,
}

impl IntervalFile {
    /// Returns the interval with this number; `None` if there is none, or after an error.
    pub(crate) fn get(&self, index: u64) -> Option<Placed> {
        if index >= self.len {
            return None;
        }
        let (page, at) = ((index / self.page as u64) as usize, (index % self.page as u64) as usize);
        self.in_page(page, |records| records.get(at).copied())
    }

    /// Returns the last interval that has at most this number of integers before it, and its number.
    pub(crate) fn last_after(&self, before: i128) -> Option<(u64, Placed)> {
        self.last_with(BEFORE, before)
    }

    /// Returns the last interval that begins at or before an integer, and its number.
    pub(crate) fn last_from(&self, integer: i128) -> Option<(u64, Placed)> {
        self.last_with(FIRST, integer.checked_sub(self.base)?)
    }

    fn last_with(&self, field: usize, most: i128) -> Option<(u64, Placed)> {
        let most = u64::try_from(most.min(u64::MAX.into())).ok()?;
        let is_before = |record: &Record| record[field] <= most;
        let page = self.firsts.partition_point(is_before).checked_sub(1)?;
        let mut index = 0;
        let placed = self.in_page(page, |records| {
            index = records.partition_point(is_before).checked_sub(1)?;
            records.get(index).copied()
        })?;
        Some(((page * self.page + index) as u64, placed))
    }

    /// Finds a record in a page.
    fn in_page(&self, page: usize, find: impl FnOnce(&[Record]) -> Option<Record>) -> Option<Placed> {
        let mut cached = lock(&self.cached[page % CACHED]);
        let (number, records) = &mut *cached;
        if *number != Some(page) {
            *number = None;
            match self.read(page) {
                Ok(read) => (*number, *records) = (Some(page), read),
                Err(error) => {
                    let _ = self.error.set(error); // the first one says it all
                    return None;
                }
            }
        }
        let [first, last, before] = find(records)?.map(i128::from);
        Some(Placed { interval: Interval::new(self.base + first, self.base + last)?, before })
    }

    fn read(&self, page: usize) -> io::Result<Vec<Record>> {
        let from = page as u64 * self.page as u64;
        let mut bytes = vec![0; size_of::<Record>() * (self.len - from).min(self.page as u64) as usize];
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(from * size_of::<Record>() as u64))?;
        file.read_exact(&mut bytes)?;
        let numbers = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        Ok(Vec::from_iter(numbers).as_chunks().0.to_vec())
    }
}

/// Writes intervals in order. Those that overlap or are neighbours are joined.
pub(crate) struct IntervalWriter {
    file: BufWriter<File>,
    page: usize,
    firsts: Vec<Record>,
    base: i128,
    /// The last interval, which the next one may join.
    pub(crate) last: Interval,
    len: u64,
    count: u128,
    hash: XxHash64,
}

impl IntervalWriter {
    /// Creates a file with pages of this number of intervals, of which this is the first.
    pub(crate) fn new(page: usize, first: Interval) -> io::Result<Self> {
        let (file, hash) = (BufWriter::new(tempfile::tempfile()?), XxHash64::with_seed(0));
        let (base, firsts) = (first.first, Vec::new());
        Ok(Self { file, page, firsts, base, last: first, len: 0, count: 0, hash })
    }

    /// Adds an interval that does not begin before the last one.
    pub(crate) fn add(&mut self, next: Interval) -> io::Result<()> {
        if next.first <= self.last.last + 1 {
            self.last.last = self.last.last.max(next.last);
            return Ok(());
        }
        self.write_last()?;
        self.last = next;
        Ok(())
    }

    fn write_last(&mut self) -> io::Result<()> {
        let Interval { first, last } = self.last;
        let record = [(first - self.base) as u64, (last - self.base) as u64, self.count as u64];
        if self.len.is_multiple_of(self.page as u64) {
            self.firsts.push(record);
        }
        let bytes = record.map(u64::to_le_bytes);
        self.hash.write(bytes.as_flattened());
        self.file.write_all(bytes.as_flattened())?;
        self.len += 1;
        self.count += self.last.count();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<IntervalFile> {
        self.write_last()?;
        self.hash.write_i128(self.base);
        let Self { file, page, firsts, base, len, count, hash, .. } = self;
        let file = Mutex::new(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        let (cached, hash) = (Default::default(), hash.finish());
        Ok(IntervalFile { file, page, firsts, cached, base, len, count, hash, error: OnceLock::new() })
    }
}

/// Returns the error of a temporary file.
pub(crate) fn cannot_use(error: &io::Error) -> FileError {
    const SPACE: &str = "free some space there, or set TMPDIR to another folder";
    FileError::new(&env::temp_dir(), format_args!("a temporary file cannot be used ({error})"), SPACE)
}
