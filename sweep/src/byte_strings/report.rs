//! The report of a check on byte strings, and its JSON format 1.

use std::collections::HashMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::disagreement::Disagreement;
use super::inputs::Inputs;
use super::outcome::ErrorKind;
use super::placement::Placement;
use super::strings::Group;
use crate::plan::integer::Integer;
use crate::report::decimal;
use crate::report::sweep_report::Ending;

/// The result of a check on byte strings. In JSON, integers that can exceed 2^53 are decimal
/// strings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the JSON format, which is 1.
    pub format: u32,
    /// The name and version of the program.
    pub program: String,
    /// The kind of sweep, which is `bytes`.
    pub swept: &'static str,
    /// The length up to which every string is checked.
    pub len: usize,
    /// The time by which the length was chosen, in seconds; `None` if the length was given.
    pub budget_seconds: Option<f64>,
    /// The number of worker threads.
    pub threads: usize,
    /// Whether every planned string was checked.
    pub complete: bool,
    /// The reason why the check ended.
    pub ending: Ending,
    /// The results for each integer type.
    pub types: Vec<TypeReport>,
    /// The number of strings checked with every decoder in every placement, over all types.
    #[serde(serialize_with = "decimal::serialize")]
    pub strings: u64,
    /// The number of times a string was decoded, over all decoders and placements, lenient and
    /// canonical.
    #[serde(serialize_with = "decimal::serialize")]
    pub decodings: u64,
    /// The number of disagreements found.
    #[serde(serialize_with = "decimal::serialize")]
    pub disagreements: u64,
    /// The first disagreements.
    pub first_disagreements: Vec<Disagreement>,
    /// The time from the first string to the last, in seconds, over all runs of a resumed sweep.
    pub seconds: f64,
    /// The CPU time of all threads in that time, if the system reports it.
    pub cpu_seconds: Option<f64>,
    /// The number of strings checked per second.
    pub strings_per_second: f64,
}

/// The results for one integer type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TypeReport {
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// The results by length of the strings.
    pub lengths: Vec<LengthReport>,
    /// The results by decoder.
    pub decoders: Vec<DecoderReport>,
}

/// The strings of one length, counted by the outcome of decoding their first value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LengthReport {
    /// The length in bytes.
    pub length: usize,
    /// Whether every string of this length is checked, or structured strings only.
    pub every: bool,
    /// The number of strings to check.
    #[serde(with = "decimal")]
    pub planned: u64,
    /// The number of strings checked.
    #[serde(with = "decimal")]
    pub checked: u64,
    /// The number of strings that begin with a valid value.
    #[serde(with = "decimal")]
    pub values: u64,
    /// The number of these whose value is overlong, and so `NonCanonical` for canonical decoders.
    #[serde(with = "decimal")]
    pub overlong: u64,
    /// The number of strings that end inside the first value.
    #[serde(with = "decimal")]
    pub truncated: u64,
    /// The number of strings whose first value does not fit the type.
    #[serde(with = "decimal")]
    pub overflow: u64,
}

/// The strings that one decoder decoded, and the time it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DecoderReport {
    /// The name of the decoder.
    pub decoder: String,
    /// The kernel of the decoder, if it has several.
    pub kernel: Option<String>,
    /// The number of strings by [`Placement`]. Each is decoded in lenient and in canonical mode.
    #[serde(flatten, with = "by_placement")]
    pub strings: [u64; Placement::ALL.len()],
    /// The CPU time over all threads of decoding and of comparing the results. This is wall-clock
    /// time if the system does not report CPU time.
    pub cpu_seconds: f64,
}

/// Numbers of strings, each in a field that is named after its placement.
mod by_placement {
    use super::*;

    pub(super) fn serialize<S: Serializer>(strings: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Placement::ALL.iter().zip(strings.iter().map(u64::to_string)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u64; Placement::ALL.len()], D::Error> {
        let texts = HashMap::<Placement, String>::deserialize(deserializer)?;
        let mut strings = [0; Placement::ALL.len()];
        for (placement, text) in texts {
            strings[placement as usize] = text.parse().map_err(D::Error::custom)?;
        }
        Ok(strings)
    }
}

impl DecoderReport {
    /// Returns the name of the decoder and that of its kernel.
    pub(super) fn name(&self) -> (&str, Option<&str>) {
        (&self.decoder, self.kernel.as_deref())
    }
}

/// Returns the number of strings per second.
pub(super) fn rate(strings: u64, seconds: f64) -> f64 {
    strings as f64 / seconds.max(1e-9)
}

impl TypeReport {
    /// Creates a report in which nothing is checked yet.
    pub(super) fn new(value_type: &str, groups: &[Group], decoders: Vec<DecoderReport>) -> Self {
        let lengths = groups.iter().map(|group| LengthReport {
            length: group.length,
            every: group.every,
            planned: group.count(),
            ..LengthReport::default()
        });
        Self { value_type: value_type.to_owned(), lengths: lengths.collect(), decoders }
    }

    /// Adds the counts of a unit. Its decoders are the first of this report.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, other) in self.lengths.iter_mut().zip(&other.lengths) {
            sum.checked += other.checked;
            sum.values += other.values;
            sum.overlong += other.overlong;
            sum.truncated += other.truncated;
            sum.overflow += other.overflow;
        }
        for (sum, other) in self.decoders.iter_mut().zip(&other.decoders) {
            sum.strings.iter_mut().zip(other.strings).for_each(|(sum, strings)| *sum += strings);
            sum.cpu_seconds += other.cpu_seconds;
        }
    }
}

impl LengthReport {
    /// Counts the strings of these inputs by their outcome.
    pub(super) fn count<T: Integer>(&mut self, alone: &Inputs<T>) {
        let [lenient, canonical] = [false, true].map(|canonical| alone.expected(canonical));
        for (string, error) in lenient.errors.iter().enumerate() {
            self.checked += 1;
            match error {
                _ if lenient.has_value(string) => {
                    self.values += 1;
                    self.overlong += u64::from(!canonical.has_value(string));
                }
                Some(error) if error.kind == ErrorKind::Overflow => self.overflow += 1,
                _ => self.truncated += 1,
            }
        }
    }
}
