//! Reports read from files, reports and checkpoints alike, and held against what they say of themselves.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::shard_set::ShardSet;
use crate::check::oracle::MAX_LEN;
use crate::plan::integer::Kind;
use crate::plan::interval::{Interval, difference, union};
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::report::printable::Printable;
use crate::report::sweep_report::{FORMAT, Report};
use crate::state::checkpoint_format::{Saved, read};

/// Reads a report from a file that `--json` or `--checkpoint` wrote. Its counts are those of what it covers.
///
/// # Errors
///
/// Where it cannot be read, is neither, or contradicts itself: why, and the remedy.
pub fn read_report(path: &Path) -> Result<Report, String> {
    let content =
        read(path).map_err(|error| format!("{error}: name a report or a checkpoint that can be read"))?;
    parse_report(&content)
}

/// As [`read_report`], from memory.
///
/// # Errors
///
/// Likewise.
pub fn parse_report(content: &[u8]) -> Result<Report, String> {
    parse(content).map_err(|why| Printable(why).to_string())
}

fn parse(content: &[u8]) -> Result<Report, String> {
    #[derive(Deserialize)]
    struct Either {
        // Of any content: it may be endless.
        checkpoint: Option<IgnoredAny>,
    }
    let foreign = |error| format!("it is no report of this program ({error}): run that shard again");
    let report = match serde_json::from_slice(content).map_err(foreign)? {
        Either { checkpoint: Some(_) } => Saved::parse(content)?.report,
        Either { checkpoint: None } => serde_json::from_slice(content).map_err(foreign)?,
    };
    check(&report).map_err(|what| format!("it contradicts itself ({what}): run that shard again"))?;
    Ok(report)
}

fn check(report: &Report) -> Result<(), String> {
    if report.format != FORMAT {
        return Err(format!("its format is {}, and this program knows {FORMAT}", report.format));
    }
    let name = &report.value_type;
    let kind = Kind::by_name(name).ok_or_else(|| format!("it is of a type {}", start(name)))?;
    let is_union = |set: &[Interval]| union(set.iter().copied()) == set;
    if !is_union(&report.plan) || !difference(&report.plan, &[kind.limits]).is_empty() {
        return Err(format!("its plan is no set of {name}"));
    }
    if !is_union(&report.covered) || !difference(&report.covered, &report.plan).is_empty() {
        return Err("it covers what is not in its plan".into());
    }
    if report.identity() != report.fingerprint {
        return Err("its fingerprint is not that of its plan".into());
    }
    if ShardSet::parse(report.shard.as_deref()).is_none() {
        return Err(format!("it has no shard '{}'", start(report.shard.as_deref().unwrap_or_default())));
    }
    let divided = sample::divide(kind, &report.plan).1;
    let strata: Vec<_> = report.strata.iter().map(|s| (s.length, s.negative, s.values)).collect();
    let planned: Vec<_> = match report.mode {
        Mode::Exhaustive => Vec::new(),
        Mode::Sample => divided.iter().map(|s| (s.length, s.negative, s.count())).collect(),
    };
    if strata != planned {
        return Err("its strata are not those of its plan".into());
    }
    let mut counts = sample::lengths(kind, &report.covered).map(u128::from);
    for stratum in &report.strata {
        counts[stratum.length] += u128::from(stratum.sampled);
    }
    let told = |length| u128::from(report.by_length.get(&length).copied().unwrap_or(0));
    if (0..=MAX_LEN).any(|length| counts[length] != told(length))
        || report.by_length.keys().any(|&n| n > MAX_LEN)
    {
        return Err("its counts are not those of what it covers".into());
    }
    if report.values != counts.iter().sum() {
        return Err("its number of values is not the sum of its counts".into());
    }
    let is_whole = report.shard.is_none() && report.mode == Mode::Exhaustive;
    if report.complete && is_whole && report.covered != report.plan {
        return Err("it says that it is complete, and covers less than its plan".into());
    }
    Ok(())
}

/// As much of a text as fits a message.
fn start(text: &str) -> String {
    text.chars().take(100).collect()
}
