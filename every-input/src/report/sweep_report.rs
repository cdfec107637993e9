//! The report of a sweep, and its JSON form.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::check::bounds::MAX_LIST_LENGTH;
use crate::check::failure::Failure;
use crate::check::worst::Worst;
use crate::plan::interval::Interval;
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::plan::space::ErasedSpace;
use crate::plan::space_names::{SpaceTable, by_name, named};
use crate::report::decimal;
use crate::report::limit::Limit;
use crate::report::long_plan::LongPlan;
use crate::report::stratum::StratumReport;

/// The version of the format.
pub(crate) const FORMAT: u32 = 2;
/// The number of failures that a report lists if its sweep had no limit of failures, or if it is merged.
pub(crate) const DEFAULT_LIST_LENGTH: usize = 20;

/// The result of a sweep. In JSON, integers that can exceed 2^53 are decimal strings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: 2.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// The classes of the inputs, if they do not follow from the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<SpaceTable>,
    /// Whether the sweep was exhaustive or a sample.
    pub mode: Mode,
    /// The seed of the sample.
    #[serde(with = "decimal::optional")]
    pub seed: Option<u64>,
    /// The requested number of draws; `None` if the sample had a time limit, or there was none.
    #[serde(default, with = "decimal::optional")]
    pub draws: Option<u64>,
    /// The options that repeat the sample, such as `--sample 70000 --seed 5`; `None` for an
    /// exhaustive sweep, if nothing was drawn, and for a merge of shards with a time limit. The
    /// number of a sample with a time limit includes all values that it drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    /// The codec's name.
    pub codec: String,
    /// What was checked, if it is neither a codec nor several decoders: `function` or `decoder`. Then
    /// `codec` is its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The codec's kernel, if it has several; the kernels of all runs, separated by commas, if a
    /// resumed or merged sweep used more than one.
    pub kernel: Option<String>,
    /// The wire format in which the bytes of a codec were checked, such as `leb128`; `any` if they
    /// were only decoded again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// The shard, as K/N, or the shards of a merged report, as 1-3,5/8; `None` for an undivided
    /// sweep.
    pub shard: Option<String>,
    /// A hash of the plan: equal for all shards of one sweep.
    #[serde(default)]
    pub fingerprint: String,
    /// The number of reports that were merged into this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<usize>,
    /// Worker threads.
    pub threads: usize,
    /// Whether the whole plan, or the whole shard, was checked.
    pub complete: bool,
    /// Why the sweep ended.
    pub ending: Ending,
    /// The limit that ended the sweep, if it is not a limit of time. A codec that breaks down for good by
    /// itself has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The exit code that a program with this sweep alone returns; `None` if it has not set any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// Other reasons for the exit code than the ending and the failures, such as a file that cannot be
    /// written. A program sets them, and [`junit`](Self::junit) has them too.
    #[serde(default, deserialize_with = "decimal::list", skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// The values that the sweep was asked to cover; the first ones of a [long plan](Self::long_plan).
    #[serde(deserialize_with = "decimal::list")]
    pub plan: Vec<Interval>,
    /// The values that were checked exhaustively; the first ones of a [long plan](Self::long_plan).
    #[serde(deserialize_with = "decimal::list")]
    pub covered: Vec<Interval>,
    /// The plan and what was checked of it, if an exhaustive sweep has more than 65,536 ranges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_plan: Option<LongPlan>,
    /// If a sample ended before it had covered all values near boundaries: the number of values on each
    /// side of every boundary that it has covered. Shards count their own values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<u64>,
    /// The strata of a sample.
    #[serde(default, deserialize_with = "decimal::list", skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<StratumReport>,
    /// Values checked in total.
    #[serde(with = "decimal")]
    pub values: u128,
    /// Values checked by encoded length in bytes.
    #[serde(with = "decimal::map")]
    pub by_length: BTreeMap<usize, u64>,
    /// Failures found.
    #[serde(with = "decimal")]
    pub failures: u64,
    /// The number of failures after which the sweep ends; 0 means no limit. Of merged reports the
    /// greatest.
    #[serde(with = "decimal")]
    pub max_failures: u64,
    /// The first failures: ranges, then the others, both in the order of the numbers of their inputs. They
    /// are at most 10,000, and as many as `max_failures`, or 20 without a limit.
    ///
    /// They are the same for any number of threads, of shards that are merged, and of interruptions, if the
    /// sweep is complete. They may be others if the sweep ends early, since threads have then checked other
    /// inputs, and if shards of a sample have more failures than are listed.
    #[serde(deserialize_with = "decimal::list")]
    pub first_failures: Vec<Failure>,
    /// The greatest deviation from a reference, if the check measures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
    /// The greatest deviation in each class of inputs, such as an exponent, by the name of the class;
    /// empty if the space has one class or more than 4,096.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub worst_by_class: BTreeMap<String, Worst>,
    /// Time from the first value to the last.
    pub seconds: f64,
    /// CPU time of all threads and, on Linux, of the child processes during `seconds`, if the system reports
    /// it.
    pub cpu_seconds: Option<f64>,
    /// CPU time by thread, ordered by name; empty in a merged report, and if the system does not report
    /// it, as only Linux does.
    #[serde(default, deserialize_with = "decimal::list", skip_serializing_if = "Vec::is_empty")]
    pub cpu_by_thread: Vec<ThreadCpu>,
    /// CPUs that the program may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<usize>,
    /// Values checked per second.
    pub values_per_second: f64,
    /// After a sample: the estimated time for all values of the plan on this machine. A short trial
    /// measures it, because drawing a value at random takes longer than counting to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhaustive_seconds: Option<f64>,
}

