//! The lines of a list of failures: reading, and joining those that are parts of one range.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::check::failure::Failure;
use crate::error::FileError;
use crate::plan::interval::Interval;
use crate::plan::interval::UnitSet;
use crate::plan::schedule::Schedule;
use crate::report::output_file::OutputFile;
use crate::report::sweep_report::Report;

/// The maximum length of a line in bytes. It may quote 64 KiB that a child has written.
const MAX_LINE: u64 = 1 << 19;
/// The number of ranges that may wait for their neighbours.
const MAX_OPEN: usize = 1 << 12;
/// The number of joined ranges; the parts of others stay apart.
const MAX_JOINED: usize = 1 << 16;

const RESTORE: &str = "restore the file";
const NAME: &str = "name a readable report or list of failures";

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
    /// Returns those of a sweep with this report.
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
    /// The unit of the schedule, unless the failure was joined with those of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<u64>,
    #[serde(flatten)]
    pub(crate) failure: Cow<'f, Failure>,
}

impl<'f> FailureRecord<'f> {
    pub(crate) fn new(names: &'f Names, unit: Option<u64>, failure: Cow<'f, Failure>) -> Self {
        Self { names: Cow::Borrowed(names), unit, failure }
    }

    /// Returns the line.
    pub(crate) fn line(&self) -> Vec<u8> {
        // Texts and numbers can always be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// What the next line of a file is.
pub(crate) enum Line<R> {
    Record(R),
    /// The last line, which a killed process or a full disk has cut.
    Cut,
    /// Something else, with the problem.
    Other(FileError),
}

/// Where the failure of a line is. This is read several times as fast as the whole record.
#[derive(Deserialize)]
struct Place {
    unit: Option<u64>,
    numbers: Option<Interval>,
}

/// The lines of a file.
pub(crate) struct Lines<'p> {
    path: &'p Path,
    reader: BufReader<File>,
    /// The number of lines read so far.
    pub(crate) number: u64,
    /// The last line as it is in the file.
    text: Vec<u8>,
}

impl<'p> Lines<'p> {
    /// Opens a file, to read it from this position on.
    pub(crate) fn open(path: &'p Path, start: u64) -> Result<Self, FileError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(start))?;
            Ok(BufReader::new(file))
        };
        let reader = open().map_err(|error| cannot_read(path, &error))?;
        Ok(Self { path, reader, number: 0, text: Vec::new() })
    }

    /// Reads the next line, or returns `None` at the end.
    pub(crate) fn next<R: DeserializeOwned>(&mut self) -> Result<Option<Line<R>>, FileError> {
        self.text.clear();
        let read = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.text);
        if read.map_err(|error| cannot_read(self.path, &error))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(match serde_json::from_slice(&self.text) {
            Ok(record) => Line::Record(record),
            Err(error) if error.is_eof() && self.text.first() == Some(&b'{') && self.is_last()? => Line::Cut,
            Err(error) => Line::Other(self.not_a_failure(&error)),
        }))
    }

    fn not_a_failure(&self, error: &serde_json::Error) -> FileError {
        let problem = format_args!("line {} is not a failure ({error})", self.number);
        FileError::new(self.path, problem, RESTORE)
    }

    /// Returns whether the line is the last one of the file, and has no end.
    fn is_last(&mut self) -> Result<bool, FileError> {
        let rest = self.reader.fill_buf().map_err(|error| cannot_read(self.path, &error))?;
        Ok(self.text.last() != Some(&b'\n') && rest.is_empty())
    }

    /// Reads the next line of a list that a sweep has written, or returns `None` at its end.
    fn next_place(&mut self) -> Result<Option<Place>, FileError> {
        match self.next()? {
            Some(Line::Record(place)) => Ok(Some(place)),
            Some(Line::Other(error)) => Err(error),
            Some(Line::Cut) | None => Ok(None),
        }
    }

    /// Returns the whole record of the last line.
    fn record(&self) -> Result<FailureRecord<'static>, FileError> {
        serde_json::from_slice(&self.text).map_err(|error| self.not_a_failure(&error))
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> FileError {
    FileError::new(path, format_args!("cannot be read ({error})"), NAME)
}

/// Removes all failures but those of some units. Returns the number of failing inputs that are left.
pub(crate) fn keep(path: &Path, names: &Names, units: &UnitSet) -> Result<u64, FileError> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(0);
    }
    let mut kept = 0u64;
    rewrite(path, 0, &[], |_, lines| {
        let record = lines.record()?;
        if let Some(problem) = names.difference_to(&record.names) {
            return Err(FileError::new(path, problem, "name another file"));
        }
        let is_kept = record.unit.is_some_and(|unit| units.contains(unit));
        kept = kept.saturating_add(if is_kept { record.failure.inputs() } else { 0 });
        Ok(is_kept)
    })?;
    Ok(kept)
}

