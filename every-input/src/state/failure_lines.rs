//! The lines of a list of failures, and how they are read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::check::failure::Failure;
use crate::error::FileError;
use crate::report::decimal;
use crate::report::sweep_report::Report;

/// The maximum length of a line in bytes. It has at most eight texts that are bounded, of which JSON
/// writes a byte as six at most.
const MAX_LINE: u64 = 32 << 20;

/// What the failures belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Names {
    #[serde(rename = "type")]
    pub(crate) value_type: String,
    pub(crate) codec: String,
    /// The wire format in which the bytes of a codec were checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wire: Option<String>,
}

impl Names {
    pub(crate) fn of(report: &Report) -> Self {
        let Report { value_type, codec, wire, .. } = report;
        Self { value_type: value_type.clone(), codec: codec.clone(), wire: wire.clone() }
    }

    /// Returns a problem with failures that belong to these and to others, if they differ.
    pub(crate) fn difference_to(&self, other: &Self) -> Option<String> {
        let wire = |names: &Self| names.wire.clone().unwrap_or_else(|| "none".into());
        let pairs = [
            ("types", self.value_type.clone(), other.value_type.clone()),
            ("codecs", self.codec.clone(), other.codec.clone()),
            ("wire formats", wire(self), wire(other)),
        ];
        let (noun, own, other) = pairs.into_iter().find(|(_, own, other)| own != other)?;
        Some(format!("has failures of several {noun}, {own} and {other}"))
    }
}

/// A line: a failure with what it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FailureRecord<'f> {
    #[serde(flatten)]
    pub(crate) names: Cow<'f, Names>,
    /// The position in the schedule of the block that failed, unless the failure was joined with others.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "decimal::optional")]
    pub(crate) position: Option<i128>,
    #[serde(flatten)]
    pub(crate) failure: Cow<'f, Failure>,
}

impl<'f> FailureRecord<'f> {
    pub(crate) fn new(names: &'f Names, position: Option<i128>, failure: Cow<'f, Failure>) -> Self {
        Self { names: Cow::Borrowed(names), position, failure }
    }

    pub(crate) fn line(&self) -> Vec<u8> {
        // Texts and numbers can always be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Returns whether this is the failure of an edge case before all other inputs.
    pub(crate) fn is_edge(&self) -> bool {
        self.position.is_some_and(|position| position < 0)
    }

    /// Returns the key by which records are in the order of their inputs, those that can join after each
    /// other.
    pub(crate) fn sort_key(&self) -> i128 {
        let number = self.failure.numbers.map_or(i128::MIN, |numbers| 2 * numbers.first);
        number + i128::from(!self.failure.can_join())
    }

    /// Adds the inputs of another record if they are the next ones and fail alike. Returns whether they are.
    pub(crate) fn join(&mut self, next: &Self) -> bool {
        let is_joined = self.failure.to_mut().join(&next.failure);
        self.position = self.position.filter(|_| !is_joined);
        is_joined
    }
}

pub(crate) struct Lines<'p> {
    path: &'p Path,
    reader: BufReader<File>,
    /// The number of lines read so far.
    pub(crate) number: u64,
    /// Whether the last line was left out, because a killed process or a full disk has cut it.
    pub(crate) is_cut: bool,
    /// Whether the first line is no failure, and may be that of a report.
    pub(crate) may_be_report: bool,
}

impl<'p> Lines<'p> {
    pub(crate) fn open(path: &'p Path, start: u64) -> Result<Self, FileError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(start))?;
            Ok(BufReader::new(file))
        };
        let reader = open().map_err(|error| cannot_read(path, &error))?;
        Ok(Self { path, reader, number: 0, is_cut: false, may_be_report: false })
    }

    /// Reads the next line, or returns `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<FailureRecord<'static>>, FileError> {
        let mut text = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut text);
        if read.map_err(|error| cannot_read(self.path, &error))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let rest = self.reader.fill_buf().map_err(|error| cannot_read(self.path, &error))?;
        let is_last = text.first() == Some(&b'{') && text.last() != Some(&b'\n') && rest.is_empty();
        match serde_json::from_slice(&text) {
            Ok(record) => Ok(Some(record)),
            Err(error) if error.is_eof() && is_last => {
                self.is_cut = true;
                Ok(None)
            }
            Err(error) => {
                self.may_be_report = self.number == 1 && !is_of_list(&text);
                let problem = format_args!("line {} is not a failure ({error})", self.number);
                Err(FileError::new(self.path, problem, "restore the file"))
            }
        }
    }
}

/// Returns whether a line is an object, but not that of a whole report or checkpoint.
fn is_of_list(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Either {
        format: Option<IgnoredAny>,
        checkpoint: Option<IgnoredAny>,
    }
    matches!(serde_json::from_slice(line), Ok(Either { format: None, checkpoint: None }))
}

fn cannot_read(path: &Path, error: &io::Error) -> FileError {
    const NAME: &str = "name a readable report or list of failures";
    FileError::new(path, format_args!("cannot be read ({error})"), NAME)
}
