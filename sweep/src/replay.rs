//! The values that failed in an earlier sweep, so that they can be checked again.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::check::failure::Failure;
use crate::error::FileError;
use crate::merge::read_report;
use crate::plan::interval::{Interval, union};
use crate::plan::known_spaces::by_name;
use crate::plan::space::DynSpace;
use crate::plan::space_table::NamedSpace;

/// The maximum length of a line in a file of failures, in bytes.
const MAX_LINE: u64 = 1 << 16;

const RESTORE: &str = "restore the file";

/// A line in a file of failures: a failure with the type and the codec that it belongs to, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailureRecord {
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// The name of the codec.
    pub codec: String,
    /// The wire format in which its bytes were checked; `None` if it is no codec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// The failure.
    #[serde(flatten)]
    pub failure: Failure,
}

impl FailureRecord {
    /// Creates the record of a failure of this codec, in this wire format, on values of this type.
    pub fn new(value_type: &str, codec: &str, wire: Option<&str>, failure: &Failure) -> Self {
        let [value_type, codec] = [value_type, codec].map(str::to_owned);
        Self { value_type, codec, wire: wire.map(str::to_owned), failure: failure.clone() }
    }
}

/// Returns the space with this name, or one whose failures are found by their numbers only.
fn by_name_or_unknown(name: &str) -> Arc<dyn DynSpace> {
    by_name(name).unwrap_or_else(|| Arc::new(NamedSpace { name: name.to_owned(), table: None }))
}

/// The failing values of an earlier sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// The integer type; `None` if the file has no failures and does not name it.
    pub value_type: Option<String>,
    /// The name of the codec; `None` if the file has no failures and does not name it.
    pub codec: Option<String>,
    /// The wire format; `None` if the file does not name it.
    pub wire: Option<String>,
    /// The values that failed. For a failure in a call with several values, they include those
    /// around it, so that the block with the failing call is among them.
    pub values: Vec<Interval>,
    /// The number of failures of the sweep that the file does not list.
    pub unlisted: u64,
}

impl Replay {
    /// Reads the failures from a report, a checkpoint or a file of [`FailureRecord`]s, one per
    /// line.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is none of these, or contains failures of several
    /// types, codecs or wire formats.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(FileError::new(path, "not a regular file", "write it to a file first"));
        }
        let cannot_read = |error: io::Error| {
            const NAME: &str = "name a readable report or file of failures";
            FileError::new(path, format_args!("cannot be read ({error})"), NAME)
        };
        let mut lines = BufReader::new(File::open(path).map_err(cannot_read)?);
        let mut replay = Self { value_type: None, codec: None, wire: None, values: Vec::new(), unlisted: 0 };
        for number in 1.. {
            let mut line = Vec::new();
            let length = lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(cannot_read)?;
            if length == 0 {
                break;
            }
            match serde_json::from_slice(&line) {
                Ok(record) => replay.add_record(path, record)?,
                Err(_) if number == 1 => {
                    replay.add_report(path)?;
                    break;
                }
                Err(error) => {
                    let problem = format_args!("line {number} is not a failure ({error})");
                    return Err(FileError::new(path, problem, RESTORE));
                }
            }
        }
        replay.values = union(replay.values);
        Ok(replay)
    }

    fn add_report(&mut self, path: &Path) -> Result<(), FileError> {
        let report = read_report(path)?;
        self.unlisted = report.unlisted();
        let space = report.known_space().unwrap_or_else(|| by_name_or_unknown(&report.value_type));
        report.first_failures.iter().try_for_each(|failure| self.add(path, &*space, failure))?;
        (self.value_type, self.codec, self.wire) = (Some(report.value_type), Some(report.codec), report.wire);
        Ok(())
    }

    fn add_record(&mut self, path: &Path, record: FailureRecord) -> Result<(), FileError> {
        let space = by_name_or_unknown(&record.value_type);
        self.add(path, &*space, &record.failure)?;
        for (own, new, noun) in [
            (&mut self.value_type, Some(record.value_type), "types"),
            (&mut self.codec, Some(record.codec), "codecs"),
            (&mut self.wire, record.wire, "wire formats"),
        ] {
            let Some(new) = new else { continue };
            let own = own.get_or_insert_with(|| new.clone());
            if *own != new {
                let problem = format_args!("has failures of several {noun}, {own} and {new}");
                return Err(FileError::new(path, problem, "split the file"));
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, space: &dyn DynSpace, failure: &Failure) -> Result<(), FileError> {
        let inputs = failure.reproducing_inputs(space).ok_or_else(|| {
            let value: String = failure.value.escape_debug().take(100).collect();
            let problem = format_args!("the failing value '{value}' is not one of {}", space.name());
            FileError::new(path, problem, RESTORE)
        })?;
        self.values.push(inputs);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::failure::FailureKind;

    fn record(value: &str, codec: &str, block: usize) -> String {
        record_in("leb128", value, codec, block)
    }

    fn record_in(wire: &str, value: &str, codec: &str, block: usize) -> String {
        let (expected, got) = ("05".into(), "06".into());
        let failure = Failure::new(value.into(), FailureKind::WrongBytes, expected, got, block);
        serde_json::to_string(&FailureRecord::new("i8", codec, Some(wire), &failure)).unwrap() + "\n"
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
        let [value_type, codec, wire] = ["i8", "a", "leb128"].map(|name| Some(name.to_owned()));
        assert_eq!(replay, Replay { value_type, codec, wire, values: values.into(), unlisted: 0 });
        assert_eq!(read("").unwrap().values, []);
    }

    #[test]
    fn other_content_is_refused() {
        for (content, problem) in [
            (record("5", "a", 1) + &record("5", "b", 1), "several codecs, a and b"),
            (record("5", "a", 1) + "{}\n", "line 2 is not a failure"),
            (
                record("5", "a", 1) + &record_in("sleb128", "5", "a", 1),
                "several wire formats, leb128 and sleb128",
            ),
            (record("5x", "a", 1), "'5x' is not one of i8"),
            (record("128", "a", 1), "'128' is not one of i8"),
            ("text".into(), "not a report of this program"),
            (format!("\"{}", "x".repeat(100_000)), "not a report of this program"),
        ] {
            let message = read(&content).unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
    }
}
