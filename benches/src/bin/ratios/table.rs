//! A Markdown table for each operation and type, with a row for each contender and a column for
//! each set.

use std::fmt;

use zigzag_varint_benches::name::is_ours;

use crate::results::{Group, Set, Time};

/// A group as a table.
pub(crate) struct Table<'a> {
    pub(crate) group: &'a Group,
    /// Whether every peer gets a row.
    pub(crate) peers: bool,
}

/// Returns a description of the figures.
pub(crate) fn method(groups: &[Group]) -> String {
    let samples =
        || groups.iter().flat_map(|group| &group.sets).flat_map(|set| &set.times).map(|time| time.samples);
    let (least, most) = (samples().min().unwrap_or(0), samples().max().unwrap_or(0));
    let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
    format!(
        "Nanoseconds per value, the minimum of {count} samples; × is the time of the best peer over ours. Bold: our best."
    )
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, peers } = *self;
        let sets = &group.sets;
        let values = sets.iter().flat_map(|set| &set.times).map(|time| time.values).max().unwrap_or(0);
        writeln!(f, "### {} {} ({values} values)\n", group.operation, group.kind)?;

        row(f, "", sets, |set| set.name.clone())?;
        writeln!(f, "|---|{}", "--:|".repeat(sets.len()))?;
        row(f, "best peer", sets, |set| {
            set.best_peer().map_or("–".into(), |peer| format!("{} {:.2}", peer.contender, peer.nanoseconds))
        })?;
        for name in group.contenders(is_ours) {
            row(f, name, sets, |set| set.time(name).map_or("–".into(), |time| ours(set, time)))?;
        }
        if sets.iter().filter_map(Set::best_of_ours).any(|time| time.bytes.is_some()) {
            let rate = |rate: Option<f64>| rate.map_or("–".into(), |rate| format!("{rate:.0}"));
            row(f, "our best, million values/s", sets, |set| {
                rate(set.best_of_ours().map(Time::values_rate))
            })?;
            row(f, "our best, MB/s", sets, |set| rate(set.best_of_ours().and_then(Time::bytes_rate)))?;
            row(f, "best peer, MB/s", sets, |set| rate(set.best_peer().and_then(Time::bytes_rate)))?;
        }
        if peers {
            for name in group.contenders(|name| !is_ours(name)) {
                row(f, name, sets, |set| {
                    set.time(name).map_or("–".into(), |time| format!("{:.2}", time.nanoseconds))
                })?;
            }
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, head: &str, sets: &[Set], cell: impl Fn(&Set) -> String) -> fmt::Result {
    let cells: Vec<String> = sets.iter().map(cell).collect();
    writeln!(f, "| {head} | {} |", cells.join(" | "))
}

/// Formats a time of this crate, with its ratio to the best peer's.
fn ours(set: &Set, time: &Time) -> String {
    let nanoseconds = time.nanoseconds;
    let text = match set.best_peer() {
        Some(peer) => format!("{nanoseconds:.2} ({:.1}×)", peer.nanoseconds / nanoseconds),
        None => format!("{nanoseconds:.2}"),
    };
    let best = set.best_of_ours().is_some_and(|best| best.contender == time.contender);
    if best { format!("**{text}**") } else { text }
}
