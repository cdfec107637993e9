//! Merges reports of one sweep into one report.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::merged::{Finding, FindingKind, Merged};
use crate::check::bounds;
use crate::check::worst::{Worst, WorstByClass, add};
use crate::error::FileError;
use crate::plan::interval::{self, Interval};
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::plan::shard::ShardSet;
use crate::plan::space::ErasedSpace;
use crate::report::long_plan::LongPlan;
use crate::report::sweep_report::{DEFAULT_LIST_LENGTH, Ending, Report, joined_kernels, repeat_options};
use crate::texts::plural;

/// Merges the reports in these files.
///
/// If they are of several sweeps, the sweep with the most reports is merged, and the other reports
/// are unrelated.
pub fn merge<P: AsRef<Path>>(files: &[P]) -> Merged {
    merge_reports(files.iter().map(|file| (file.as_ref().display().to_string(), Report::read(file.as_ref()))))
}

/// Merges reports as [`merge`] does, after they were read. Each has a name for the findings, and is
/// a report or the reason why it cannot be read.
pub fn merge_reports(files: impl IntoIterator<Item = (String, Result<Report, FileError>)>) -> Merged {
    let mut findings = Vec::new();
    // Each sweep by one report with the first failures of all, and the parts of all reports that differ from
    // that of their sweep.
    let (mut sweeps, mut reports) = (Vec::<Report>::new(), Vec::<(String, Report, usize, bool)>::new());
    for (file, read) in files {
        match read {
            Ok(mut report) => {
                let index = sweeps.iter().position(|sweep| sweep.difference_to(&report).is_none());
                let (plan, space) = (std::mem::take(&mut report.plan), std::mem::take(&mut report.space));
                let (mut own, most) = (std::mem::take(&mut report.first_failures), report.list_length());
                bounds::truncate(&mut own, most);
                let index = index.unwrap_or_else(|| {
                    sweeps.push(Report { plan, space, ..report.clone() });
                    sweeps.len() - 1
                });
                let members = reports.iter().filter(|(.., of, is_ignored)| *of == index && !is_ignored);
                let is_ignored = { members }.any(|(_, member, ..)| is_duplicate(&report, member));
                if !is_ignored {
                    let kept = &mut sweeps[index].first_failures;
                    kept.append(&mut own);
                    bounds::keep_first(kept, report.mode);
                }
                reports.push((file, report, index, is_ignored));
            }
            Err(error) => {
                findings.push(Finding::new(FindingKind::Unreadable, Some(&file), vec![], error.to_string()));
            }
        }
    }
    let number = |&sweep: &usize| reports.iter().filter(|(.., index, _)| *index == sweep).count();
    // Of several that have as many reports, the first.
    let Some(most) = (0..sweeps.len()).rev().max_by_key(number) else {
        return Merged { report: None, findings };
    };
    let differences: Vec<_> = sweeps.iter().map(|other| sweeps[most].difference_to(other)).collect();
    let mut union = Union { sweep: sweeps.swap_remove(most), members: Vec::new(), checked: Vec::new() };
    drop(sweeps);
    for (file, report, index, _) in reports {
        match &differences[index] {
            Some(differs) => {
                let covered = report.text_of(report.checked());
                let message = format!("'{file}': unrelated shard, ignored ({differs}; it covers {covered})");
                findings.push(Finding::new(FindingKind::Unrelated, Some(&file), report.covered, message));
            }
            None => findings.extend(union.add(file, report)),
        }
    }
    findings.extend(union.missing());
    let report = union.report(&findings);
    Merged { report: Some(report), findings }
}

/// Returns whether a report is of the same part of its sweep as another one.
fn is_duplicate(report: &Report, other: &Report) -> bool {
    // A sample draws with replacement, so duplicates are recognized by their shard.
    let shards = |report: &Report| ShardSet::parse(report.shard.as_deref());
    let is_same_shard = report.mode == Mode::Sample
        && shards(report).zip(shards(other)).is_some_and(|(own, other)| own.overlaps(&other));
    is_same_shard || (other.checked() == report.checked() && !report.checked().is_empty())
}

struct Union {
    /// The plan, and the first failures of all members.
    sweep: Report,
    /// The reports without their plans and failures.
    members: Vec<(String, Report, Option<ShardSet>)>,
    /// What they cover: values, or places in a long plan.
    checked: Vec<Interval>,
}

impl Union {
    fn add(&mut self, file: String, report: Report) -> Vec<Finding> {
        let shards = ShardSet::parse(report.shard.as_deref());
        let mut findings = Vec::new();
        for (with, other, _) in &self.members {
            if is_duplicate(&report, other) {
                let covered = report.text_of(report.checked());
                let message = format!("'{file}': duplicate of '{with}', ignored (it covers {covered})");
                return vec![Finding::new(FindingKind::Duplicate, Some(&file), report.covered, message)];
            }
        }
        if !interval::intersection(&self.checked, report.checked()).is_empty() {
            for (with, other, _) in &self.members {
                let both = interval::intersection(other.checked(), report.checked());
                if !both.is_empty() {
                    let text = self.text_of(&both);
                    let message =
                        format!("overlap: '{file}' and '{with}' both cover {text}; leave one of them out");
                    let values = interval::intersection(&other.covered, &report.covered);
                    findings.push(Finding::new(FindingKind::Overlap, Some(&file), values, message));
                }
            }
        }
        self.checked = interval::union(self.checked.drain(..).chain(report.checked().iter().copied()));
        self.members.push((file, report, shards));
        findings
    }

