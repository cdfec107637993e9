//! Shows the results that `cargo bench` has recorded, and compares commits.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use regex::Regex;
use zigzag_varint_benches::failure::{Failure, exit_code, print};
use zigzag_varint_benches::history::{Run, default_file, machine, read};
use zigzag_varint_benches::{commits, table};

/// Shows the results that `cargo bench` has recorded on this machine, and compares commits
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// History file [default: benches/history.sqlite]
    #[arg(long, global = true, value_name = "FILE")]
    database: Option<PathBuf>,

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
    let path = arguments.database.unwrap_or_else(default_file);
    let runs = |choice: Choice| -> Result<Vec<Run>, Failure> {
        read(&path, &machine(), |name| choice.filter.as_ref().is_none_or(|filter| filter.is_match(name)))
    };
    print(&match arguments.command {
        Command::Show { choice, last } => commits::table(&runs(choice)?, last.into()),
        Command::Compare { a, b, choice } => commits::compare(&runs(choice)?, &a, &b)?,
        Command::Figures { choice } => {
            let last = commits::last(&runs(choice)?);
            table::tables(&last).iter().map(table::Table::figures).collect()
        }
    })
}