/// Joins the failures from this position on with their neighbours in other units, and removes edge
/// cases that failed with their neighbours too.
pub(crate) fn join(path: &Path, start: u64, schedule: &Schedule) -> Result<(), FileError> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let (mut ranges, mut failed_edges, mut alone) = (Ranges::default(), BTreeSet::new(), Vec::new());
    let mut lines = Lines::open(path, start)?;
    let mut list_names = None;
    while let Some(Place { unit, numbers }) = lines.next_place()? {
        let Some(numbers) = numbers else { continue };
        if unit == Some(0) {
            alone.extend(schedule.edges_among(numbers));
        } else {
            failed_edges.extend(schedule.edges_among(numbers));
            if schedule.touches_another_unit(numbers) {
                ranges.add(lines.record()?.failure.into_owned());
            }
        }
        if list_names.is_none() {
            list_names = Some(lines.record()?.names.into_owned());
        }
    }
    let joined = ranges.finish();
    let Some(names) = list_names else { return Ok(()) };
    if joined.is_empty() && !alone.iter().any(|edge| failed_edges.contains(edge)) {
        return Ok(());
    }
    let more: Vec<_> =
        joined.values().map(|failure| FailureRecord::new(&names, None, Cow::Borrowed(failure))).collect();
    rewrite(path, start, &more, |Place { unit, numbers }, lines| {
        let Some(numbers) = numbers else { return Ok(true) };
        if unit == Some(0) {
            return Ok(schedule.edges_among(numbers).any(|edge| !failed_edges.contains(&edge)));
        }
        let range = joined.range(..=numbers.first).next_back().map(|(_, range)| range);
        let is_inside = |range: &&Failure| range.numbers.is_some_and(|range| range.contains(numbers.last));
        let Some(range) = range.filter(is_inside) else { return Ok(true) };
        Ok(!range.is_alike(&lines.record()?.failure))
    })
}

/// Replaces the file with its content before `start`, the lines from there on that `is_kept`
/// selects, and `more` records. A line that is cut is removed.
fn rewrite(
    path: &Path,
    start: u64,
    more: &[FailureRecord<'_>],
    mut is_kept: impl FnMut(Place, &Lines<'_>) -> Result<bool, FileError>,
) -> Result<(), FileError> {
    const SPACE: &str = "free some space; the list is unchanged";
    let failed = |error: io::Error| FileError::new(path, error, SPACE);
    let file = OutputFile::reopen(path).map_err(failed)?;
    let mut file = BufWriter::new(file);
    let copy = |file: &mut BufWriter<_>| io::copy(&mut File::open(path)?.take(start), file);
    copy(&mut file).map_err(failed)?;
    let mut lines = Lines::open(path, start)?;
    while let Some(place) = lines.next_place()? {
        if is_kept(place, &lines)? {
            file.write_all(&lines.text).map_err(failed)?;
        }
    }
    for record in more {
        file.write_all(&record.line()).map_err(failed)?;
    }
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.finish(&[]).map_err(failed)
}

/// Ranges that begin or end with a unit, by their first number.
#[derive(Default)]
struct Ranges {
    /// Those that may have further neighbours, and whether they were joined.
    open: BTreeMap<i128, (Failure, bool)>,
    /// Those that were joined.
    joined: BTreeMap<i128, Failure>,
}

impl Ranges {
    /// Adds a range, joined with its neighbours, unless it cannot have any.
    fn add(&mut self, mut failure: Failure) {
        let Some(numbers) = failure.numbers.filter(|_| failure.can_join()) else { return };
        let (mut first, mut is_joined) = (numbers.first, false);
        if self.open.contains_key(&first) {
            return;
        }
        if let Some((&before, (range, _))) = self.open.range_mut(..first).next_back()
            && range.join(&failure)
            && let Some((range, _)) = self.open.remove(&before)
        {
            (failure, first, is_joined) = (range, before, true);
        }
        if let Some((&after, (range, _))) = self.open.range(first..).next()
            && failure.join(range)
        {
            self.open.remove(&after);
            is_joined = true;
        }
        self.open.insert(first, (failure, is_joined));
        // Units are claimed in order, so further neighbours have greater numbers.
        if self.open.len() > MAX_OPEN {
            for _ in 0..MAX_OPEN / 2 {
                self.close_first();
            }
        }
    }

    fn close_first(&mut self) -> bool {
        let Some((first, (failure, is_joined))) = self.open.pop_first() else { return false };
        if is_joined && self.joined.len() < MAX_JOINED {
            self.joined.insert(first, failure);
        }
        true
    }

    fn finish(mut self) -> BTreeMap<i128, Failure> {
        while self.close_first() {}
        self.joined
    }
}
