//! What a sweep has found: the report, and its JSON form, format 1.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::check::ByLength;
use super::failure::Failure;
use super::interval::Interval;
use super::sample::Stratum;
use super::worker::Done;

/// The result of a sweep. As JSON, integers that can pass 2^53 are decimal strings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: 1.
    pub format: u32,
    /// The program and its version.
    pub program: &'static str,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// How thorough it was.
    pub mode: Mode,
    /// The seed of the sample.
    #[serde(serialize_with = "optional_decimal")]
    pub seed: Option<u64>,
    /// The codec's name.
    pub codec: String,
    /// Its kernel, where it has several.
    pub kernel: Option<String>,
    /// The shard; `None`: all of it.
    pub shard: Option<String>,
    /// Worker threads.
    pub threads: usize,
    /// Whether everything planned was done.
    pub complete: bool,
    /// Why it ended.
    pub ending: Ending,
    /// The values asked for.
    pub plan: Vec<Interval>,
    /// The values that were all checked.
    pub covered: Vec<Interval>,
    /// What was sampled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<StratumReport>,
    /// Values checked in all.
    #[serde(serialize_with = "decimal")]
    pub values: u128,
    /// Values checked by encoded length in bytes.
    #[serde(serialize_with = "decimals")]
    pub by_length: BTreeMap<usize, u64>,
    /// Failures found.
    #[serde(serialize_with = "decimal")]
    pub failures: u64,
    /// The first of them.
    pub first_failures: Vec<Failure>,
    /// Time from the first value to the last.
    pub seconds: f64,
    /// CPU time of all threads in that time, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// Values checked per second.
    pub values_per_second: f64,
}

/// How thorough a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every value of the plan.
    Exhaustive,
    /// Boundaries exhaustively, the rest by a stratified sample.
    Sample,
}

/// Why a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All of it is done.
    Complete,
    /// There were failures enough.
    Failures,
    /// It was asked to stop.
    Interrupted,
}

/// What was drawn from one stratum, and what that says of all of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StratumReport {
    /// Encoded length in bytes.
    pub length: usize,
    /// Whether its values are below zero.
    pub negative: bool,
    /// Values in it.
    #[serde(serialize_with = "decimal")]
    pub values: u128,
    /// Values drawn from it, uniformly and with replacement.
    #[serde(serialize_with = "decimal")]
    pub sampled: u64,
    /// If none failed: with 95 % confidence at most this fraction of the stratum fails (the rule of three, 3 / n).
    pub fails_at_most: Option<f64>,
}

impl StratumReport {
    pub(super) fn new(stratum: &Stratum, sampled: u64) -> Self {
        Self {
            length: stratum.length,
            negative: stratum.negative,
            values: stratum.count(),
            sampled,
            fails_at_most: (sampled > 0).then(|| (3.0 / sampled as f64).min(1.0)),
        }
    }
}

pub(super) fn lengths(counts: &ByLength) -> BTreeMap<usize, u64> {
    counts.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect()
}

impl Done {
    /// Values by encoded length.
    pub(super) fn by_length(&self) -> BTreeMap<usize, u64> {
        lengths(&self.by_length)
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.first.to_string(), self.last.to_string()].serialize(serializer)
    }
}

pub(super) fn decimal<N: ToString, S: Serializer>(number: &N, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&number.to_string())
}

fn optional_decimal<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    number.map(|number| number.to_string()).serialize(serializer)
}

fn decimals<S: Serializer>(counts: &BTreeMap<usize, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|(length, count)| (length.to_string(), count.to_string())))
}
