//! The order of commits, which git knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Where the commits that baselines are named after are in the history of a repository.
#[derive(Default)]
pub(crate) struct Commits {
    /// The number of commits before, by the name of the baseline.
    positions: BTreeMap<String, usize>,
    /// Why there are none, if so.
    pub(crate) problem: Option<String>,
}

impl Commits {
    /// Looks for the commits of `baselines` in the repository that contains `folder`.
    pub(crate) fn find<'a>(folder: &Path, baselines: impl Iterator<Item = &'a str>) -> Self {
        let named: BTreeSet<(&str, &str)> =
            baselines.filter_map(|baseline| Some((baseline, commit(baseline)?))).collect();
        // All that branches and tags reach, and the commits themselves, which may have no branch any more.
        let output = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["rev-list", "--topo-order", "--reverse", "--all", "--ignore-missing", "HEAD"])
            .args(named.iter().map(|(_, commit)| commit))
            .output();
        let none = |problem: String| Self { problem: Some(problem), ..Self::default() };
        match output {
            Ok(output) if output.status.success() => {
                let names = String::from_utf8_lossy(&output.stdout);
                let names: Vec<&str> = names.lines().collect();
                let place = |(baseline, commit): (&str, &str)| {
                    let position = names.iter().position(|name| name.starts_with(commit))?;
                    Some((baseline.to_owned(), position))
                };
                Self { positions: named.into_iter().filter_map(place).collect(), problem: None }
            }
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                none(message.lines().next().unwrap_or("git failed").into())
            }
            Err(error) => none(format!("git: {error}")),
        }
    }

    /// Returns the position of the commit that a baseline is named after, or `None` if there is no such
    /// commit.
    pub(crate) fn position(&self, baseline: &str) -> Option<usize> {
        self.positions.get(baseline).copied()
    }
}

/// Returns the commit in the name of a baseline, which may end in `-dirty`.
pub(crate) fn commit(baseline: &str) -> Option<&str> {
    let name = baseline.strip_suffix("-dirty").unwrap_or(baseline);
    let is_hash = (7..=40).contains(&name.len()) && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hash.then_some(name)
}
