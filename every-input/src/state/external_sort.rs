//! Sorting in bounded memory: sorted runs in temporary files, which are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The size in bytes of the records that are sorted in memory.
const RUN: usize = 4 << 20;
/// The number of runs that are merged at a time. Each is an open file.
const WAYS: usize = 64;

/// Sorts records by their keys. Those with the same key keep their order.
pub(crate) struct ExternalSort {
    /// Where the temporary files are. They have no names.
    folder: PathBuf,
    records: Vec<(i128, Vec<u8>)>,
    /// The size of these in bytes, and the greatest one.
    size: usize,
    most: usize,
    /// The files with a sorted run each. Those of a level are the merged ones of the level below, and
    /// have the records before its own.
    levels: Vec<Vec<File>>,
}

impl ExternalSort {
    pub(crate) fn new(folder: &Path) -> Self {
        let (records, levels) = (Vec::new(), Vec::new());
        Self { folder: folder.to_owned(), records, size: 0, most: RUN, levels }
    }

    pub(crate) fn add(&mut self, key: i128, record: Vec<u8>) -> io::Result<()> {
        self.size += size_of::<(i128, Vec<u8>)>() + record.len();
        self.records.push((key, record));
        if self.size < self.most {
            return Ok(());
        }
        let run = self.sorted_records().map(Ok);
        let mut file = write(&self.folder, run)?;
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(file);
            if self.levels[level].len() < WAYS {
                break;
            }
            file = write(&self.folder, Sorted::of(self.levels[level].drain(..), Vec::new())?)?;
        }
        Ok(())
    }

    /// Returns the records in order.
    pub(crate) fn sorted(mut self) -> io::Result<Sorted> {
        let last = self.sorted_records().collect();
        Sorted::of(self.levels.into_iter().rev().flatten(), last)
    }

    fn sorted_records(&mut self) -> impl Iterator<Item = (i128, Vec<u8>)> + use<> {
        self.size = 0;
        let mut records = std::mem::take(&mut self.records);
        records.sort_by_key(|(key, _)| *key);
        records.into_iter()
    }
}

/// Writes sorted records to a temporary file.
fn write(folder: &Path, records: impl Iterator<Item = io::Result<(i128, Vec<u8>)>>) -> io::Result<File> {
    let mut file = BufWriter::new(tempfile::tempfile_in(folder)?);
    for record in records {
        let (key, record) = record?;
        file.write_all(&key.to_le_bytes())?;
        file.write_all(&(record.len() as u32).to_le_bytes())?;
        file.write_all(&record)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)
}

/// The records of several runs in order.
pub(crate) struct Sorted {
    /// The next record of each run, with the number of the run.
    next: BinaryHeap<Reverse<(i128, usize, Vec<u8>)>>,
    files: Vec<BufReader<File>>,
    last: std::vec::IntoIter<(i128, Vec<u8>)>,
}

impl Sorted {
    /// Merges files with sorted runs, and a run in memory, which is after them.
    fn of(files: impl Iterator<Item = File>, last: Vec<(i128, Vec<u8>)>) -> io::Result<Self> {
        let mut sorted = Self { next: BinaryHeap::new(), files: Vec::new(), last: last.into_iter() };
        for mut file in files {
            file.rewind()?;
            sorted.files.push(BufReader::new(file));
        }
        (0..=sorted.files.len()).try_for_each(|run| sorted.advance(run))?;
        Ok(sorted)
    }

    /// Reads the next record of a run.
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let record = match self.files.get_mut(run) {
            Some(file) => read(file)?,
            None => self.last.next(),
        };
        self.next.extend(record.map(|(key, record)| Reverse((key, run, record))));
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = io::Result<(i128, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((key, run, record)) = self.next.pop()?;
        Some(self.advance(run).map(|()| (key, record)))
    }
}

fn read(file: &mut BufReader<File>) -> io::Result<Option<(i128, Vec<u8>)>> {
    let (mut key, mut length) = ([0; 16], [0; 4]);
    match file.read_exact(&mut key) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    file.read_exact(&mut length)?;
    let mut record = vec![0; u32::from_le_bytes(length) as usize];
    file.read_exact(&mut record)?;
    Ok(Some((i128::from_le_bytes(key), record)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More runs than are merged at a time.
    #[test]
    fn records_are_sorted_by_their_keys_and_then_by_their_order() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0u64, 1, 1000, 70_000] {
            let mut sort = ExternalSort { most: 4096, ..ExternalSort::new(folder.path()) };
            let key = |index: u64| i128::from(index.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 30_000) - 10_000;
            for index in 0..count {
                let mut record = index.to_le_bytes().to_vec();
                record.resize(8 + (index % 7) as usize, 0);
                sort.add(key(index), record).unwrap();
            }
            let mut expected: Vec<_> = (0..count).map(|index| (key(index), index)).collect();
            expected.sort_unstable();
            let sorted = sort.sorted().unwrap().map(|record| {
                let (key, record) = record.unwrap();
                (key, u64::from_le_bytes(*record.first_chunk().unwrap()))
            });
            assert!(sorted.eq(expected));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