    /// Returns the set of shards, or `None` if their numbers of shards differ or there are none.
    fn shards(&self, complete_only: bool) -> Option<ShardSet> {
        let mut members = self.members.iter().filter(|(_, report, _)| report.complete || !complete_only);
        let first = members.next()?.2.clone()?;
        members.try_fold(first, |all, (.., next)| all.union(next.as_ref()?))
    }

    /// Returns the least number of values that a report covers on each side of boundaries.
    fn neighbours(&self, complete_only: bool) -> Option<u64> {
        let members = self.members.iter().filter(|(_, report, _)| report.complete || !complete_only);
        members.filter_map(|(_, report, _)| report.neighbours).min()
    }

    fn missing(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let checked = match self.sweep.mode {
            Mode::Exhaustive => self.sweep.planned(),
            Mode::Sample => {
                let space = self.sweep.known_space();
                let needed =
                    |space: &ErasedSpace| sample::needed(space, &self.sweep.plan, self.neighbours(true));
                Cow::Owned(space.map(|space| needed(&space)).unwrap_or_default())
            }
        };
        let missing = interval::difference(&checked, &self.checked);
        let is_gap = !missing.is_empty();
        if is_gap {
            let message = format!("gap: no report covers {}", self.text_of(&missing));
            // Which values are at places is known of those alone that are covered.
            let values = if self.sweep.long_plan.is_some() { Vec::new() } else { missing };
            findings.push(Finding::new(FindingKind::Gap, None, values, message));
        }
        if is_gap || self.sweep.mode == Mode::Sample {
            let missing = match self.shards(true) {
                Some(finished) => finished.missing(),
                // No shard is finished: the shards that have a report.
                None => self.shards(false),
            };
            findings.extend(missing.map(|missing| {
                let message =
                    format!("shard {missing}: missing or unfinished; run it, or resume its checkpoint");
                Finding::new(FindingKind::Shards, None, vec![], message)
            }));
        }
        findings
    }

    fn report(mut self, findings: &[Finding]) -> Report {
        let sweep = std::mem::take(&mut self.sweep);
        let reports = || self.members.iter().map(|(_, report, _)| report);
        let most = reports().map(Report::list_length).max().unwrap_or(DEFAULT_LIST_LENGTH);
        let first_failures = bounds::first_in_report(sweep.first_failures, sweep.mode, most);
        let complete = !findings.iter().any(Finding::is_missing);
        let mut strata = sweep.strata;
        for (index, stratum) in strata.iter_mut().enumerate() {
            let parts = || reports().filter_map(|report| report.strata.get(index));
            stratum.sampled = parts().map(|part| part.sampled).fold(0, u64::saturating_add);
            stratum.failures = parts().map(|part| part.failures).fold(0, u64::saturating_add);
        }
        let seconds = reports().map(|report| report.seconds).fold(0.0, f64::max);
        // The options of the whole. Shards with a time limit end in different rounds, so none
        // repeat it.
        let repeat = sweep.draws.zip(sweep.seed).map(|(draws, seed)| repeat_options(draws, seed, None));
        let mut worst_by_class = WorstByClass::new();
        for (class, worst) in reports().flat_map(|report| &report.worst_by_class) {
            add(&mut worst_by_class, class.clone(), worst.clone());
        }
        let mut report = Report {
            kernel: joined_kernels(reports()),
            repeat,
            neighbours: self.neighbours(false),
            shard: if complete { None } else { self.shards(false).and_then(|shards| shards.name()) },
            merged: Some(reports().map(|report| report.merged.unwrap_or(1)).fold(0, usize::saturating_add)),
            threads: reports().map(|report| report.threads).fold(0, usize::saturating_add),
            complete,
            ending: if complete { Ending::Complete } else { Ending::Interrupted },
            limit: None,
            max_failures: reports().map(|report| report.max_failures).max().unwrap_or_default(),
            exit_code: None,
            errors: Vec::new(),
            failures: reports().map(|report| report.failures).fold(0, u64::saturating_add),
            first_failures,
            worst: reports().fold(None, |worst, report| Worst::greater(worst, report.worst.clone())),
            worst_by_class,
            cpu_seconds: reports().map(|report| report.cpu_seconds).sum(),
            cpu_by_thread: Vec::new(),
            cpus: None,
            exhaustive_seconds: None,
            // The shards agree about the rest. It is named, so that a new field is not forgotten.
            format: sweep.format,
            program: sweep.program,
            value_type: sweep.value_type,
            space: sweep.space,
            mode: sweep.mode,
            seed: sweep.seed,
            draws: sweep.draws,
            codec: sweep.codec,
            subject: sweep.subject,
            wire: sweep.wire,
            fingerprint: sweep.fingerprint,
            plan: sweep.plan,
            long_plan: sweep.long_plan,
            // Set below.
            covered: Vec::new(),
            strata: Vec::new(),
            values: 0,
            by_length: BTreeMap::new(),
            seconds: 0.0,
            values_per_second: 0.0,
        };
        if report.long_plan.is_some() {
            report.covered = interval::union(reports().flat_map(|report| report.covered.iter().copied()));
            report.covered.truncate(LongPlan::FIRST_RANGES);
        }
        // Counted from the union of the intervals, so that overlaps count once.
        report.set_checked(self.checked, strata, seconds);
        report
    }

    fn text_of(&self, checked: &[Interval]) -> String {
        format!("{} ({})", self.sweep.text_of(checked), plural(interval::count(checked), "value"))
    }
}
