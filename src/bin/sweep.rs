//! `sweep`: checks a varint codec value by value. Arguments, wiring, exit code; the work is in `zigzag_varint::sweep`.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[path = "sweep/arguments.rs"]
mod arguments;
#[path = "sweep/bytes.rs"]
mod bytes;
#[path = "sweep/color.rs"]
mod color;
#[path = "sweep/completions.rs"]
mod completions;
#[path = "sweep/console.rs"]
mod console;
#[cfg(feature = "profile")]
#[path = "sweep/cpuprofile.rs"]
mod cpuprofile;
#[cfg(all(feature = "profile", target_os = "linux", target_env = "gnu"))]
#[path = "sweep/enclosing.rs"]
mod enclosing;
#[path = "sweep/ending.rs"]
mod ending;
#[path = "sweep/estimate.rs"]
mod estimate;
#[path = "sweep/help.rs"]
mod help;
#[path = "sweep/http.rs"]
mod http;
#[path = "sweep/interrupt.rs"]
mod interrupt;
#[path = "sweep/manual.rs"]
mod manual;
#[path = "sweep/merge.rs"]
mod merge;
#[cfg(feature = "profile")]
#[path = "sweep/profile.rs"]
mod profile;
#[path = "sweep/run.rs"]
mod run;
#[path = "sweep/status_request.rs"]
mod status_request;
#[path = "sweep/suggest.rs"]
mod suggest;
#[path = "sweep/watching.rs"]
mod watching;

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
    Bytes(bytes::Bytes),
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
        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
        Some(Command::Completions(completions)) => completions.run(command()),
        Some(Command::Manual(manual)) => manual.run(command(), help::ending),
    }
}
