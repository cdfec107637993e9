//! The failures that a project keeps, in a folder with one file for each subject and space.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::failure_lines::{FailureRecord, Lines, Names};
use crate::check::failure::Failure;
use crate::error::FileError;
use crate::plan::interval::{Interval, union};
use crate::plan::space::DynSpace;
use crate::report::output_file::OutputFile;
use crate::report::sweep_report::hash;
use crate::texts::grouped;

/// The number of ranges in a file.
const MAX_RANGES: usize = 1000;
/// The number of failures that wait in memory to be joined and saved.
const MAX_WAITING: usize = 4 * MAX_RANGES;
/// The number of inputs at each end of a long range that are checked again.
const END: i128 = 1 << 11;
/// The time between two saves while failures are found.
const INTERVAL: Duration = Duration::from_secs(1);

const FOLDER: &str = "name a writable folder";

/// The file with the failures of one subject in one space.
pub(crate) struct Regressions {
    path: PathBuf,
    names: Names,
    space: Arc<dyn DynSpace>,
    new: Mutex<New>,
}

/// The failures that are not saved yet.
#[derive(Default)]
struct New {
    failures: Vec<Failure>,
    /// Whether there are more than the file can have.
    has_more: bool,
    saved: Option<Instant>,
}

impl Regressions {
    /// Creates the folder if it does not exist, and checks that the file can be written.
    pub(crate) fn open(folder: &Path, names: Names, space: Arc<dyn DynSpace>) -> Result<Self, FileError> {
        let path = folder.join(file_name(&names));
        let checked = fs::create_dir_all(folder).and_then(|()| OutputFile::create(&path));
        checked.map_err(|error| FileError::new(folder, error, FOLDER))?;
        Ok(Self { path, names, space, new: Mutex::default() })
    }

    /// Returns the inputs to check again. Of a long range, these are its ends.
    pub(crate) fn inputs(&self) -> Result<Vec<Interval>, FileError> {
        let ends = |Interval { first, last }: Interval| match last - first < 2 * END {
            true => [Some(Interval { first, last }), None],
            false => [Interval::new(first, first + END - 1), Interval::new(last - END + 1, last)],
        };
        let failures = self.read()?;
        let inputs = failures.iter().filter_map(|failure| failure.reproducing_inputs(&*self.space));
        Ok(union(inputs.flat_map(ends).flatten()))
    }

    /// Reads the failures of the file, each with its numbers.
    fn read(&self) -> Result<Vec<Failure>, FileError> {
        let problem = |text: &dyn Display| FileError::new(&self.path, text, "restore the file, or remove it");
        let mut failures = Vec::new();
        if !self.path.exists() {
            return Ok(failures);
        }
        let mut lines = Lines::open(&self.path, 0)?;
        while let Some(FailureRecord { names, failure, .. }) = lines.next()? {
            if let Some(difference) = self.names.difference_to(&names) {
                return Err(problem(&difference));
            }
            let mut failure = failure.into_owned();
            failure.number(&*self.space);
            if failure.reproducing_inputs(&*self.space).is_none() {
                let (number, space) = (lines.number, self.space.name());
                return Err(problem(&format_args!(
                    "the failing value in line {number} is not one of {space}"
                )));
            }
            failures.push(failure);
        }
        if lines.is_cut { Err(problem(&"its last line is cut")) } else { Ok(failures) }
    }

