//! The results of some benchmarks, in the order of commits.

use std::collections::{BTreeMap, BTreeSet};

use crate::commits::{Commits, commit};
use crate::measurement::{Environment, Measurement};
use crate::welch::mean;

/// Results by group and contender. Those of one contender are sorted: first the commits, in git's order
/// and each before its uncommitted changes, then all other baselines by date.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) groups: BTreeMap<String, BTreeMap<String, Vec<Entry>>>,
    /// All machines and compilers, in the order in which they were first used.
    pub(crate) environments: Vec<Option<Environment>>,
    /// What a reader must know about the order.
    pub(crate) notes: Vec<String>,
}

/// What is known of one benchmark at one commit on one machine, or one measurement of other code.
pub(crate) struct Entry {
    /// Increases with the order of commits, and is the same for benchmarks of the same code.
    pub(crate) place: usize,
    /// How often it was measured.
    pub(crate) runs: usize,
    /// The mean of the slowest run.
    pub(crate) slowest: f64,
    /// The fastest run: whatever else a machine does makes a run slower.
    pub(crate) fastest: Measurement,
}

impl History {
    /// Sorts one or more measurements.
    pub(crate) fn new(mut measurements: Vec<Measurement>, commits: &Commits) -> Self {
        let mut history = Self { notes: notes(&measurements, commits), ..Self::default() };
        measurements.sort_by_cached_key(|one| {
            let position = commits.position(&one.baseline);
            let is_changed = position.is_some() && one.baseline.ends_with("-dirty");
            (position.unwrap_or(usize::MAX), is_changed, one.date)
        });
        // Times per element and per iteration are not comparable.
        let without_elements = measurements.iter().filter(|one| one.elements.is_none());
        let without_elements: BTreeSet<String> = without_elements.map(|one| one.group.clone()).collect();
        let mut places: Vec<(String, usize)> = Vec::new();
        for mut one in measurements {
            if without_elements.contains(&one.group) {
                one.elements = None;
            }
            if !history.environments.contains(&one.environment) {
                history.environments.push(one.environment.clone());
            }
            let contenders = history.groups.entry(one.group.clone()).or_default();
            let entries = contenders.entry(one.contender.clone()).or_default();
            let is_same = |entry: &Entry| {
                (&entry.fastest.baseline, &entry.fastest.environment) == (&one.baseline, &one.environment)
            };
            let time = mean(&one.times());
            // Other baselines than commits are not always the same code.
            let is_commit = commit(&one.baseline) == Some(&one.baseline);
            if let Some(entry) = entries.iter_mut().find(|entry| is_commit && is_same(entry)) {
                entry.runs += 1;
                entry.slowest = entry.slowest.max(time);
                if time < mean(&entry.fastest.times()) {
                    entry.fastest = one;
                }
                continue;
            }
            let code = (one.baseline.clone(), entries.iter().filter(|entry| is_same(entry)).count());
            let place = places.iter().position(|other| *other == code).unwrap_or_else(|| {
                places.push(code);
                places.len() - 1
            });
            entries.push(Entry { place, runs: 1, slowest: time, fastest: one });
        }
        history
    }

    /// Returns the number by which tables name an environment, from 1.
    pub(crate) fn number(&self, environment: Option<&Environment>) -> usize {
        let at = self.environments.iter().position(|other| other.as_ref() == environment);
        at.expect("all of them are there") + 1
    }
}

/// Returns what a reader must know about the order of `measurements`.
fn notes(measurements: &[Measurement], commits: &Commits) -> Vec<String> {
    let baselines: BTreeSet<&str> = measurements.iter().map(|one| &*one.baseline).collect();
    let is_unknown = |name: &&str| commit(name).is_some() && commits.position(name).is_none();
    let unknown: Vec<&str> = baselines.into_iter().filter(is_unknown).collect();
    match &commits.problem {
        _ if unknown.is_empty() => vec![],
        Some(problem) => vec![format!("Commits are sorted by date, without git ({problem}).")],
        None => {
            let names = unknown.join(", ");
            vec![format!("Git does not know these here, so they come last, by date: {names}.")]
        }
    }
}

/// Returns what a reader sees of an environment.
pub(crate) fn describe(environment: Option<&Environment>) -> String {
    environment.map_or_else(
        || "machine and compiler unknown; compared as if they were the same".into(),
        |Environment { machine, compiler }| format!("{machine}; {compiler}"),
    )
}
