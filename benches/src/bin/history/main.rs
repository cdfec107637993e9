//! Keeps the results of `cargo bench` for each commit, and tells commits apart.

mod compare;
mod database;
mod git;
mod history;
mod page;
mod plot;
mod record;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use regex::Regex;
use zigzag_varint_benches::failure::{Failure, exit_code, print};
use zigzag_varint_benches::results::{LATEST, default_dir};

use compare::{Question, Report};
use history::{History, Metric};
use table::Table;

/// Keeps the results of `cargo bench` for each commit, and compares commits
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// The history [default: benches/history.sqlite in the git working tree]
    #[arg(long, global = true, value_name = "FILE")]
    database: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Add the results of the last `cargo bench` as a run of the commit that is checked out
    Record {
        /// Criterion's folder [default: $CRITERION_HOME, or `criterion` in the target folder]
        #[arg(long, value_name = "DIR")]
        criterion: Option<PathBuf>,

        /// What `cargo bench -- --save-baseline NAME` kept, instead of the latest results
        #[arg(long, value_name = "NAME", default_value = LATEST, hide_default_value = true)]
        baseline: String,
    },
    /// Show benchmarks over commits
    Table {
        #[command(flatten)]
        choice: Choice,

        /// How many commits, the last ones
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
        last: u32,
    },
    /// Tell whether B is faster or slower than A
    ///
    /// With several runs of both, each run counts as one measurement; with one run, each of its samples does, and what
    /// changes from run to run is not seen.
    Compare {
        /// A commit: its name or the first digits of it, with -dirty for changes that were not committed; HEAD~3; v0.1.0
        a: String,

        /// The commit that is compared with it
        b: String,

        /// Changes below this many percent count as none
        #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
        least: f64,

        #[command(flatten)]
        choice: Choice,
    },
    /// Draw performance over commits
    Plot {
        /// An SVG picture (.svg), or a page that holds the picture and its figures (.html); needs nothing else to be shown
        #[arg(value_name = "FILE")]
        output: PathBuf,

        /// How many commits, the last ones
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        last: u32,

        #[command(flatten)]
        choice: Choice,
    },
}

#[derive(Args)]
struct Choice {
    /// Which benchmarks: regular expressions, as for `cargo bench` [default: all]
    #[arg(value_name = "BENCHMARK")]
    filters: Vec<Regex>,

    /// Also show other crates, not this one alone
    #[arg(long)]
    peers: bool,

    /// What stands for a run
    #[arg(long, value_enum, default_value_t = Metric::Minimum)]
    metric: Metric,
}

fn main() -> ExitCode {
    exit_code("history", run(Arguments::parse()))
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let path = arguments.database.map_or_else(default_database, Ok)?;
    match arguments.command {
        Command::Record { criterion, baseline } => {
            let dir = criterion.unwrap_or_else(default_dir);
            print(&record::record(&path, &dir, &baseline)?)
        }
        Command::Table { choice, last } => {
            let mut history = History::read(&path)?;
            history.keep(&choice.filters, choice.peers)?;
            history.keep_last(last as usize);
            print(&Table { history: &history, metric: choice.metric })
        }
        Command::Compare { a, b, least, choice } => {
            let mut history = History::read(&path)?;
            let codes = compare::find(&history, &a, &b)?;
            history.keep(&choice.filters, true)?;
            let question = Question { metric: choice.metric, least, peers: choice.peers };
            let report = Report::new(&history, codes, question)?;
            if let Some(warning) = report.warning() {
                eprintln!("history: {warning}");
            }
            print(&report)
        }
        Command::Plot { output, last, choice } => {
            let format = plot::Format::of(&output)?;
            let mut history = History::read(&path)?;
            history.keep(&choice.filters, choice.peers)?;
            history.keep_last(last as usize);
            plot::write(&history, choice.metric, format, &output)
        }
    }
}

/// In the working tree, where `cargo clean` leaves it alone and git ignores it.
fn default_database() -> Result<PathBuf, Failure> {
    let root = git::root().ok_or_else(|| {
        Failure::Usage("this is no git working tree; name the history with --database FILE".to_owned())
    })?;
    Ok(root.join("benches").join("history.sqlite"))
}

fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..1000.0).contains(&value) { Ok(value) } else { Err("not between 0 and 1000".to_owned()) }
}