    /// Adds a failure, and saves those found so far about once a second. If that fails, a later save
    /// reports it.
    pub(crate) fn add(&self, failure: &Failure) {
        let mut new = self.lock();
        if new.has_more {
            return;
        }
        new.failures.push(failure.clone());
        if new.failures.len() >= MAX_WAITING || new.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL) {
            let is_written = self.write(&mut new).is_ok();
            new.has_more |= !is_written && new.failures.len() >= MAX_WAITING;
            new.saved = Some(Instant::now());
        }
    }

    /// Saves all failures found so far. Returns a message if the file cannot have all of them.
    pub(crate) fn save(&self) -> Result<Option<String>, FileError> {
        let mut new = self.lock();
        self.write(&mut new)?;
        Ok(new.has_more.then(|| {
            format!(
                "more failures were found than the {} ranges in '{}'; --failures lists all of them",
                grouped(MAX_RANGES as u128),
                self.path.display()
            )
        }))
    }

    fn write(&self, new: &mut New) -> Result<(), FileError> {
        if new.failures.is_empty() {
            return Ok(());
        }
        // Another sweep may add to the file too. Windows cannot open a folder.
        #[cfg(unix)]
        let _lock = self.path.parent().and_then(|folder| fs::File::open(folder).ok()).inspect(|folder| {
            let _ = folder.lock(); // some file systems have no locks
        });
        let before = self.read()?;
        let mut all = joined([before.clone(), new.failures.clone()].concat());
        if all.len() > MAX_RANGES {
            // Those that are there stay.
            new.failures = joined(std::mem::take(&mut new.failures));
            new.failures.truncate(MAX_RANGES.saturating_sub(before.len()));
            all = joined([before.clone(), new.failures.clone()].concat());
            new.has_more = true;
        }
        if all != before {
            let lines = all
                .into_iter()
                .flat_map(|failure| FailureRecord::new(&self.names, None, Cow::Owned(failure)).line());
            let write = || OutputFile::reopen(&self.path)?.finish(&lines.collect::<Vec<u8>>());
            write().map_err(|error| FileError::new(&self.path, error, FOLDER))?;
        }
        new.failures.clear();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, New> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the failures in the order of their inputs, without those whose inputs others have too.
/// Neighbours that fail alike are joined.
fn joined(mut failures: Vec<Failure>) -> Vec<Failure> {
    failures.retain(|failure| failure.numbers.is_some());
    failures.sort_by_key(|failure| failure.numbers.map(|numbers| (numbers.first, Reverse(numbers.last))));
    failures.dedup_by(|next, last| {
        let mut rest = next.clone();
        if let (Some(last), Some(rest)) = (last.numbers, &mut rest.numbers) {
            rest.first = rest.first.max(last.last + 1);
        }
        last.covers(next) || last.join(&rest)
    });
    failures
}

/// Returns the name of the file, from which a reader knows the subject. Names that no file can have
/// differ by a hash.
fn file_name(names: &Names) -> String {
    const LONGEST: usize = 80;
    let Names { value_type, codec, wire } = names;
    let name = [Some(value_type), Some(codec), wire.as_ref()].into_iter().flatten();
    let name = name.map(String::as_str).collect::<Vec<_>>().join("-");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut plain: String = name.chars().take(LONGEST).map(|c| if is_plain(c) { c } else { '-' }).collect();
    if plain != name {
        plain = format!("{plain}-{}", &hash(name.as_bytes())[..8]);
    }
    plain + ".jsonl"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::failure::FailureKind;
    use crate::plan::space_names::by_name;

    fn failure(first: i128, last: i128) -> Failure {
        let mut failure = Failure::new(first.to_string(), FailureKind::WrongValue, "a".into(), "b".into(), 1);
        failure.last = (first < last).then(|| last.to_string());
        failure.numbers = Interval::new(first, last);
        failure
    }

    fn names(codec: &str) -> Names {
        Names { value_type: "i32".into(), codec: codec.into(), wire: None }
    }

    fn open(folder: &Path) -> Regressions {
        Regressions::open(folder, names("mine"), by_name("i32").unwrap()).unwrap()
    }

    fn ranges(regressions: &Regressions) -> Vec<(i128, i128)> {
        let numbers = |failure: Failure| failure.numbers.map(|range| (range.first, range.last)).unwrap();
        regressions.read().unwrap().into_iter().map(numbers).collect()
    }

    #[test]
    fn failures_of_several_sweeps_are_sorted_and_joined() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/folder");
        for sweep in [&[(7, 7), (-5, -5), (100, 300)][..], &[(7, 7), (8, 9), (200, 400)], &[]] {
            let regressions = open(&path);
            sweep.iter().for_each(|&(first, last)| regressions.add(&failure(first, last)));
            assert_eq!(regressions.save(), Ok(None));
        }
        let regressions = open(&path);
        assert_eq!(ranges(&regressions), [(-5, -5), (7, 9), (100, 400)]);
        let content = fs::read_to_string(path.join("i32-mine.jsonl")).unwrap();
        assert_eq!(
            content.lines().next().unwrap(),
            concat!(
                r#"{"type":"i32","codec":"mine","value":"-5","kind":"wrong_value","expected":"a","got":"b","#,
                r#""block":1,"numbers":["-5","-5"]}"#
            )
        );
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
    }

    #[test]
    fn a_file_has_at_most_a_thousand_ranges_and_keeps_the_earlier_ones() {
        let folder = tempfile::tempdir().unwrap();
        let regressions = open(folder.path());
        regressions.add(&failure(1_000_000, 1_000_000));
        assert_eq!(regressions.save(), Ok(None));
        (0..10_000).for_each(|number| regressions.add(&failure(2 * number, 2 * number)));
        let message = regressions.save().unwrap().unwrap();
        assert!(message.contains("than the 1,000 ranges in "), "{message}");
        let ranges = ranges(&regressions);
        assert_eq!((ranges.len(), ranges[999]), (1000, (1_000_000, 1_000_000)));
    }

    #[test]
    fn other_content_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let regressions = open(folder.path());
        let line = |codec, failure| {
            let line = FailureRecord::new(&names(codec), None, Cow::Owned(failure)).line();
            String::from_utf8(line).unwrap()
        };
        for (content, problem) in [
            (line("other", failure(5, 5)), "several codecs, mine and other"),
            (line("mine", failure(5, 5)) + "<<<<<<< ours\n", "line 2 is not a failure"),
            (line("mine", failure(5, 5)).trim_end_matches("}\n").into(), "its last line is cut"),
            (line("mine", Failure { numbers: None, ..failure(1 << 40, 1 << 40) }), "is not one of i32"),
        ] {
            fs::write(&regressions.path, &content).unwrap();
            let message = regressions.inputs().unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
            regressions.add(&failure(7, 7));
            assert!(regressions.save().is_err());
            assert_eq!(fs::read_to_string(&regressions.path).unwrap(), content);
        }
    }

    #[test]
    fn the_name_of_a_file_is_that_of_the_subject() {
        assert_eq!(file_name(&names("bulk")), "i32-bulk.jsonl");
        let names = ["exec: ./a b", "exec: ./a-b", &"x".repeat(1000)].map(|name| file_name(&names(name)));
        assert!(names[0].starts_with("i32-exec--.-a-b-") && names[1].starts_with("i32-exec--.-a-b-"));
        assert!(names[0] != names[1] && names[2].len() < 100, "{names:?}");
    }
}
