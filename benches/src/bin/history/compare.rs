//! `compare`: whether two commits differ in speed, benchmark by benchmark.

use std::fmt;

use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::statistics::{CONFIDENCE, Comparison, Summary, holm, welch};

use crate::git;
use crate::history::{History, Metric, Name, Point, runs};
use crate::table::figure;

/// What the user asked for.
pub(crate) struct Question {
    pub(crate) metric: Metric,
    /// Smaller changes, in percent, count as none.
    pub(crate) least: f64,
    /// Whether peers are listed too.
    pub(crate) peers: bool,
}

/// The places of two codes in a history that are both in it.
pub(crate) fn find(history: &History, first: &str, second: &str) -> Result<(usize, usize), Failure> {
    let (first, second) = (find_one(history, first)?, find_one(history, second)?);
    if first == second {
        let label = history.codes[first].label();
        return Err(Failure::Usage(format!("both names mean {label}; name two different commits")));
    }
    Ok((first, second))
}

/// A name is that of a commit, from its first four digits on, or anything that git knows a commit by. `-dirty`, or
/// `-dirty-` and digits, after it asks for a working tree with changes.
fn find_one(history: &History, name: &str) -> Result<usize, Failure> {
    let (commit, changes) = match name.split_once("-dirty") {
        Some((commit, changes)) => (commit, Some(changes.trim_start_matches('-'))),
        None => (name, None),
    };
    let matching = |commit: &str| -> Vec<usize> {
        let codes = history.codes.iter().enumerate();
        let same = codes.filter(|(_, code)| {
            code.commit.starts_with(commit)
                && match changes {
                    None => code.changes.is_empty(),
                    Some(changes) => !code.changes.is_empty() && code.changes.starts_with(changes),
                }
        });
        same.map(|(place, _)| place).collect()
    };
    let mut found = if commit.len() < 4 { Vec::new() } else { matching(&commit.to_ascii_lowercase()) };
    if found.is_empty()
        && let Some(commit) = git::resolve(commit)
    {
        found = matching(&commit);
    }
    let labels = |places: &mut dyn Iterator<Item = usize>| {
        places.map(|place| history.codes[place].label()).collect::<Vec<_>>().join(", ")
    };
    match found[..] {
        [place] => Ok(place),
        [] => Err(Failure::Usage(format!(
            "'{name}' is not recorded; there are {}",
            labels(&mut (0..history.codes.len()))
        ))),
        _ => Err(Failure::Usage(format!("'{name}' may be {}", labels(&mut found.into_iter())))),
    }
}

/// How the two sides of a line were measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// One figure for each of several runs.
    Runs,
    /// The samples of one run: what changes from run to run is not seen.
    Samples,
}

struct Line<'a> {
    name: &'a Name,
    basis: Basis,
    first: Summary,
    second: Summary,
    /// None where there are too few measurements.
    result: Option<Comparison>,
    adjusted: f64,
}

impl Line<'_> {
    fn differs(&self, least: f64) -> bool {
        self.result.is_some_and(|result| {
            self.adjusted < 1.0 - CONFIDENCE && (result.ratio - 1.0).abs() * 100.0 >= least
        })
    }
}

fn compare<'a>(name: &'a Name, metric: Metric, first: &[Point], second: &[Point]) -> Option<Line<'a>> {
    let (basis, first, second) = if first.len() > 1 && second.len() > 1 {
        (Basis::Runs, metric.over(first)?, metric.over(second)?)
    } else {
        (Basis::Samples, first.last()?.samples, second.last()?.samples)
    };
    Some(Line { name, basis, first, second, result: welch(&first, &second), adjusted: 1.0 })
}

