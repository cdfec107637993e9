//! The report as text.

use std::fmt::{self, Display};

use crate::plan::interval::count;
use crate::plan::mode::Mode;
use crate::plan::sample::{self, NEIGHBOURHOOD};
use crate::report::cpu_use::cpu_use;
use crate::report::outcome::{Outcome, more_may_fail, number_of, why_ended};
use crate::report::setting::{is_library, setting_to};
use crate::report::sweep_report::{Ending, Report};
use crate::report::table::{table, worst_by_class};
use crate::texts::{Printable, grouped, long_time, plural};

/// Displays what was covered, the speed, the failures and the result. In the alternate form `{:#}`,
/// the first word of the result is coloured with ANSI escape codes.
impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Printable(Body(self)))?;
        result(f, self)
    }
}

/// Displays everything but the result, with names and messages as they are in the report, control
/// characters included.
pub(crate) struct Body<'r>(pub(crate) &'r Report);

impl Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        writeln!(f, "{}\n", report.title())?;
        match report.mode {
            Mode::Exhaustive => classes(f, report)?,
            Mode::Sample => strata(f, report)?,
        }
        speed(f, report)?;
        if let Some(worst) = &report.worst {
            writeln!(f, "worst deviation: {:.3} at {}", worst.deviation, worst.value)?;
            worst_by_class(report).map_or(Ok(()), |table| writeln!(f, "\n{}", table.trim_fmt()))?;
        }
        let (first, more) = (&report.first_failures, report.unlisted());
        if !first.is_empty() || more > 0 {
            writeln!(f, "\nfailures:")?;
        }
        first.iter().try_for_each(|failure| writeln!(f, "  {}", report.shown(failure)))?;
        if more > 0 {
            writeln!(f, "  and {} more", grouped(more.into()))?;
        }
        if let Some(text) = more_may_fail(report) {
            writeln!(f, "  ({text})")?;
        }
        match why_ended(report) {
            Some(why) if report.merged.is_none() || report.ending != Ending::Interrupted => {
                writeln!(f, "\n{why}")
            }
            _ => Ok(()),
        }
    }
}

fn classes(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let classes = report.few_classes();
    if classes.is_empty() {
        return Ok(());
    }
    let name_of = |length| classes.get(length).cloned().flatten();
    let has_names = report.by_length.keys().any(|length| name_of(length).is_some());
    let heading = if has_names { "class" } else { length_heading(report) };
    let mut table = table(&[heading, &format!("{}s", report.noun())]);
    for (length, values) in &report.by_length {
        let name = name_of(length).unwrap_or_else(|| length.to_string());
        table.add_row([name, grouped((*values).into())]);
    }
    table.add_row(["all".into(), grouped(report.values)]);
    writeln!(f, "{}\n", table.trim_fmt())
}

/// Returns the heading of the lengths, which are those of LEB128 in any wire format.
fn length_heading(report: &Report) -> &'static str {
    if report.other_wire().is_some() { "LEB128 bytes" } else { "bytes" }
}

/// What the strata of a sample differ in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strata {
    Classes,
    Lengths,
    LengthsAndSigns,
}

fn strata_of(report: &Report) -> Strata {
    let space = report.known_space();
    let mut classes = space.iter().flat_map(|space| &space.classes);
    if report.strata.iter().any(|stratum| stratum.class.is_some()) {
        return Strata::Classes;
    }
    if classes.any(|class| class.negative) { Strata::LengthsAndSigns } else { Strata::Lengths }
}

/// Returns the number of inputs of a sample that are checked exhaustively; `None` for a shard.
fn boundaries(report: &Report) -> Option<u128> {
    let space = report.known_space().filter(|_| report.shard.is_none())?;
    Some(count(&sample::divide(&space, &report.plan).0))
}

fn strata(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let (heading, has_signs) = match strata_of(report) {
        Strata::Classes => ("class", false),
        Strata::Lengths => (length_heading(report), false),
        Strata::LengthsAndSigns => (length_heading(report), true),
    };
    let inputs = format!("{}s", report.noun());
    let mut headings = vec![heading, "sign", &inputs, "drawn", "fail at most (95 %)"];
    if !has_signs {
        headings.remove(1);
    }
    let mut table = table(&headings);
    for stratum in &report.strata {
        let sign = if stratum.negative { "-" } else { "+" };
        let bound = match stratum.fails_at_most {
            _ if stratum.failures > 0 => format!("({} failed)", grouped(stratum.failures.into())),
            Some(part) => format!("1 in {}", one_in(part)),
            None => "(nothing drawn)".into(),
        };
        let [values, drawn] = [stratum.values, stratum.sampled.into()].map(grouped);
        let class = stratum.class.clone().unwrap_or_else(|| stratum.length.to_string());
        let mut row = vec![class, sign.into(), values, drawn, bound];
        if !has_signs {
            row.remove(1);
        }
        table.add_row(row);
    }
    if report.strata.iter().any(|stratum| stratum.sampled > 0) {
        writeln!(f, "{}\n", table.trim_fmt())?;
    }
    let (covered, planned) = (count(&report.covered), boundaries(report));
    let side = report.inputs(NEIGHBOURHOOD as u128);
    if report.complete || planned == Some(covered) {
        let covered = report.inputs(covered);
        let around = match report.neighbours {
            None if strata_of(report) == Strata::Classes => {
                format!("boundaries, {side} on each side of them, and small classes")
            }
            None => format!("boundaries, {side} on each side of them, and short lengths"),
            Some(0) => "not all boundaries".to_owned(),
            Some(neighbours) => {
                format!("boundaries, {} of {side} on each side of them", grouped(neighbours.into()))
            }
        };
        writeln!(f, "checked exhaustively: {covered} ({around})")?;
    } else {
        let covered = match planned {
            Some(planned) => format!("{} of {}", grouped(covered), report.inputs(planned)),
            None => format!("{}, which is not all of them", report.inputs(covered)),
        };
        writeln!(f, "checked around boundaries: {covered}")?;
    }
    let drawn: u128 = report.strata.iter().map(|stratum| u128::from(stratum.sampled)).sum();
    if drawn == 0 {
        return Ok(());
    }
    let repeat = repeat(report).map(|settings| format!(" (to repeat: {settings})"));
    writeln!(f, "drawn at random: {}{}", report.inputs(drawn), repeat.unwrap_or_default())
}

