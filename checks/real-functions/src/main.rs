//! Checks functions of published crates on every input that they have, and prints what differs.
//!
//! `cargo run --release` runs all rows, and the names of rows as arguments run these alone. A row
//! fails if the crate cannot be called, not if it differs from the reference: that is the result.

mod exact;
mod ulps;

use every_input::{Check, Report, Space, exhaustive};

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

    /// Checks a function on every input of a space, unless the row is not chosen.
    fn sweep<S: Space>(&self, space: S, name: &str, check: &impl Check<S::Item>) -> Option<Report> {
        self.chooses(name).then(|| {
            let report = exhaustive(space).max_failures(0).report(name, check).expect("threads");
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
        let Some(report) = self.sweep(space, name, &check) else { return };
        let first = report.first_failures.first().map_or("-".into(), |fault| {
            let escaped = |c: char| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() };
            let text: String = fault.value.chars().map(escaped).collect();
            format!("{text}: {}, reference {}", fault.got, fault.expected)
        });
        println!(
            "figure: function=`{name}` of {}; reference={reference}; inputs={inputs}; number={}; differ={}; first input that differs={first}; CPU s={:.0}",
            with_version(krate),
            report.values,
            report.failures,
            report.cpu_seconds.unwrap_or_default(),
        );
    }
}

fn main() {
    let rows = Rows(std::env::args().skip(1).collect());
    exact::rows(&rows);
    ulps::rows(&rows);
}
