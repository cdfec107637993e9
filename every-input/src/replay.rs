//! The values that failed in an earlier sweep, so that they can be checked again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::check::failure::Failure;
use crate::error::FileError;
use crate::plan::collector::Collector;
use crate::plan::interval::Interval;
use crate::plan::interval_set::IntervalSet;
use crate::plan::space::ErasedSpace;
use crate::plan::space_names::{by_name, named};
use crate::report::sweep_report::Report;
use crate::state::failure_lines::{FailureRecord, Lines, Names};

/// Returns the space with this name, or one whose failures are found by their numbers only.
fn by_name_or_unknown(name: &str) -> Arc<ErasedSpace> {
    by_name(name).unwrap_or_else(|| Arc::new(named(name, None)))
}

/// The failing values of an earlier sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// The integer type, or the name of another space.
    pub value_type: String,
    /// The name of the codec.
    pub codec: String,
    /// The wire format; `None` if no codec was checked.
    pub wire: Option<String>,
    /// The values that failed. For a failure in a call with several values, they include those
    /// around it, so that the block with the failing call is among them.
    pub values: IntervalSet,
    /// The number of failures of the sweep that the file does not list.
    pub unlisted: u64,
    /// Whether the last line of a list is cut and was left out.
    pub is_cut: bool,
}

impl Replay {
    /// Reads the failures from standard input, as [`read`](Self::read) does from a file.
    ///
    /// # Errors
    ///
    /// Returns the errors of that function.
    pub fn read_stdin() -> Result<Self, FileError> {
        Self::read_copy(Path::new("standard input"), || Ok(io::stdin()))
    }

    /// Reads the failures from a pipe. A report is read twice.
    fn read_copy<R: Read>(name: &Path, open: impl FnOnce() -> io::Result<R>) -> Result<Self, FileError> {
        let copy = NamedTempFile::new().and_then(|mut copy| {
            io::copy(&mut open()?, &mut copy)?;
            Ok(copy)
        });
        let copy = copy.map_err(|error| FileError::new(name, error, "name a file"))?;
        Self::read(copy.path()).map_err(|error| FileError { file: name.display().to_string(), ..error })
    }

    /// Reads the failures from a report, a checkpoint or a [`FailureList`](crate::FailureList).
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is none of these, has no failures, or has those of
    /// several types, codecs or wire formats.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Self::read_copy(path, || File::open(path));
        }
        let mut lines = Lines::open(path, 0)?;
        let (mut of_all, mut values, mut unlisted) = (None, Collector::new(), 0);
        loop {
            match lines.next() {
                Ok(Some(FailureRecord { names, failure, .. })) => {
                    let new = || (by_name_or_unknown(&names.value_type), names.clone().into_owned());
                    let (space, of_all) = of_all.get_or_insert_with(new);
                    if let Some(problem) = of_all.difference_to(&names) {
                        return Err(FileError::new(path, problem, "split the file"));
                    }
                    let at_line = |problem| format!("line {}: {problem}", lines.number);
                    let found = inputs(space, &failure);
                    values.add(found.map_err(|problem| FileError::new(path, at_line(problem), RESTORE))?)?;
                }
                Err(_) if lines.may_be_report => {
                    let report = Report::read(path)?;
                    unlisted = report.unlisted();
                    let space =
                        report.known_space().unwrap_or_else(|| by_name_or_unknown(&report.value_type));
                    for failure in &report.first_failures {
                        let found = inputs(&space, failure);
                        values.add(found.map_err(|problem| FileError::new(path, problem, RESTORE))?)?;
                    }
                    of_all = Some((space, Names::of(&report)));
                    break;
                }
                Ok(None) => break,
                Err(error) => return Err(error),
            }
        }
        let values = values.finish()?;
        let Some((_, Names { value_type, codec, wire })) = of_all.filter(|_| !values.is_empty()) else {
            const NAME: &str = "name the report or list of a sweep that failed";
            let cut = if lines.is_cut { " (its only line is cut)" } else { "" };
            return Err(FileError::new(path, format_args!("lists no failures{cut}"), NAME));
        };
        Ok(Self { value_type, codec, wire, values, unlisted, is_cut: lines.is_cut })
    }
}

