//! A table for each group, with a row for each measurement.

use std::fmt::Write;
use std::time::{Duration, UNIX_EPOCH};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use crate::history::{Entry, History, describe};
use crate::welch::{LEVEL, mean, p_value};

const HEADER: [&str; 10] =
    ["contender", "commit", "date", "on", "runs", "samples", "fastest", "mean", "change", "p"];
/// The columns that are aligned to the left.
const LEFT: usize = 3;

/// Returns the tables as text.
pub(crate) fn tables(history: &History) -> String {
    let mut text = String::new();
    for (group, contenders) in &history.groups {
        let unit = match contenders.values().flatten().any(|entry| entry.fastest.elements.is_none()) {
            true => "iteration",
            false => "element",
        };
        let _ = writeln!(text, "{group}: nanoseconds per {unit}"); // a String
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(HEADER.into_iter().chain(["result"]));
        for column in table.column_iter_mut().take(HEADER.len()).skip(LEFT) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        for (contender, entries) in contenders {
            for (index, entry) in entries.iter().enumerate() {
                let head = if index == 0 { contender } else { "" };
                table.add_row(row(history, head, entry, &entries[..index], drift(entries)));
            }
        }
        for line in table.lines() {
            let _ = writeln!(text, "{}", line[1..].trim_end()); // a String
        }
        text.push('\n');
    }
    for (number, environment) in (1..).zip(&history.environments) {
        let _ = writeln!(text, "on {number}: {}", describe(environment.as_ref())); // a String
    }
    for note in &history.notes {
        let _ = writeln!(text, "{note}"); // a String
    }
    text + "Of several runs of a commit, the fastest counts.\n\
        change: of the mean, from the commit before on the same machine and compiler\n\
        p: Welch's t-test on the samples; chance does not explain a change with p < 0.01\n\
        drift: chance does not explain it, but two runs of one commit differ as much\n"
}

/// Returns the cells of an entry after `earlier` ones.
fn row(history: &History, head: &str, entry: &Entry, earlier: &[Entry], drift: f64) -> Vec<String> {
    let one = &entry.fastest;
    let times = one.times();
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let number = history.number(one.environment.as_ref());
    let previous = earlier.iter().rfind(|other| other.fastest.environment == one.environment);
    let [change, p, result] = match previous {
        Some(previous) => compared(&previous.fastest.times(), &times, drift),
        None if earlier.is_empty() => Default::default(),
        None => [String::new(), String::new(), format!("first on {number}")],
    };
    let counts = [number, entry.runs, times.len()].map(|count| count.to_string());
    let numbers = [fastest, mean(&times)].map(nanoseconds);
    let head = [head.into(), one.baseline.clone(), date(one.date)];
    head.into_iter().chain(counts).chain(numbers).chain([change, p, result]).collect()
}

/// Returns the change of the mean, its p-value, and what that means.
fn compared(previous: &[f64], times: &[f64], drift: f64) -> [String; 3] {
    let ratio = mean(times) / mean(previous);
    let change = format!("{:+.1} %", (ratio - 1.0) * 100.0);
    let Some(p) = p_value(previous, times) else {
        return [change, String::new(), "too few samples".into()];
    };
    let result = match ratio < 1.0 {
        _ if p >= LEVEL => "chance",
        _ if ratio.max(1.0 / ratio) <= drift => "drift",
        true => "faster",
        false => "slower",
    };
    [change, if p < 0.0001 { "<0.0001".into() } else { format!("{p:.4}") }, result.into()]
}

/// Returns the largest ratio between two runs of one commit; 1 if none was measured again.
fn drift(entries: &[Entry]) -> f64 {
    entries.iter().map(|entry| entry.slowest / mean(&entry.fastest.times())).fold(1.0, f64::max)
}

/// Returns a time with four digits that count.
pub(crate) fn nanoseconds(time: f64) -> String {
    let digits = 3 - time.log10().floor().clamp(-6.0, 3.0) as i32;
    format!("{time:.*}", digits as usize)
}

/// Returns the day and minute of a time in seconds since 1970, in UTC.
fn date(seconds: i64) -> String {
    const YEAR_10000: i64 = 253_402_300_800;
    let time = UNIX_EPOCH + Duration::from_secs(seconds.clamp(0, YEAR_10000 - 1) as u64);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text[..16].replace('T', " ")
}
