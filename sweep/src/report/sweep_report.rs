//! What a sweep has found: the report, and its JSON form, format 1.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::check::failure::Failure;
use crate::plan::interval::{Interval, Ranges};
use crate::plan::mode::Mode;
use crate::plan::sample::Stratum;
use crate::report::decimal;

/// The version of the format.
pub(crate) const FORMAT: u32 = 1;

/// The result of a sweep. As JSON, integers that can pass 2^53 are decimal strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: 1.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// How thorough it was.
    pub mode: Mode,
    /// The seed of the sample.
    #[serde(with = "decimal::optional")]
    pub seed: Option<u64>,
    /// The draws asked for; `None`: as many as fit the time, or none.
    #[serde(default, with = "decimal::optional")]
    pub draws: Option<u64>,
    /// The codec's name.
    pub codec: String,
    /// Its kernel, where it has several.
    pub kernel: Option<String>,
    /// The shard, as K/N, or of a merged report all its shards, as 1-3,5/8; `None`: all of it.
    pub shard: Option<String>,
    /// What told the shard, where it was not said: variables of the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard_from: Option<String>,
    /// Identifies what was to be swept: equal for all shards of one sweep.
    #[serde(default)]
    pub fingerprint: String,
    /// Reports that were merged into this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<usize>,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<StratumReport>,
    /// Values checked in all.
    #[serde(with = "decimal")]
    pub values: u128,
    /// Values checked by encoded length in bytes.
    #[serde(with = "decimal::map")]
    pub by_length: BTreeMap<usize, u64>,
    /// Failures found.
    #[serde(with = "decimal")]
    pub failures: u64,
    /// The first of them.
    pub first_failures: Vec<Failure>,
    /// Time from the first value to the last.
    pub seconds: f64,
    /// CPU time of all threads in that time, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// CPU time of each worker thread, where the system tells. Of several runs of a resumed sweep: first threads with
    /// first threads, and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thread_cpu_seconds: Vec<f64>,
    /// CPUs that the program may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<usize>,
    /// Values checked per second.
    pub values_per_second: f64,
    /// After a sample: how long every value of the plan would take here, measured in a moment. Drawing values at random
    /// takes longer than counting through them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhaustive_seconds: Option<f64>,
}

/// Why a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All of it is done.
    Complete,
    /// There were failures enough.
    Failures,
    /// The codec broke down for good.
    Breakdown,
    /// It was asked to stop.
    Interrupted,
    /// It has not ended: a checkpoint of it.
    Running,
}

/// What was drawn from one stratum, and what that says of all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StratumReport {
    /// Encoded length in bytes.
    pub length: usize,
    /// Whether its values are below zero.
    pub negative: bool,
    /// Values in it.
    #[serde(with = "decimal")]
    pub values: u128,
    /// Values drawn from it, uniformly and with replacement.
    #[serde(with = "decimal")]
    pub sampled: u64,
    /// If none failed: with 95 % confidence at most this fraction of the stratum fails (the rule of three, 3 / n).
    pub fails_at_most: Option<f64>,
}

impl StratumReport {
    pub(crate) fn new(stratum: &Stratum, sampled: u64) -> Self {
        let (length, negative, values) = (stratum.length, stratum.negative, stratum.count());
        let mut report = Self { length, negative, values, sampled: 0, fails_at_most: None };
        report.sample(sampled);
        report
    }

    /// Sets how many values were drawn.
    pub(crate) fn sample(&mut self, sampled: u64) {
        self.sampled = sampled;
        self.fails_at_most = (sampled > 0).then(|| (3.0 / sampled as f64).min(1.0));
    }
}

impl Report {
    /// The CPU time that there was to use: threads beyond the CPUs have none.
    pub(crate) fn available_cpu_seconds(&self) -> f64 {
        self.seconds * self.cpus.map_or(self.threads, |cpus| cpus.min(self.threads)) as f64
    }

    /// Says in what the two are not of one and the same sweep, if in anything: its plan, codec or program.
    pub(crate) fn foreign(&self, other: &Self) -> Option<String> {
        let differ = |what: &str, own: &dyn std::fmt::Display, others: &dyn std::fmt::Display| {
            Some(format!("its {what} is {others}, not {own}"))
        };
        if self.program != other.program {
            differ("program", &self.program, &other.program)
        } else if self.value_type != other.value_type {
            differ("type", &self.value_type, &other.value_type)
        } else if self.codec != other.codec {
            differ("codec", &self.codec, &other.codec)
        } else if self.mode != other.mode {
            differ("mode", &self.mode, &other.mode)
        } else if self.plan != other.plan {
            differ("plan", &Ranges(&self.plan), &Ranges(&other.plan))
        } else if self.seed != other.seed {
            differ("seed", &or_none(self.seed), &or_none(other.seed))
        } else if self.draws != other.draws {
            differ("number of draws", &or_none(self.draws), &or_none(other.draws))
        } else {
            None
        }
    }

    /// Sets the fingerprint.
    pub(crate) fn identify(&mut self) {
        self.fingerprint = self.identity();
    }

    /// The fingerprint of the plan: of everything that tells which values are to be checked, but the shard.
    pub(crate) fn identity(&self) -> String {
        let plan = (&self.value_type, self.mode, self.seed, self.draws, &self.plan);
        // Such a tuple has a JSON form: its maps, if it had any, would have keys of text.
        let text = serde_json::to_string(&plan).unwrap_or_default();
        hash(text.as_bytes())[..16].to_owned()
    }
}

/// SHA-256 in hex.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn or_none(number: Option<u64>) -> String {
    number.map_or("none".into(), |number| number.to_string())
}