const RESTORE: &str = "restore the file";

/// Returns the inputs with which a failure can be reproduced, or a problem with it.
fn inputs(space: &ErasedSpace, failure: &Failure) -> Result<Interval, String> {
    let value = || failure.value.escape_debug().take(100).collect::<String>();
    let are_others = |(own, by_texts)| own != by_texts;
    if failure.numbers.zip(failure.inputs_by_texts(space)).is_some_and(are_others) {
        return Err(format!("the numbers of the failing value '{}' are others", value()));
    }
    let inputs = failure.reproducing_inputs(space);
    inputs.ok_or_else(|| format!("the failing value '{}' is not one of {}", value(), space.name))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::check::failure::FailureKind;

    fn record(value: &str, codec: &str, block: usize) -> String {
        record_in("leb128", value, codec, block)
    }

    fn record_in(wire: &str, value: &str, codec: &str, block: usize) -> String {
        let (expected, got) = ("05".into(), "06".into());
        let failure = Failure::new(value.into(), FailureKind::WrongBytes, expected, got, block);
        let names = Names { value_type: "i8".into(), codec: codec.into(), wire: Some(wire.into()) };
        String::from_utf8(FailureRecord::new(&names, None, Cow::Owned(failure)).line()).unwrap()
    }

    fn numbered(first: &str, last: &str) -> String {
        let numbers = format!("\"block\":1,\"numbers\":[\"{first}\",\"{last}\"]");
        record("5", "a", 1).replace("\"block\":1", &numbers)
    }

    fn read(content: &str) -> Result<Replay, FileError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, content).unwrap();
        Replay::read(file.path())
    }

    #[test]
    fn records_are_read_as_values() {
        let replay = read(&(record("5", "a", 1) + &record("-7", "a", 1) + &record("100", "a", 64))).unwrap();
        let values = [(-7, -7), (5, 5), (37, 127)].map(|(first, last)| Interval { first, last });
        let (value_type, codec, wire) = ("i8".into(), "a".into(), Some("leb128".into()));
        let expected = Replay {
            value_type,
            codec,
            wire,
            values: IntervalSet::of(values.into()),
            unlisted: 0,
            is_cut: false,
        };
        assert_eq!(replay, expected);
        let long = record("5", "a", 1).replace("06", &"x".repeat(400_000));
        let five = IntervalSet::of(vec![Interval { first: 5, last: 5 }]);
        assert_eq!(read(&long).unwrap().values, five);
        let cut = record("5", "a", 1) + record("7", "a", 1).trim_end_matches("}\n");
        let cut = read(&cut).unwrap();
        assert_eq!((cut.values, cut.is_cut), (five, true));
    }

    #[test]
    fn other_content_is_refused() {
        for (content, problem) in [
            (record("5", "a", 1) + &record("5", "b", 1), "several codecs, a and b"),
            (record("5", "a", 1) + &record_in("any", "5", "a", 1), "several wire formats, leb128 and any"),
            (record("5", "a", 1) + "{}", "line 2 is not a failure"),
            (String::new(), "lists no failures"),
            (record("5x", "a", 1), "line 1: the failing value '5x' is not one of i8"),
            (record("128", "a", 1), "'128' is not one of i8"),
            (numbered("5", "x"), "line 1 is not a failure ('x' is not a valid number"),
            (numbered("5", "4"), "line 1 is not a failure (5 to 4 is not an interval"),
            (numbered("6", "6"), "line 1: the numbers of the failing value '5' are others"),
            (record("5", "a", 1) + &numbered("5", "6"), "line 2: the numbers of the failing value '5'"),
            (
                record("5", "a", 1).replace("\"block\":1", "\"block\":-1"),
                "line 1 is not a failure (invalid value",
            ),
            (record("5", "a", 1).replace("}\n", ""), "lists no failures (its only line is cut)"),
            ("{}\n".into(), "line 1 is not a failure (missing field `type`"),
            ("{\"format\":2}".into(), "not a report of this program (missing field `program`"),
            ("text".into(), "not a report of this program"),
            (format!("\"{}", "x".repeat(100_000)), "not a report of this program"),
        ] {
            let message = read(&content).unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
    }
}
