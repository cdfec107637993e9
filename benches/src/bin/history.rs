//! Shows the results that `cargo bench` has recorded, and compares commits.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use regex::Regex;
use zigzag_varint_benches::failure::{Failure, exit_code, print};
use zigzag_varint_benches::history::{Run, commit, default_file, label, machine, read};
use zigzag_varint_benches::results::{Group, Measurement};
use zigzag_varint_benches::table::{Table, tables};

/// Shows the results that `cargo bench` has recorded on this machine, and compares commits
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// History file [default: benches/history.jsonl]
    #[arg(long, global = true, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the last commits side by side
    Show {
        #[command(flatten)]
        choice: Choice,

        /// Number of commits
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
        last: u8,
    },
    /// Compare the runs of two commits
    ///
    /// A benchmark is faster or slower if all runs of B are, and the medians differ by 1 % or more.
    Compare {
        /// A commit: its first digits, with -dirty for uncommitted changes, or a revision such as HEAD~3
        a: String,

        /// The commit to compare with A
        b: String,

        #[command(flatten)]
        choice: Choice,
    },
    /// Print the tables of the last commit for `checks/run`
    Figures {
        #[command(flatten)]
        choice: Choice,
    },
}

#[derive(Args)]
struct Choice {
    /// Regular expression for names of benchmarks, as for `cargo bench` [default: all]
    #[arg(value_name = "BENCHMARK")]
    filter: Option<Regex>,
}

fn main() -> ExitCode {
    exit_code("history", run(Arguments::parse()))
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let path = arguments.file.unwrap_or_else(default_file);
    let runs = |choice: Choice| -> Result<Vec<Run>, Failure> {
        read(&path, &machine(), |name| choice.filter.as_ref().is_none_or(|filter| filter.is_match(name)))
    };
    print(&match arguments.command {
        Command::Show { choice, last } => table(&runs(choice)?, last.into()),
        Command::Compare { a, b, choice } => compare(&runs(choice)?, &a, &b)?,
        Command::Figures { choice } => {
            let last = last(&runs(choice)?);
            tables(&last).iter().map(Table::figures).collect()
        }
    })
}

/// Fewer runs of a commit give no result. With five of each, the ranges of equal code are apart in
/// one comparison in 126.
const ENOUGH: usize = 5;
/// A smaller change of the median is no difference.
const LEAST_CHANGE: f64 = 0.01;
/// The width of names of benchmarks.
const WIDTH: usize = 42;

/// Returns the codes of the runs with the number of their runs, in the order of the runs.
fn codes(runs: &[Run]) -> Vec<(&str, usize)> {
    let mut codes: Vec<(&str, usize)> = Vec::new();
    for run in runs {
        match codes.iter_mut().find(|(code, _)| *code == run.code) {
            Some((_, count)) => *count += 1,
            None => codes.push((&run.code, 1)),
        }
    }
    codes
}

/// A benchmark: its group and its contender.
type Name<'a> = (&'a Group, &'a str);

/// Returns the results of `code`, by benchmark, from the fastest run to the slowest.
fn results<'a>(runs: &'a [Run], code: &str) -> BTreeMap<Name<'a>, Vec<&'a Measurement>> {
    let mut results: BTreeMap<Name, Vec<&Measurement>> = BTreeMap::new();
    for result in runs.iter().filter(|run| run.code == code).flat_map(|run| &run.results) {
        results.entry((&result.group, &result.contender)).or_default().push(result);
    }
    for results in results.values_mut() {
        results.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    }
    results
}

/// Returns the results of the last commit. Of several runs, each benchmark has its fastest result.
fn last(runs: &[Run]) -> Vec<Measurement> {
    let code = runs.last().map_or("", |run| &run.code);
    results(runs, code).into_values().map(|results| results[0].clone()).collect()
}

