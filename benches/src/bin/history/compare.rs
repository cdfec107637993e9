//! `compare`: whether two commits differ in speed, for each benchmark.

use std::fmt;

use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::statistics::{CONFIDENCE, Comparison, Summary, holm, welch};

use crate::git;
use crate::history::{History, Metric, Name, Point, runs};
use crate::table::figure;

/// The options of a comparison.
pub(crate) struct Options {
    pub(crate) metric: Metric,
    /// The smallest change in percent that counts as one.
    pub(crate) min_change: f64,
    /// Whether peers are listed too.
    pub(crate) peers: bool,
}

/// Finds two codes in a history and returns their indices.
pub(crate) fn find(history: &History, first: &str, second: &str) -> Result<(usize, usize), Failure> {
    let (first, second) = (find_one(history, first)?, find_one(history, second)?);
    if first == second {
        let label = history.codes[first].label();
        return Err(Failure::Usage(format!("both names refer to {label}; name two different commits")));
    }
    Ok((first, second))
}

/// Finds one code by name: at least four digits of a commit, or any revision that git can resolve.
/// The suffix `-dirty`, or `-dirty-` and digits, selects a working tree with changes.
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
            "'{name}' is not recorded (recorded: {})",
            labels(&mut (0..history.codes.len()))
        ))),
        _ => Err(Failure::Usage(format!(
            "'{name}' is ambiguous (candidates: {})",
            labels(&mut found.into_iter())
        ))),
    }
}

/// The measurements of the two sides of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// One figure for each of several runs.
    Runs,
    /// The samples of one run each, which do not show the variation between runs.
    Samples,
}

struct Line<'a> {
    name: &'a Name,
    basis: Basis,
    first: Summary,
    second: Summary,
    /// `None` if there are too few measurements.
    comparison: Option<Comparison>,
    adjusted: f64,
}

impl Line<'_> {
    fn differs(&self, min_change: f64) -> bool {
        self.comparison.is_some_and(|comparison| {
            self.adjusted < 1.0 - CONFIDENCE && (comparison.ratio - 1.0).abs() * 100.0 >= min_change
        })
    }
}

fn compare<'a>(name: &'a Name, metric: Metric, first: &[Point], second: &[Point]) -> Option<Line<'a>> {
    let (basis, first, second) = if first.len() > 1 && second.len() > 1 {
        (Basis::Runs, metric.over(first)?, metric.over(second)?)
    } else {
        (Basis::Samples, first.last()?.samples, second.last()?.samples)
    };
    Some(Line { name, basis, first, second, comparison: welch(&first, &second), adjusted: 1.0 })
}

/// Adjusts the p-values of a family of lines for their number.
fn adjust(lines: &mut [Line<'_>]) {
    let tested = lines.iter_mut().filter(|line| line.comparison.is_some());
    let mut tested: Vec<&mut Line<'_>> = tested.collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|line| line.comparison).map(|it| it.p).collect();
    for (line, p) in tested.iter_mut().zip(holm(&p_values)) {
        line.adjusted = p;
    }
}

/// The comparison of two codes on every machine that has results of both.
pub(crate) struct Report<'a> {
    history: &'a History,
    codes: (usize, usize),
    options: Options,
    /// For each machine a heading, the lines of this crate, and those of the peers. Each list is a
    /// family of tests.
    sections: Vec<(String, Vec<Line<'a>>, Vec<Line<'a>>)>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        history: &'a History,
        codes: (usize, usize),
        options: Options,
    ) -> Result<Self, Failure> {
        let mut sections = Vec::new();
        for (machine, benchmarks) in &history.machines {
            let both = benchmarks.iter().filter_map(|(name, series)| {
                compare(name, options.metric, series.get(&codes.0)?, series.get(&codes.1)?)
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
                "{} and {} have no benchmark in common on the same machine and compiler",
                history.codes[codes.0].label(),
                history.codes[codes.1].label()
            )));
        }
        Ok(Self { history, codes, options, sections })
    }

    /// Returns a warning if some results come from the samples of single runs.
    pub(crate) fn warning(&self) -> Option<String> {
        let lines = self.sections.iter().flat_map(|(_, ours, peers)| ours.iter().chain(peers));
        let single_runs = lines.filter(|line| line.basis == Basis::Samples).count();
        (single_runs > 0).then(|| {
            format!(
                "{} compared by the samples of one run (variation between runs is not visible, and equal code may \
                 seem to differ); benchmark and record both commits several times",
                counted(single_runs, "benchmark")
            )
        })
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { metric, min_change, peers: with_peers } = self.options;
        let label = |code: usize| self.history.codes[code].label();
        writeln!(
            f,
            "A is {}, B is {}. Nanoseconds per value: mean ± standard error of the runs' {},",
            label(self.codes.0),
            label(self.codes.1),
            metric.plural()
        )?;
        writeln!(
            f,
            "or of the samples if a side has one run. p: Welch's t-test; adjusted p: by Holm's method over all lines."
        )?;
        for (heading, ours, peers) in &self.sections {
            writeln!(f, "\n### {heading}\n")?;
            writeln!(
                f,
                "| benchmark | A | B | B / A | 95 % interval | p | adjusted p | measurements | result |"
            )?;
            writeln!(f, "|---|--:|--:|--:|--:|--:|--:|--:|---|")?;
            for line in ours.iter().chain(peers.iter().filter(|_| with_peers)) {
                write_line(f, line, min_change)?;
            }
            summary(f, ours, peers, min_change)?;
        }
        Ok(())
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &Line<'_>, min_change: f64) -> fmt::Result {
    let Line { name, basis, first, second, comparison, adjusted } = line;
    write!(f, "| {name} | {} | {} | ", figure(first), figure(second))?;
    let basis = match basis {
        Basis::Runs => "runs",
        Basis::Samples => "samples",
    };
    let measurements = format!("{}, {} {basis}", first.count, second.count);
    let Some(comparison) = comparison else {
        return writeln!(f, "{:.3} | – | – | – | {measurements} | too few |", second.mean / first.mean);
    };
    let interval =
        comparison.interval.map_or("–".to_owned(), |(low, high)| format!("{low:.3} .. {high:.3}"));
    let result = match line.differs(min_change) {
        false => "no difference",
        true if comparison.ratio > 1.0 => "**slower**",
        true => "**faster**",
    };
    writeln!(
        f,
        "{:.3} | {interval} | {} | {} | {measurements} | {result} |",
        comparison.ratio,
        p_value(comparison.p),
        p_value(*adjusted)
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

fn summary(
    f: &mut fmt::Formatter<'_>,
    ours: &[Line<'_>],
    peers: &[Line<'_>],
    min_change: f64,
) -> fmt::Result {
    let differing = |lines: &[Line<'_>], slower: bool| {
        let differs =
            |line: &&Line<'_>| line.differs(min_change) && (line.second.mean > line.first.mean) == slower;
        lines.iter().filter(differs).count()
    };
    let (slower, faster) = (differing(ours, true), differing(ours, false));
    let level = 1.0 - CONFIDENCE;
    writeln!(
        f,
        "\n{slower} slower, {faster} faster, {} no difference (adjusted p < {level:.2} and a change of at least {min_change} %).",
        ours.len() - slower - faster
    )?;
    if !peers.is_empty() {
        let different = differing(peers, true) + differing(peers, false);
        writeln!(
            f,
            "The peers' code is the same in A and B unless their versions changed: {different} of {} differ.",
            peers.len()
        )?;
    }
    Ok(())
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
