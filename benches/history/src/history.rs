//! The measurements of some benchmarks, in the order of commits.

use std::collections::BTreeMap;

use crate::commits::{Commits, commit};
use crate::measurement::{Environment, Measurement};

/// Measurements by group and contender. Those of one contender are sorted: first the commits, in git's
/// order and each before its uncommitted changes, then all other baselines by date.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) groups: BTreeMap<String, BTreeMap<String, Vec<Entry>>>,
    /// All machines and compilers, in the order in which they were first used.
    pub(crate) environments: Vec<Option<Environment>>,
    /// What a reader must know about the order.
    pub(crate) notes: Vec<String>,
}

/// A measurement, and the number of the run that it is from. A run is the n-th measurement of each
/// benchmark at a commit. Numbers increase with the order of commits.
pub(crate) struct Entry {
    pub(crate) run: usize,
    pub(crate) measurement: Measurement,
}

impl History {
    /// Sorts one or more measurements.
    pub(crate) fn new(mut measurements: Vec<Measurement>, commits: &Commits) -> Self {
        let mut history = Self::default();
        measurements.sort_by_cached_key(|one| {
            let position = commits.position(&one.baseline);
            let is_changed = position.is_some() && one.baseline.ends_with("-dirty");
            (position.unwrap_or(usize::MAX), is_changed, one.date)
        });
        let mut unknown: Vec<&str> = measurements
            .iter()
            .map(|one| &*one.baseline)
            .filter(|baseline| commit(baseline).is_some() && commits.position(baseline).is_none())
            .collect();
        unknown.sort_unstable();
        unknown.dedup();
        if let Some(problem) = &commits.problem {
            history.notes.push(format!("Commits are sorted by date, without git ({problem})."));
        } else if !unknown.is_empty() {
            history.notes.push(format!(
                "Git does not know these here, so they come last, by date: {}.",
                unknown.join(", ")
            ));
        }
        let mut runs: Vec<(String, usize)> = Vec::new();
        for measurement in measurements {
            if !history.environments.contains(&measurement.environment) {
                history.environments.push(measurement.environment.clone());
            }
            let contenders = history.groups.entry(measurement.group.clone()).or_default();
            let entries = contenders.entry(measurement.contender.clone()).or_default();
            let same = entries.iter().filter(|other| other.measurement.baseline == measurement.baseline);
            let run = (measurement.baseline.clone(), same.count());
            let place = runs.iter().position(|other| *other == run).unwrap_or_else(|| {
                runs.push(run);
                runs.len() - 1
            });
            entries.push(Entry { run: place, measurement });
        }
        // Times per element and per iteration are not comparable.
        for contenders in history.groups.values_mut() {
            if contenders.values().flatten().any(|entry| entry.measurement.elements.is_none()) {
                contenders.values_mut().flatten().for_each(|entry| entry.measurement.elements = None);
            }
        }
        history
    }

    /// Returns the number by which tables name an environment, from 1.
    pub(crate) fn number(&self, environment: Option<&Environment>) -> usize {
        let at = self.environments.iter().position(|other| other.as_ref() == environment);
        at.expect("all of them are there") + 1
    }
}

/// Returns what a reader sees of an environment.
pub(crate) fn describe(environment: Option<&Environment>) -> String {
    environment.map_or_else(
        || "machine and compiler unknown; compared as if they were the same".into(),
        |Environment { machine, compiler }| format!("{machine}; {compiler}"),
    )
}
