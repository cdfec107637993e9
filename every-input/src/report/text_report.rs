//! The report as text, and the parts of it that other formats have too: why the sweep ended, and its
//! outcome in a word.

use std::fmt::{self, Display};

use crate::check::bounds::{ListSize, MAX_LIST_LENGTH};
use crate::plan::interval::{contains, count};
use crate::plan::mode::Mode;
use crate::plan::sample::{self, NEIGHBOURHOOD};
use crate::report::cpu_use::cpu_use;
use crate::report::limit::{Limit, Limited};
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

impl Report {
    /// Displays the reports of several codecs as text: each report, and a table of their speed. The
    /// alternate form `{:#}` is coloured as that of a report.
    pub fn comparison(reports: &[Self]) -> impl Display {
        Comparison(reports)
    }
}

struct Comparison<'r>(&'r [Report]);

impl Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in self.0 {
            report.fmt(f)?;
            writeln!(f)?;
        }
        // A failure is examined value by value, so the rate of a codec with failures says little.
        let rate_of = |report: &Report| {
            (report.complete && report.failures == 0).then_some(report.values_per_second.max(1e-9))
        };
        let rated = || self.0.iter().filter(|report| rate_of(report).is_some());
        // Drawing an input takes longer than counting to the next, so samples are compared with samples only.
        let mode = if rated().any(|report| report.mode == Mode::Exhaustive) {
            Mode::Exhaustive
        } else {
            Mode::Sample
        };
        let comparable = rated().filter(|report| report.mode == mode);
        let fastest = comparable.filter_map(rate_of).fold(0.0, f64::max);
        let mut rows = table(&["codec", "values/s", "relative time", "failures"]);
        for report in self.0 {
            let kernel = report.kernel.as_ref().map(|kernel| format!(", kernel {kernel}"));
            let rate = rate_of(report);
            let relative = rate.filter(|_| report.mode == mode).map(|rate| format!("{:.2}", fastest / rate));
            let rate = rate.map(|rate| grouped(rate as u128));
            let [rate, relative] = [rate, relative].map(|cell| cell.unwrap_or_else(|| "-".into()));
            let name = format!("{}{}", report.codec, kernel.unwrap_or_default());
            rows.add_row([Printable(name).to_string(), rate, relative, grouped(report.failures.into())]);
        }
        writeln!(f, "{}", rows.trim_fmt())?;
        if rated().any(|report| report.mode != mode) {
            let noun = self.0[0].noun();
            writeln!(
                f,
                "\nno relative time for samples: drawing a {noun} takes longer than counting to the next, as \
                 exhaustive sweeps do"
            )?;
        }
        Ok(())
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
            _ if report.failures > 0 => "(see failures)".into(),
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

/// Returns a sentence if a listed range ends beside inputs of the plan that were not checked.
pub(crate) fn more_may_fail(report: &Report) -> Option<String> {
    let mut ranges = report.first_failures.iter().filter(|failure| failure.last.is_some());
    if report.long_plan.is_some() {
        let text = "a range may end where checking ended: the {}s beside it may fail too";
        return (!report.complete && ranges.next().is_some()).then(|| text.replace("{}", report.noun()));
    }
    let is_open = |number| contains(&report.plan, number) && !contains(&report.covered, number);
    let mut ends =
        ranges.filter_map(|range| range.numbers).flat_map(|range| [range.first - 1, range.last + 1]);
    ends.any(is_open)
        .then(|| format!("a range ends where checking ended: the {}s beside it may fail too", report.noun()))
}

/// Returns why the run ended early, or `None` if it is complete.
pub(crate) fn why_ended(report: &Report) -> Option<String> {
    const PART: &str = "only the part counted above was checked";
    Some(match report.ending {
        Ending::Complete => return None,
        Ending::Failures => {
            let (more, ranges) = (report.unlisted(), report.first_failures.len() as u128);
            // The run may have a higher limit than the list.
            let is_list_full = more > 0 && ListSize::of(&report.first_failures).is_full(MAX_LIST_LENGTH);
            let inputs = u128::from(report.failures - if is_list_full { 0 } else { more });
            let mut text = format!("stopped after {}", plural(inputs, "failure"));
            if is_list_full {
                text += &format!(", of which {} are listed", grouped((report.failures - more).into()));
            } else if inputs > ranges {
                text += &format!(" in {}", plural(ranges, "range"));
            }
            // Threads finish the calls that they have begun when the limit is reached.
            if more > 0 && !is_list_full {
                text += &format!(", and found {} more in the calls under way", grouped(more.into()));
            }
            if let Some(Limit { of: Limited::FailingInputs, number }) = report.limit {
                text += &format!(": the limit is {} failing {}s", grouped(number.into()), report.noun());
            }
            let unlimited = setting_to(&report.program, "max_failures", "0");
            text + &format!(" (use {unlimited} to count them all)")
        }
        Ending::Breakdown => match report.limit {
            Some(limit) => {
                let unlimited = setting_to(&report.program, "max_failures", "0");
                format!("stopped after {limit} of child processes, the limit (use {unlimited} to go on)")
            }
            None => "stopped: the codec broke down for good".into(),
        },
        Ending::Interrupted => format!("interrupted: {PART}"),
        Ending::TimeLimit => format!("time limit reached: {PART}"),
        Ending::Running => format!("not finished: {PART}"),
    })
}

/// How a sweep or a merge turned out, in one word. The alternate form `{:#}` is coloured.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    Ok,
    Failed,
    Incomplete,
    Interrupted,
    /// There was nothing to check.
    Nothing,
}

impl Outcome {
    /// Returns the outcome of a sweep. An interrupted one says so even if it found failures, as its
    /// exit code does.
    pub(crate) fn of(failures: u64, ending: Ending) -> Self {
        match ending {
            Ending::Interrupted => Self::Interrupted,
            _ if failures > 0 => Self::Failed,
            Ending::Complete => Self::Ok,
            _ => Self::Incomplete,
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The numbers of red, green and yellow in ANSI escape codes.
        let (word, color) = match self {
            Self::Ok => ("OK", 32),
            Self::Failed => ("FAILED", 31),
            Self::Incomplete => ("INCOMPLETE", 33),
            Self::Interrupted => ("INTERRUPTED", 33),
            Self::Nothing => ("NOTHING TO CHECK", 33),
        };
        if f.alternate() { write!(f, "\x1b[1;{color}m{word}:\x1b[0m") } else { write!(f, "{word}:") }
    }
}

/// Returns a number of failures, where zero is `no`.
pub(crate) fn number_of(failures: u64) -> String {
    if failures == 0 { "no failure".into() } else { plural(failures.into(), "failure") }
}