/// Why a sweep ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The whole plan, or the whole shard, was checked.
    Complete,
    /// The maximum number of failures was reached.
    Failures,
    /// The codec broke down for good: its child processes crashed or hung too often, or it said so
    /// itself. A run that resumes ends in the same way.
    Breakdown,
    /// The sweep was asked to stop.
    Interrupted,
    /// The time limit of the run has passed.
    TimeLimit,
    /// The sweep has not ended: the report is of a moment while it runs, as in a checkpoint.
    #[default]
    Running,
}

/// The CPU time of a thread during a sweep, or of all threads with one name.
///
/// A sweep that resumes has the times of its earlier runs too, so that they are part of the same
/// [`seconds`](Report::seconds).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ThreadCpu {
    /// The name of the thread: `sweep-1` is the first worker, and `main` the first thread of the process.
    ///
    /// `unnamed` stands for all threads without a name, `ended` for those that ended before they were
    /// observed, `others` for those beyond a thousand names, and `children` for the child processes.
    pub name: String,
    /// CPU time in seconds.
    pub cpu_seconds: f64,
    /// Whether it does the work of the sweep: a worker thread, or the children.
    pub worker: bool,
}

impl Report {
    /// The JSON Schema (draft 2020-12) of everything that sweeps write as JSON: the reports of sweeps
    /// and merges, the status, and lists of failures.
    ///
    /// Each kind has a name under `$defs`: `report`, `reports`, `status` and `failure_record`.
    pub const JSON_SCHEMA: &str = include_str!("../outputs.schema.json");

    /// Returns the space, or `None` if its name is unknown and the report has no table of it.
    pub(crate) fn known_space(&self) -> Option<Arc<ErasedSpace>> {
        let Some(table) = &self.space else { return by_name(&self.value_type) };
        Some(Arc::new(named(&self.value_type, Some(table))))
    }

    /// Returns the greatest number of failures to list.
    pub(crate) fn list_length(&self) -> usize {
        list_length(self.max_failures)
    }

    pub(crate) fn unlisted(&self) -> u64 {
        let listed = self.first_failures.iter().map(Failure::inputs);
        self.failures.saturating_sub(listed.fold(0, u64::saturating_add))
    }

    /// Returns whether there was nothing to check: a sweep may have fewer units of work than shards.
    pub(crate) fn has_nothing(&self) -> bool {
        self.complete && self.values == 0
    }

    /// Returns the values of the plan, or the places in a long plan.
    pub(crate) fn planned(&self) -> Cow<'_, [Interval]> {
        match &self.long_plan {
            Some(long) => vec![long.places()].into(),
            None => self.plan.as_slice().into(),
        }
    }

    /// Returns the values that were checked exhaustively, or their places in a long plan.
    pub(crate) fn checked(&self) -> &[Interval] {
        self.long_plan.as_ref().map_or(&self.covered, |long| &long.covered)
    }

    /// Sets what was checked: these inputs, or their places in a long plan, and draws from each of the
    /// strata.
    pub(crate) fn set_checked(
        &mut self,
        checked: Vec<Interval>,
        mut strata: Vec<StratumReport>,
        seconds: f64,
    ) {
        StratumReport::set_bounds(&mut strata);
        self.by_length = self.count_by_length(&checked, &strata);
        self.values = self.by_length.values().map(|&count| u128::from(count)).sum();
        self.values_per_second = self.values as f64 / seconds.max(1e-9);
        *self.long_plan.as_mut().map_or(&mut self.covered, |long| &mut long.covered) = checked;
        (self.strata, self.seconds) = (strata, seconds);
    }

    /// Returns the number of these inputs, or of those at these places in a long plan, and of draws by
    /// length.
    pub(crate) fn count_by_length(
        &self,
        checked: &[Interval],
        strata: &[StratumReport],
    ) -> BTreeMap<usize, u64> {
        let classes = self.known_space().map(|space| space.classes.clone()).unwrap_or_default();
        let placed = self.long_plan.as_ref().map(|long| long.places_of(&classes));
        let drawn = strata.iter().map(StratumReport::drawn);
        sample::by_length(placed.as_ref().unwrap_or(&classes), checked, drawn)
    }
}

/// Returns the greatest number of failures to list in a report of a sweep with this limit.
pub(crate) fn list_length(max_failures: u64) -> usize {
    let most = usize::try_from(max_failures).unwrap_or(MAX_LIST_LENGTH).min(MAX_LIST_LENGTH);
    if most == 0 { DEFAULT_LIST_LENGTH } else { most }
}

pub(crate) fn repeat_options(draws: u64, seed: u64, shard: Option<&str>) -> String {
    let shard = shard.map(|shard| format!(" --shard {shard}")).unwrap_or_default();
    format!("--sample {draws} --seed {seed}{shard}")
}

/// Returns the names of all kernels that the reports name, separated by commas.
pub(crate) fn joined_kernels<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Option<String> {
    let names = reports.into_iter().filter_map(|report| report.kernel.as_deref());
    let names: BTreeSet<&str> = names.flat_map(|names| names.split(", ")).collect();
    (!names.is_empty()).then(|| Vec::from_iter(names).join(", "))
}
