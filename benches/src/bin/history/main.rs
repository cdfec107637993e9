//! Records the results of `cargo bench` for each commit, and compares commits.

mod compare;
mod database;
mod git;
mod history;
mod record;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use regex::Regex;
use zigzag_varint_benches::failure::{Failure, exit_code, print};
use zigzag_varint_benches::results::{LATEST, default_dir};

use compare::{Options, Report};
use history::{History, Metric};
use table::Table;

/// Records the results of `cargo bench` for each commit, and compares commits
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// History file [default: benches/history.sqlite in the git working tree]
    #[arg(long, global = true, value_name = "FILE")]
    database: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Record the results of the last `cargo bench` as a run of the commit that is checked out
    Record {
        /// Criterion's folder [default: $CRITERION_HOME, or `criterion` in the target folder]
        #[arg(long, value_name = "DIR")]
        criterion: Option<PathBuf>,

        /// Use the results of `cargo bench -- --save-baseline NAME` instead of the latest
        #[arg(long, value_name = "NAME", default_value = LATEST, hide_default_value = true)]
        baseline: String,
    },
    /// Show results over commits
    Table {
        #[command(flatten)]
        choice: Choice,

        /// Number of commits to show, counted from the last
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
        last: u32,
    },
    /// Test whether B is faster or slower than A
    ///
    /// With several runs of both commits, each run is one measurement. With one run, each of its
    /// samples is one, and the variation between runs is not visible.
    Compare {
        /// A commit: its first digits, with -dirty for uncommitted changes, or a revision such as
        /// HEAD~3 or v0.1.0
        a: String,

        /// The commit to compare with A
        b: String,

        /// Report a smaller change as no difference
        #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
        min_change: f64,

        #[command(flatten)]
        choice: Choice,
    },
}

#[derive(Args)]
struct Choice {
    /// Regular expressions for names of benchmarks, as for `cargo bench` [default: all]
    #[arg(value_name = "BENCHMARK")]
    filters: Vec<Regex>,

    /// Show other crates too
    #[arg(long)]
    peers: bool,

    /// The measurement that represents a run
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
        Command::Compare { a, b, min_change, choice } => {
            let mut history = History::read(&path)?;
            let codes = compare::find(&history, &a, &b)?;
            history.keep(&choice.filters, true)?;
            let options = Options { metric: choice.metric, min_change, peers: choice.peers };
            let report = Report::new(&history, codes, options)?;
            if let Some(warning) = report.warning() {
                eprintln!("history: {warning}");
            }
            print(&report)
        }
    }
}

/// Returns the default file, in the working tree: git ignores it, and `cargo clean` does not remove
/// it.
fn default_database() -> Result<PathBuf, Failure> {
    let root = git::root().ok_or_else(|| {
        Failure::Usage("not in a git working tree; name the history with --database FILE".to_owned())
    })?;
    Ok(root.join("benches").join("history.sqlite"))
}

fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..1000.0).contains(&value) { Ok(value) } else { Err("not between 0 and 1000".to_owned()) }
}
