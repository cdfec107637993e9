//! What a sweep over byte strings has found: the report, and its JSON form, format 1.

use serde::Serialize;

use crate::report::decimal;
use crate::report::sweep_report::{FORMAT, PROGRAM};
use crate::{Ending, Integer};

use super::disagreement::Disagreement;
use super::strings::Group;
use super::tally::Tally;

/// The result of a sweep over byte strings. As JSON, integers that can pass 2^53 are decimal strings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: 1.
    pub format: u32,
    /// The program and its version.
    pub program: &'static str,
    /// What was swept: `bytes`.
    pub swept: &'static str,
    /// Every string up to so many bytes.
    pub len: usize,
    /// Worker threads.
    pub threads: usize,
    /// Whether everything planned was done.
    pub complete: bool,
    /// Why it ended.
    pub ending: Ending,
    /// What was done, for each integer type.
    pub types: Vec<TypeReport>,
    /// Strings checked through every door in every placement; each type counts.
    #[serde(serialize_with = "decimal::serialize")]
    pub strings: u64,
    /// Strings given to a door, in each placement and by each policy.
    #[serde(serialize_with = "decimal::serialize")]
    pub decodings: u64,
    /// Disagreements found.
    #[serde(serialize_with = "decimal::serialize")]
    pub disagreements: u64,
    /// The first of them.
    pub first_disagreements: Vec<Disagreement>,
    /// Time from the first string to the last.
    pub seconds: f64,
    /// CPU time of all threads in that time, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// Strings checked per second.
    pub strings_per_second: f64,
}

/// What was done for one integer type.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TypeReport {
    /// The type.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// Strings by length.
    pub lengths: Vec<StringsReport>,
    /// What each door was given.
    pub doors: Vec<DoorReport>,
}

/// Strings of one length, by the verdict on the first value.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StringsReport {
    /// Bytes.
    pub length: usize,
    /// Every string of that length, or a structured choice.
    pub every: bool,
    /// Strings to be checked.
    #[serde(serialize_with = "decimal::serialize")]
    pub planned: u64,
    /// Strings checked.
    #[serde(serialize_with = "decimal::serialize")]
    pub checked: u64,
    /// Those that begin with a value.
    #[serde(serialize_with = "decimal::serialize")]
    pub values: u64,
    /// Those of them that are overlong: `NonCanonical` by the canonical policy.
    #[serde(serialize_with = "decimal::serialize")]
    pub overlong: u64,
    /// Those that end inside the first value.
    #[serde(serialize_with = "decimal::serialize")]
    pub truncated: u64,
    /// Those whose first value does not fit the type.
    #[serde(serialize_with = "decimal::serialize")]
    pub overflow: u64,
}

/// What a door was given: strings by [`Placement`](super::Placement), each by both policies.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DoorReport {
    /// The door.
    pub door: String,
    /// Its kernel, where it has several.
    pub kernel: Option<String>,
    /// As inputs of their own, for the first value.
    #[serde(serialize_with = "decimal::serialize")]
    pub first: u64,
    /// As inputs of their own, for all values.
    #[serde(serialize_with = "decimal::serialize")]
    pub whole: u64,
    /// In streams, in order.
    #[serde(serialize_with = "decimal::serialize")]
    pub in_order: u64,
    /// In mixed streams.
    #[serde(serialize_with = "decimal::serialize")]
    pub mixed: u64,
    /// At the end of a stream.
    #[serde(serialize_with = "decimal::serialize")]
    pub at_end: u64,
    /// CPU time in this door and in comparing its results, of all threads together; time where the system does not tell it.
    pub cpu_seconds: f64,
}

/// What a report says beside the counts.
pub(super) struct Totals {
    pub(super) len: usize,
    pub(super) threads: usize,
    /// Whether there were disagreements enough.
    pub(super) enough: bool,
    pub(super) seconds: f64,
    pub(super) cpu_seconds: Option<f64>,
}

impl Report {
    pub(super) fn new<T: Integer>(
        totals: Totals,
        groups: &[Group],
        doors: Vec<(String, Option<String>)>,
        tally: Tally,
    ) -> Self {
        let Totals { len, threads, enough, seconds, cpu_seconds } = totals;
        let lengths = groups.iter().zip(&tally.groups).map(|(group, done)| StringsReport {
            length: group.length,
            every: group.every,
            planned: group.count(),
            checked: done.strings,
            values: done.values,
            overlong: done.overlong,
            truncated: done.truncated,
            overflow: done.overflow,
        });
        let decodings = tally.doors.iter().flat_map(|door| door.strings).sum::<u64>() * 2;
        let doors = doors.into_iter().zip(&tally.doors).map(|((door, kernel), done)| {
            let [first, whole, in_order, mixed, at_end] = done.strings;
            DoorReport {
                door,
                kernel,
                first,
                whole,
                in_order,
                mixed,
                at_end,
                cpu_seconds: done.time.as_secs_f64(),
            }
        });
        let types =
            vec![TypeReport { value_type: T::NAME, lengths: lengths.collect(), doors: doors.collect() }];
        let strings = tally.groups.iter().map(|group| group.strings).sum::<u64>();
        let ending = match tally.complete {
            true => Ending::Complete,
            false if enough => Ending::Failures,
            false => Ending::Interrupted,
        };
        Self {
            format: FORMAT,
            program: PROGRAM,
            swept: "bytes",
            len,
            threads,
            complete: tally.complete,
            ending,
            types,
            strings,
            decodings,
            disagreements: tally.disagreements,
            first_disagreements: tally.listed.into_iter().flat_map(|(_, listed)| listed).collect(),
            seconds,
            cpu_seconds,
            strings_per_second: rate(strings, seconds),
        }
    }

    /// One report of this sweep and of one that followed it, of other types.
    pub fn join(mut self, next: Self) -> Self {
        self.types.extend(next.types);
        self.first_disagreements.extend(next.first_disagreements);
        let seconds = self.seconds + next.seconds;
        let strings = self.strings + next.strings;
        Self {
            complete: self.complete && next.complete,
            ending: if self.ending == Ending::Complete { next.ending } else { self.ending },
            strings,
            decodings: self.decodings + next.decodings,
            disagreements: self.disagreements + next.disagreements,
            seconds,
            cpu_seconds: self.cpu_seconds.zip(next.cpu_seconds).map(|(cpu, next)| cpu + next),
            strings_per_second: rate(strings, seconds),
            ..self
        }
    }
}

fn rate(strings: u64, seconds: f64) -> f64 {
    strings as f64 / seconds.max(1e-9)
}
