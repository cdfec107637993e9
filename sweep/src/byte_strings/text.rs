//! The text form of a report.

use std::fmt;
use std::time::Duration;

use humantime::format_duration;

use super::placement::Placement;
use super::report::{DecoderReport, LengthReport, Report, TypeReport};
use super::strings::MAX_STRUCTURED_LEN;
use crate::report::alignment::{right, table};
use crate::report::conclusion::{self, Speed};
use crate::report::numbers::{grouped, plural};

/// The noun for a failure in this report.
const FAILURE: &str = "disagreement";

/// Displays a report as text: the strings checked, the disagreements found, and the speed.
#[derive(Clone, Copy, Debug)]
pub struct Text<'r>(pub &'r Report);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        let (len, next) = (plural(report.len as u128, "byte"), report.len + 1);
        writeln!(f, "every byte string up to {len}, structured ones from {next} to {MAX_STRUCTURED_LEN}")?;
        if let Some(budget) = report.budget_seconds {
            writeln!(f, "(the length was chosen for --budget {})", time(budget))?;
        }
        writeln!(f)?;
        outcomes(f, report)?;
        decoders(f, report)?;
        speed(f, report)?;
        conclusion::failures(f, FAILURE, &report.first_disagreements, report.disagreements)?;
        conclusion::ending(
            f,
            FAILURE,
            report.first_disagreements.len(),
            report.disagreements,
            report.ending,
        )?;
        let checked = format!("about {}", strings(report.strings));
        let result = conclusion::result(FAILURE, report.disagreements, &checked, report.ending);
        let all = if report.complete && report.disagreements == 0 { ", which is all of them" } else { "" };
        writeln!(f, "\n{result}{all}")
    }
}

/// Writes the outcomes by type and length, with one row for all structured lengths of a type.
fn outcomes(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let mut table = table(&["type", "bytes", "strings", "valid", "overlong", "truncated", "overflow"]);
    let mut is_incomplete = false;
    for TypeReport { value_type, lengths, .. } in &report.types {
        let (every, structured): (Vec<_>, Vec<_>) = lengths.iter().partition(|strings| strings.every);
        let rows = every.iter().map(|strings| (strings.length.to_string(), vec![*strings]));
        let name = format!("{}-{MAX_STRUCTURED_LEN} structured", report.len + 1);
        for (bytes, strings) in rows.chain([(name, structured)]) {
            let sum = |count: fn(&LengthReport) -> u64| strings.iter().map(|s| count(s)).sum::<u64>();
            let (planned, checked) = (sum(|s| s.planned), sum(|s| s.checked));
            is_incomplete |= checked < planned;
            let of =
                if checked < planned { format!(" of {}", grouped(planned.into())) } else { String::new() };
            table.add_row([
                (*value_type).to_owned(),
                bytes,
                grouped(checked.into()) + &of,
                grouped(sum(|s| s.values).into()),
                grouped(sum(|s| s.overlong).into()),
                grouped(sum(|s| s.truncated).into()),
                grouped(sum(|s| s.overflow).into()),
            ]);
        }
    }
    writeln!(f, "{}", right(table))?;
    if is_incomplete {
        writeln!(f, "(strings that not every decoder has checked are not counted)")?;
    }
    explain(
        f,
        &[
            ("valid", "The string begins with a value of the type."),
            ("overlong", "The value has redundant bytes, which canonical decoders reject."),
            ("truncated", "The string ends inside its first value."),
            ("overflow", "The first value does not fit the type."),
        ],
    )
}

/// Writes the strings by decoder and placement, over all types.
fn decoders(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let mut rows = Vec::new();
    for row in report.types.iter().flat_map(|of| &of.decoders).map(DecoderReport::name) {
        // After a run on another machine, the types may have other kernels.
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let mut table = table(&[
        "decoder",
        "kernel",
        "one value",
        "all values",
        "stream",
        "mixed",
        "appended",
        "CPU s",
        "ns/string",
    ]);
    for row in rows {
        let all = || report.types.iter().flat_map(|of| &of.decoders).filter(|of| of.name() == row);
        let strings = |placement| all().map(|of| of.strings[placement as usize]).sum::<u64>();
        let seconds: f64 = all().map(|of| of.cpu_seconds).sum();
        let mut row = vec![row.0.to_owned(), row.1.unwrap_or_default().to_owned()];
        row.extend(Placement::ALL.map(|placement| grouped(strings(placement).into())));
        row.push(format!("{seconds:.2}"));
        row.push(format!("{:.1}", seconds * 1e9 / strings(Placement::Stream).max(1) as f64));
        table.add_row(row);
    }
    writeln!(f, "strings by placement, each decoded lenient and canonical:\n")?;
    writeln!(f, "{}", right(table))?;
    explain(
        f,
        &[
            ("one value", "The string alone. One value is decoded."),
            ("all values", "The string alone. All values are decoded."),
            ("stream", "Similar strings, one after another."),
            ("mixed", "Dissimilar strings, one after another. The capacity for values varies."),
            ("appended", "The string after 0 to 99 bytes of valid varints."),
            ("ns/string", "CPU time for each string of the column stream, in all placements."),
        ],
    )
}

/// Explains the headings of columns.
fn explain(f: &mut fmt::Formatter<'_>, headings: &[(&str, &str)]) -> fmt::Result {
    writeln!(f)?;
    let width = headings.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0);
    headings.iter().try_for_each(|(heading, meaning)| writeln!(f, "  {heading:width$}  {meaning}"))?;
    writeln!(f)
}

/// Formats a duration, such as `10s` or `2h 30m`.
fn time(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds)
        .map_or_else(|_| "any time".into(), |time| format_duration(time).to_string())
}

fn speed(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let speed = Speed {
        seconds: report.seconds,
        threads: report.threads,
        checked: "strings",
        per_second: report.strings_per_second,
        cpu_seconds: report.cpu_seconds,
        available_cpu_seconds: report.seconds * report.threads as f64,
    };
    writeln!(f, "{} ({}) {speed}", strings(report.strings), plural(report.decodings.into(), "decoding"))
}

fn strings(number: u64) -> String {
    plural(number.into(), "string")
}
