//! The report of a check on byte strings, and its JSON form, format 1.

use serde::{Serialize, Serializer};

use super::decoder::ByteDecoder;
use super::disagreement::Disagreement;
use super::inputs::Inputs;
use super::outcome::ErrorKind;
use super::placement::Placement;
use super::strings::Group;
use crate::plan::integer::Integer;
use crate::report::decimal;
use crate::report::sweep_report::Ending;

/// The result of a check on byte strings. In JSON, integers that can exceed 2^53 are decimal strings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: 1.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// What was swept: `bytes`.
    pub swept: &'static str,
    /// The length up to which every string is checked.
    pub len: usize,
    /// Worker threads.
    pub threads: usize,
    /// Whether everything planned was done.
    pub complete: bool,
    /// Why it ended.
    pub ending: Ending,
    /// What was done, for each integer type.
    pub types: Vec<TypeReport>,
    /// Strings checked with every decoder in every placement; each type counts.
    #[serde(serialize_with = "decimal::serialize")]
    pub strings: u64,
    /// Strings decoded: in each placement by each decoder, lenient and canonical.
    #[serde(serialize_with = "decimal::serialize")]
    pub decodings: u64,
    /// Disagreements found.
    #[serde(serialize_with = "decimal::serialize")]
    pub disagreements: u64,
    /// The first of them.
    pub first_disagreements: Vec<Disagreement>,
    /// Time from the first string to the last.
    pub seconds: f64,
    /// CPU time of all threads in that time, if the system reports it.
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
    /// What each decoder was given.
    #[serde(rename = "doors")]
    pub decoders: Vec<DecoderReport>,
}

/// Strings of one length, by the outcome of decoding their first value.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct StringsReport {
    /// Length in bytes.
    pub length: usize,
    /// Whether these are all strings of that length, or structured ones.
    pub every: bool,
    /// Strings to be checked.
    #[serde(serialize_with = "decimal::serialize")]
    pub planned: u64,
    /// Strings checked.
    #[serde(serialize_with = "decimal::serialize")]
    pub checked: u64,
    /// Strings that begin with a value.
    #[serde(serialize_with = "decimal::serialize")]
    pub values: u64,
    /// Strings that begin with an overlong value, which is `NonCanonical` for canonical decoders.
    #[serde(serialize_with = "decimal::serialize")]
    pub overlong: u64,
    /// Strings that end inside the first value.
    #[serde(serialize_with = "decimal::serialize")]
    pub truncated: u64,
    /// Strings whose first value does not fit the type.
    #[serde(serialize_with = "decimal::serialize")]
    pub overflow: u64,
}

/// What a decoder was given.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DecoderReport {
    /// The decoder.
    #[serde(rename = "door")]
    pub decoder: String,
    /// Its kernel, if it has several.
    pub kernel: Option<String>,
    /// Strings by [`Placement`], each decoded twice: lenient and canonical.
    #[serde(flatten, serialize_with = "by_placement")]
    pub strings: [u64; Placement::ALL.len()],
    /// CPU time of the decoder and of comparing its results, over all threads; wall-clock time if the system does not
    /// report CPU time.
    pub cpu_seconds: f64,
}

fn by_placement<S: Serializer>(strings: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Placement::ALL.iter().zip(strings.iter().map(u64::to_string)))
}

impl Report {
    /// Joins the report of this sweep with that of a later one over other types.
    pub fn join(self, next: Self) -> Self {
        let seconds = self.seconds + next.seconds;
        let strings = self.strings + next.strings;
        Self {
            complete: self.complete && next.complete,
            ending: if self.ending == Ending::Complete { next.ending } else { self.ending },
            types: [self.types, next.types].concat(),
            strings,
            decodings: self.decodings + next.decodings,
            disagreements: self.disagreements + next.disagreements,
            first_disagreements: [self.first_disagreements, next.first_disagreements].concat(),
            seconds,
            cpu_seconds: self.cpu_seconds.zip(next.cpu_seconds).map(|(cpu, next)| cpu + next),
            strings_per_second: rate(strings, seconds),
            ..self
        }
    }
}

/// Returns strings per second.
pub(super) fn rate(strings: u64, seconds: f64) -> f64 {
    strings as f64 / seconds.max(1e-9)
}

impl TypeReport {
    /// The report before anything is done.
    pub(super) fn new<T: Integer>(groups: &[Group], decoders: &[Box<dyn ByteDecoder<T>>]) -> Self {
        let lengths = groups.iter().map(|group| StringsReport {
            length: group.length,
            every: group.every,
            planned: group.count(),
            ..StringsReport::default()
        });
        let decoders = decoders.iter().map(|decoder| DecoderReport {
            decoder: decoder.name().to_owned(),
            kernel: decoder.kernel().map(str::to_owned),
            strings: Default::default(),
            cpu_seconds: 0.0,
        });
        Self { value_type: T::NAME, lengths: lengths.collect(), decoders: decoders.collect() }
    }

    /// Returns whether every string was checked.
    pub(super) fn is_complete(&self) -> bool {
        self.lengths.iter().all(|length| length.checked == length.planned)
    }

    /// Adds what another thread did.
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

impl StringsReport {
    /// Counts strings, each as an input of its own.
    pub(super) fn count<T: Integer>(&mut self, alone: &Inputs<T>) {
        let [lenient, canonical] = [false, true].map(|canonical| alone.expected(canonical));
        for (string, fault) in lenient.faults.iter().enumerate() {
            self.checked += 1;
            match fault {
                _ if lenient.has_value(string) => {
                    self.values += 1;
                    self.overlong += u64::from(!canonical.has_value(string));
                }
                Some(fault) if fault.kind == ErrorKind::Overflow => self.overflow += 1,
                _ => self.truncated += 1,
            }
        }
    }
}