/// Returns a table of the last `count` commits, with the fastest run of each benchmark.
fn table(runs: &[Run], count: usize) -> String {
    let codes = codes(runs);
    let codes = &codes[codes.len().saturating_sub(count)..];
    let columns: Vec<_> = codes.iter().map(|(code, _)| results(runs, code)).collect();
    let benchmarks: BTreeSet<&Name> = columns.iter().flat_map(BTreeMap::keys).collect();
    let mut text = String::from("Nanoseconds per value, fastest run\n");
    let mut row = |head: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!(" {cell:>13}")).collect();
        let _ = writeln!(text, "{head:WIDTH$}{cells}"); // a String
    };
    row("", &mut codes.iter().map(|(code, _)| label(code)));
    row("runs", &mut codes.iter().map(|(_, count)| count.to_string()));
    for benchmark @ (group, contender) in benchmarks {
        let cell = |results: &BTreeMap<_, Vec<&Measurement>>| {
            results.get(benchmark).map_or("-".into(), |results| format!("{:.3}", results[0].nanoseconds))
        };
        row(&format!("{group}/{contender}"), &mut columns.iter().map(cell));
    }
    text
}

/// Compares two commits, which are named by the first digits of a code or by a revision such as
/// `HEAD~3`.
fn compare(runs: &[Run], a: &str, b: &str) -> Result<String, Failure> {
    let codes = codes(runs);
    let (a, b) = (find(&codes, a)?, find(&codes, b)?);
    let (results_a, results_b) = (results(runs, a), results(runs, b));
    let mut text = format!("Nanoseconds per value, fastest .. slowest run\n{:WIDTH$}", "");
    let _ = writeln!(text, " {:>18} {:>18}   b / a", label(a), label(b)); // a String
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name @ (group, contender), a) in &results_a {
        let Some(b) = results_b.get(name) else { continue };
        let times = |results: &[&Measurement]| {
            let time = |index: usize| results[index].nanoseconds;
            (time(0), time(results.len() / 2), time(results.len() - 1))
        };
        let ((least_a, median_a, most_a), (least_b, median_b, most_b)) = (times(a), times(b));
        let ratio = median_b / median_a;
        let result = if a.len().min(b.len()) < ENOUGH {
            "too few runs"
        } else if most_b < least_a && ratio < 1.0 - LEAST_CHANGE {
            "faster"
        } else if least_b > most_a && ratio > 1.0 + LEAST_CHANGE {
            "slower"
        } else {
            "no difference shown"
        };
        *counts.entry(result).or_default() += 1;
        let (a, b) = (format!("{least_a:.3} .. {most_a:.3}"), format!("{least_b:.3} .. {most_b:.3}"));
        let _ = writeln!(
            text,
            "{:WIDTH$} {a:>18} {b:>18} {ratio:>7.3}  {result}",
            format!("{group}/{contender}")
        );
    }
    if counts.is_empty() {
        let (a, b) = (label(a), label(b));
        return Err(Failure::Usage(format!("no benchmark was measured in both {a} and {b}")));
    }
    let counts: Vec<_> = counts.iter().map(|(result, count)| format!("{count} {result}")).collect();
    let _ = writeln!(text, "{}", counts.join(", "));
    if text.contains("too few runs") {
        let _ = writeln!(text, "Run `cargo bench` at least {ENOUGH} times at each commit, in turn.");
    }
    Ok(text)
}

/// Returns the only code that `name` means.
fn find<'a>(codes: &[(&'a str, usize)], name: &str) -> Result<&'a str, Failure> {
    let (digits, is_dirty) = name.strip_suffix("-dirty").map_or((name, false), |digits| (digits, true));
    let only = |digits: &str| {
        let mut found = codes
            .iter()
            .map(|(code, _)| *code)
            .filter(|code| code.starts_with(digits) && code.ends_with("-dirty") == is_dirty);
        found.next().filter(|_| found.next().is_none())
    };
    only(digits).or_else(|| only(&commit(digits)?)).ok_or_else(|| {
        let known: Vec<String> = codes.iter().map(|(code, _)| label(code)).collect();
        Failure::Usage(format!("no results of a commit '{name}' (recorded: {})", known.join(", ")))
    })
}