/// The p-values of a family of lines, adjusted for how many there are.
fn adjust(lines: &mut [Line<'_>]) {
    let tested = lines.iter_mut().filter(|line| line.result.is_some());
    let mut tested: Vec<&mut Line<'_>> = tested.collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|line| line.result).map(|result| result.p).collect();
    for (line, p) in tested.iter_mut().zip(holm(&p_values)) {
        line.adjusted = p;
    }
}

/// The two codes on every machine that has both.
pub(crate) struct Report<'a> {
    history: &'a History,
    codes: (usize, usize),
    question: Question,
    /// A heading, and the lines of ours and of the peers: a family each.
    sections: Vec<(String, Vec<Line<'a>>, Vec<Line<'a>>)>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        history: &'a History,
        codes: (usize, usize),
        question: Question,
    ) -> Result<Self, Failure> {
        let mut sections = Vec::new();
        for (machine, benchmarks) in &history.machines {
            let both = benchmarks.iter().filter_map(|(name, series)| {
                compare(name, question.metric, series.get(&codes.0)?, series.get(&codes.1)?)
            });
            let (mut ours, mut peers): (Vec<_>, Vec<_>) = both.partition(|line| line.name.is_ours());
            if ours.is_empty() && peers.is_empty() {
                continue;
            }
            adjust(&mut ours);
            adjust(&mut peers);
            let count = |code| counted(runs(benchmarks, code), "run");
            let code = |code: usize| format!("{} ({})", history.codes[code].label(), count(code));
            sections.push((format!("{machine}\nA: {}, B: {}", code(codes.0), code(codes.1)), ours, peers));
        }
        if sections.is_empty() {
            return Err(Failure::Usage(format!(
                "{} and {} have no benchmark in common that one machine and compiler measured",
                history.codes[codes.0].label(),
                history.codes[codes.1].label()
            )));
        }
        Ok(Self { history, codes, question, sections })
    }

    /// What weakens the verdicts, if anything does.
    pub(crate) fn warning(&self) -> Option<String> {
        let lines = self.sections.iter().flat_map(|(_, ours, peers)| ours.iter().chain(peers));
        let alone = lines.filter(|line| line.basis == Basis::Samples).count();
        (alone > 0).then(|| {
            format!(
                "{} compared by the samples of one run: what changes from run to run is not seen, and equal code may look \
                 different; benchmark and record both commits several times",
                counted(alone, "benchmark")
            )
        })
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { metric, least, peers: with_peers } = self.question;
        let label = |code: usize| self.history.codes[code].label();
        writeln!(
            f,
            "{} to {}, nanoseconds per value: mean ± standard error of the runs' {},",
            label(self.codes.0),
            label(self.codes.1),
            metric.plural()
        )?;
        writeln!(
            f,
            "or of the samples where a side has one run. p: Welch's t-test, adjusted as by Holm for all lines."
        )?;
        for (heading, ours, peers) in &self.sections {
            writeln!(f, "\n### {heading}\n")?;
            writeln!(f, "| benchmark | A | B | B / A | 95 % interval | p | adjusted p | of | verdict |")?;
            writeln!(f, "|---|--:|--:|--:|--:|--:|--:|--:|---|")?;
            for line in ours.iter().chain(peers.iter().filter(|_| with_peers)) {
                write_line(f, line, least)?;
            }
            summary(f, ours, peers, least)?;
        }
        Ok(())
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &Line<'_>, least: f64) -> fmt::Result {
    let Line { name, basis, first, second, result, adjusted } = line;
    write!(f, "| {name} | {} | {} | ", figure(first), figure(second))?;
    let of = match basis {
        Basis::Runs => "runs",
        Basis::Samples => "samples",
    };
    let of = format!("{}, {} {of}", first.count, second.count);
    let Some(result) = result else {
        return writeln!(f, "{:.3} | – | – | – | {of} | too few |", second.mean / first.mean);
    };
    let interval = result.interval.map_or("–".to_owned(), |(low, high)| format!("{low:.3} .. {high:.3}"));
    let verdict = match line.differs(least) {
        false => "no difference",
        true if result.ratio > 1.0 => "**slower**",
        true => "**faster**",
    };
    writeln!(
        f,
        "{:.3} | {interval} | {} | {} | {of} | {verdict} |",
        result.ratio,
        p_value(result.p),
        p_value(*adjusted)
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

fn summary(f: &mut fmt::Formatter<'_>, ours: &[Line<'_>], peers: &[Line<'_>], least: f64) -> fmt::Result {
    let differing = |lines: &[Line<'_>], slower: bool| {
        let differs =
            |line: &&Line<'_>| line.differs(least) && (line.second.mean > line.first.mean) == slower;
        lines.iter().filter(differs).count()
    };
    let (slower, faster) = (differing(ours, true), differing(ours, false));
    let level = 1.0 - CONFIDENCE;
    writeln!(
        f,
        "\n{slower} slower, {faster} faster, {} no difference (adjusted p < {level:.2} and a change of at least {least} %).",
        ours.len() - slower - faster
    )?;
    if !peers.is_empty() {
        let alarms = differing(peers, true) + differing(peers, false);
        writeln!(
            f,
            "Peers are the same code in both unless their versions changed: {alarms} of {} differ.",
            peers.len()
        )?;
    }
    Ok(())
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
