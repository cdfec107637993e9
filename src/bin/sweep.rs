//! `sweep`: checks a varint codec value by value. Arguments, wiring, exit code; the work is in `varint_sweep`.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[path = "sweep/mod.rs"]
mod program;

#[cfg(feature = "profile")]
use program::profile;
use program::{arguments, color, completions, estimate, help, manual, merge, run};

/// Check a varint codec value by value
///
/// Encodes every value, compares the bytes with an independent oracle, decodes, and compares value and length.
/// Without a RANGE it sweeps the whole type: exhaustively where that fits the budget, else by a stratified sample.
#[derive(Parser)]
#[command(name = "sweep", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Run,
}

/// Other things to do than to sweep.
#[derive(Subcommand)]
enum Command {
    Merge(merge::Merge),
    Estimate(Box<estimate::Estimate>),
    //BYTES    Bytes(bytes::Bytes),
    #[cfg(feature = "profile")]
    Profile(profile::ShowProfile),
    Completions(completions::Completions),
    #[command(name = "man")]
    Manual(manual::Manual),
}

fn command() -> clap::Command {
    help::complete(Program::command())
}

fn main() -> ExitCode {
    let arguments = color::color_first(std::env::args_os().collect());
    let matches = command().get_matches_from(arguments::ranges_last(arguments));
    let program = Program::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match program.command {
        None => program.run.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Estimate(estimate)) => estimate.run(),
        //BYTES        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
        Some(Command::Completions(completions)) => completions.run(command()),
        Some(Command::Manual(manual)) => manual.run(command(), help::ending),
    }
}
