//! A git repository, a criterion folder and a database for each test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::assert::Assert;
use tempfile::TempDir;

use crate::common;

/// Values per operation of every artificial benchmark.
const VALUES: u64 = 100;

pub(crate) struct Fixture {
    dir: TempDir,
}

impl Fixture {
    /// Returns a fixture with a first commit.
    pub(crate) fn new() -> Self {
        let fixture = Self { dir: TempDir::new().unwrap() };
        fs::create_dir(fixture.repository()).unwrap();
        fs::create_dir(fixture.criterion()).unwrap();
        fixture.git(&["init", "--quiet"]);
        fixture.commit("first");
        fixture
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.path("repository")
    }

    pub(crate) fn criterion(&self) -> PathBuf {
        self.path("criterion")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path("history.sqlite")
    }

    /// Makes a new commit, an hour after the last one, and returns its full name.
    pub(crate) fn commit(&self, subject: &str) -> String {
        fs::write(self.repository().join("code"), subject).unwrap();
        self.git(&["add", "code"]);
        self.git(&["commit", "--quiet", "-m", subject]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let count =
            || isolated("git", &self.repository()).args(["rev-list", "--count", "HEAD"]).output().unwrap();
        let commits =
            if arguments[0] == "commit" { String::from_utf8(count().stdout).unwrap() } else { String::new() };
        let hours: u64 = commits.trim().parse().unwrap_or(0);
        let date = format!("{} +0000", 1_700_000_000 + 3600 * hours);
        let output = isolated("git", &self.repository())
            .args(["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_AUTHOR_DATE", &date)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Adds a result to criterion's folder: the nanoseconds per value of each sample.
    pub(crate) fn bench(&self, group: &str, contender: &str, samples: &[f64]) {
        let samples: Vec<(f64, f64)> = samples.iter().map(|time| (1.0, time * VALUES as f64)).collect();
        common::result(&self.criterion(), group, contender, VALUES, &samples);
    }

    /// Runs the program with this fixture's database.
    pub(crate) fn history(&self, arguments: &[&str]) -> Assert {
        self.history_of(&self.database(), arguments)
    }

    pub(crate) fn history_of(&self, database: &Path, arguments: &[&str]) -> Assert {
        let command = isolated(env!("CARGO_BIN_EXE_history"), &self.repository());
        assert_cmd::Command::from_std(command)
            .env("CRITERION_HOME", self.criterion())
            .args(arguments)
            .arg("--database")
            .arg(database)
            .assert()
    }

    /// Records the results in criterion's folder, and returns the program's output.
    pub(crate) fn record(&self) -> String {
        stdout(&self.history(&["record"]).success())
    }
}

/// Returns a command that uses the repository of its folder only, and no user's settings.
fn isolated(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "").env("GIT_CONFIG_NOSYSTEM", "1");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "CARGO_TARGET_DIR"] {
        command.env_remove(variable);
    }
    command
}

pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Returns the cells of each row of the Markdown tables that is about a benchmark.
pub(crate) fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("/ours-") || line.contains("/plain"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}
