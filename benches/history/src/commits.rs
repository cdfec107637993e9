//! The order of commits, which git knows.

use std::path::Path;
use std::process::Command;

/// The commits of a repository, from the oldest to the newest.
#[derive(Default)]
pub(crate) struct Commits {
    names: Vec<String>,
    /// Why there are none, if so.
    pub(crate) problem: Option<String>,
}

impl Commits {
    /// Returns the commits of the repository that contains `folder`: all that its branches and tags reach,
    /// and those that baselines are named after.
    pub(crate) fn read<'a>(folder: &Path, baselines: impl Iterator<Item = &'a str>) -> Self {
        let output = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["rev-list", "--topo-order", "--reverse", "--all", "--ignore-missing", "HEAD"])
            .args(baselines.filter_map(commit))
            .output();
        match output {
            Ok(output) if output.status.success() => {
                let names = String::from_utf8_lossy(&output.stdout);
                Self { names: names.lines().map(Into::into).collect(), problem: None }
            }
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                Self::none(message.lines().next().unwrap_or("git failed"))
            }
            Err(error) => Self::none(&format!("git: {error}")),
        }
    }

    fn none(problem: &str) -> Self {
        Self { names: Vec::new(), problem: Some(problem.into()) }
    }

    /// Returns the position of the commit that a baseline is named after, or `None` if there is no such
    /// commit here.
    pub(crate) fn position(&self, baseline: &str) -> Option<usize> {
        let commit = commit(baseline)?;
        self.names.iter().position(|name| name.starts_with(commit))
    }
}

/// Returns the commit in the name of a baseline, which may end in `-dirty`.
pub(crate) fn commit(baseline: &str) -> Option<&str> {
    let name = baseline.strip_suffix("-dirty").unwrap_or(baseline);
    let is_hash = (7..=40).contains(&name.len()) && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hash.then_some(name)
}
