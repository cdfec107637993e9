//! Checks functions of published crates on every input that they have, and prints what differs.
//!
//! `cargo run --release` runs all rows, and the names of rows as arguments run these alone. A row
//! fails if the crate cannot be called, not if it differs from the reference: that is the result.

mod exact;
mod speed;
mod ulps;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use every_input::{Check, Failure, FailureList, Report, Space, Watch, exhaustive};

/// Returns the name of a crate with the version in the lock file.
fn with_version(name: &str) -> String {
    let entry = format!("name = \"{name}\"\nversion = \"");
    let version =
        include_str!("../Cargo.lock").split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    format!("{name} {}", version.unwrap_or("of an unknown version"))
}

/// The rows that the arguments choose.
struct Rows(Vec<String>);

impl Rows {
    fn chooses(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|chosen| chosen == name)
    }

    /// Checks a function on every input of a space, unless the row is not chosen. The watch receives
    /// the failures.
    fn sweep<S: Space>(
        &self,
        space: S,
        name: &str,
        check: impl Check<S::Item>,
        watch: &Watch,
    ) -> Option<Report> {
        self.chooses(name).then(|| {
            let sweep = exhaustive(space).max_failures(0);
            let report = sweep.report_watched(name, &check, watch, None).expect("threads");
            assert!(report.complete);
            report
        })
    }

    /// Prints the row of a function whose results shall be exactly those of a reference.
    fn exact<S: Space>(
        &self,
        name: &str,
        krate: &str,
        reference: &str,
        space: S,
        check: impl Check<S::Item>,
    ) {
        let inputs = space.name();
        let file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        let list = FailureList::open(file.path()).expect("a file");
        let watch = Watch::new().list_failures(Arc::new(list));
        let Some(report) = self.sweep(space, name, check, &watch) else { return };
        let lines = BufReader::new(File::open(file.path()).expect("the list")).lines();
        let failure = |line: String| serde_json::from_str::<Failure>(&line).expect("a failure");
        let ranges: Vec<_> = lines.map(|line| failure(line.expect("the list"))).collect();
        // The shortest text is the plainest example.
        let shortest = ranges.iter().min_by_key(|failure| (failure.value.len(), &failure.value));
        println!(
            "figure: function=`{name}` of {}; reference={reference}; inputs={inputs}; number={}; differ={}; ranges={}; shortest input that differs={}; CPU s={:.0}",
            with_version(krate),
            report.values,
            report.failures,
            ranges.len(),
            shortest.map_or("-".into(), |Failure { value, expected, got, .. }| format!(
                "{value}: {got}, reference {expected}"
            )),
            report.cpu_seconds.unwrap_or_default(),
        );
    }
}

fn main() {
    let rows = Rows(std::env::args().skip(1).collect());
    exact::rows(&rows);
    ulps::rows(&rows);
    speed::rows(&rows);
}
