//! Reads reports from the files of reports and checkpoints, and checks that they are consistent.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::check::failure::Failure;
use crate::check::worst::Worst;
use crate::error::FileError;
use crate::plan::interval::{count, difference, is_union};
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::plan::shard::ShardSet;
use crate::report::sweep_report::{FORMAT, Report};
use crate::state::checkpoint::{read, unseal};

impl Report {
    /// Reads a report from a file that `--json` or `--checkpoint` wrote, or from a pipe with its content.
    /// The counts of the report agree with the values that it covers.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is neither a report nor a checkpoint, or contradicts
    /// itself.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let content = read(path).map_err(|error| {
            let problem = format_args!("cannot be read ({error})");
            FileError::new(path, problem, "name a readable report or checkpoint")
        })?;
        Self::parse(path, &content)
    }

    /// Reads a report as [`read`](Self::read) does, from the content of a file with this name.
    ///
    /// # Errors
    ///
    /// Returns an error as [`read`](Self::read) does.
    pub fn parse(name: impl AsRef<Path>, content: &[u8]) -> Result<Self, FileError> {
        parse(content).map_err(|problem| FileError::new(name.as_ref(), problem, "run that shard again"))
    }
}

fn parse(content: &[u8]) -> Result<Report, String> {
    #[derive(Deserialize)]
    struct Either {
        // Ignored, because its content may be arbitrarily large.
        checkpoint: Option<IgnoredAny>,
    }
    let not_a_report = |error| format!("not a report of this program ({error})");
    let mut report = match serde_json::from_slice(content).map_err(not_a_report)? {
        Either { checkpoint: Some(_) } => unseal(content)?.report,
        Either { checkpoint: None } => serde_json::from_slice(content).map_err(not_a_report)?,
    };
    check(&report).map_err(|what| format!("report contradicts itself ({what})"))?;
    if let Some(space) = report.known_space() {
        report.first_failures.iter_mut().for_each(|failure| failure.number(&space));
    }
    Ok(report)
}

fn check(report: &Report) -> Result<(), String> {
    if report.format != FORMAT {
        return Err(format!("its format is {}, this program reads format {FORMAT}", report.format));
    }
    let name = &report.value_type;
    let space = report.known_space().ok_or_else(|| format!("unknown type '{}'", excerpt(name)))?;
    if report.space.as_ref().is_some_and(|table| !table.is_valid()) {
        return Err("its classes overlap, have gaps, or are too many".into());
    }
    if !is_union(&report.plan) || !difference(&report.plan, &[space.limits]).is_empty() {
        return Err(format!("its plan is not a set of {name} values"));
    }
    let all = match &report.long_plan {
        Some(_) => &[space.limits], // the report does not list all of its plan
        None => &report.plan[..],
    };
    if !is_union(&report.covered) || !difference(&report.covered, all).is_empty() {
        return Err("it covers values outside its plan".into());
    }
    if let Some(long) = &report.long_plan {
        long.problem(&report.plan, &space.classes).map_or(Ok(()), Err)?;
        if report.mode == Mode::Sample || count(&report.covered) > count(&long.covered) {
            return Err("its long plan is not that of an exhaustive sweep".into());
        }
    }
    if report.identity() != report.fingerprint {
        return Err("its fingerprint does not match its plan".into());
    }
    if ShardSet::parse(report.shard.as_deref()).is_none() {
        return Err(format!("invalid shard '{}'", excerpt(report.shard.as_deref().unwrap_or_default())));
    }
    let by_texts = |failure: &Failure| failure.inputs_by_texts(&space);
    let is_wrong = |failure: &&Failure| {
        failure.numbers.zip(by_texts(failure)).is_some_and(|(numbers, texts)| numbers != texts)
    };
    if let Some(failure) = report.first_failures.iter().find(is_wrong) {
        return Err(format!("the numbers of the failure of '{}' are others", excerpt(&failure.value)));
    }
    let is_wrong = |worst: &&Worst| space.number(&worst.value).is_some_and(|by_text| by_text != worst.number);
    if let Some(worst) = report.worst.iter().chain(report.worst_by_class.values()).find(is_wrong) {
        return Err(format!("the number of the worst input '{}' is another", excerpt(&worst.value)));
    }
    let strata: Vec<_> = report.strata.iter().map(|s| (s.length, s.negative, s.values)).collect();
    let planned: Vec<_> = match report.mode {
        Mode::Exhaustive => Vec::new(),
        Mode::Sample => {
            let (_, divided) = sample::divide(&space, &report.plan);
            divided.iter().map(|s| (s.length, s.negative, s.count())).collect()
        }
    };
    if strata != planned {
        return Err("its strata do not match its plan".into());
    }
    if report.count_by_length(report.checked(), &report.strata) != report.by_length {
        return Err("its counts by length do not match the values that it covers".into());
    }
    if report.values != report.by_length.values().map(|&count| u128::from(count)).sum() {
        return Err("its number of values is not the sum of its counts by length".into());
    }
    let needed = || match report.mode {
        Mode::Exhaustive => report.planned().into_owned(),
        Mode::Sample => sample::needed(&space, &report.plan, report.neighbours),
    };
    if report.complete && report.shard.is_none() && !difference(&needed(), report.checked()).is_empty() {
        return Err("it is marked complete, but covers less than its plan".into());
    }
    Ok(())
}

fn excerpt(text: &str) -> String {
    text.chars().take(100).collect()
}