fn speed(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    if let Some(merged) = report.merged {
        write!(f, "{} from {}", report.inputs(report.values), plural(merged as u128, "report"))?;
        return match report.cpu_seconds {
            Some(cpu) => writeln!(f, "; CPU {} in all", long_time(cpu)),
            None => writeln!(f),
        };
    }
    let (inputs, seconds, noun) = (report.inputs(report.values), report.seconds, report.noun());
    let threads = plural(report.threads as u128, "thread");
    let rate = grouped(report.values_per_second as u128);
    writeln!(f, "{inputs} in {seconds:.2} s on {threads}, {rate} {noun}s/s")?;
    cpu_use(report).map_or(Ok(()), |text| writeln!(f, "{text}"))
}

fn result(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let checked = format!("in {}", report.inputs(report.values));
    let ending = match report.ending {
        // Reports are missing, or of an interrupted sweep.
        Ending::Interrupted if report.merged.is_some() => Ending::Running,
        ending => ending,
    };
    writeln!(f)?;
    if report.has_nothing() {
        Outcome::Nothing.fmt(f)?;
        return match &report.shard {
            Some(shard) => writeln!(
                f,
                " shard {shard} has no {}s, because the sweep has fewer units of work than shards",
                report.noun()
            ),
            None => writeln!(f, " the sweep has no {}s", report.noun()),
        };
    }
    Outcome::of(report.failures, ending).fmt(f)?;
    write!(f, " {} {checked}", number_of(report.failures))?;
    if report.failures > 0 || !report.complete {
        return writeln!(f);
    }
    match (report.mode, &report.shard) {
        (Mode::Exhaustive, None) => writeln!(f, ", which is all of them"),
        (Mode::Exhaustive, Some(shard)) => writeln!(f, ", which is all of shard {shard}"),
        (Mode::Sample, _) => {
            writeln!(f)?;
            let bounds: Option<Vec<_>> = report.strata.iter().map(|stratum| stratum.fails_at_most).collect();
            // Short lengths are not in the table, and may be covered in part.
            let of = if report.neighbours.is_some() { " in the table" } else { "" };
            if let Some(bounds) = bounds.filter(|bounds| !bounds.is_empty()) {
                let all = match strata_of(report) {
                    Strata::Classes => "classes",
                    Strata::Lengths => "lengths",
                    Strata::LengthsAndSigns => "lengths and signs",
                };
                writeln!(
                    f,
                    "With 95 % confidence for all {all}{of} together, at most 1 in {} {}s of each one fail.",
                    one_in(bounds.into_iter().fold(0.0, f64::max)),
                    report.noun(),
                )?;
            }
            let Some(seconds) = report.exhaustive_seconds else { return Ok(()) };
            writeln!(
                f,
                "All {} would take {} on this machine, or {} on 1,000 such cores.",
                report.inputs(count(&report.plan)),
                long_time(seconds),
                long_time(seconds * report.threads as f64 / 1000.0),
            )
        }
    }
}

/// Returns the settings that repeat the sample: options of a program, or methods of this library.
fn repeat(report: &Report) -> Option<String> {
    let options = report.repeat.as_ref()?;
    if !is_library(&report.program) {
        return Some(options.clone());
    }
    let words: Vec<&str> = options.split(' ').collect();
    let settings = words.chunks_exact(2).map(|pair| match pair[0].trim_start_matches('-') {
        "sample" => setting_to(&report.program, "sample", &format!("Some({})", pair[1])),
        "shard" => setting_to(&report.program, "shard", &format!("\"{}\".parse()?", pair[1])),
        name => setting_to(&report.program, name, pair[1]),
    });
    Some(settings.collect::<Vec<_>>().join(", "))
}

/// Returns the greatest number n for which 1 in n values is at least this fraction of them.
fn one_in(fraction: f64) -> String {
    grouped((1.0 / fraction) as u128)
}
