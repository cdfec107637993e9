//! `sweep`: checks a varint codec value by value. This file has the command line and the exit code; the checks are in
//! the package `varint-sweep`.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[path = "sweep/mod.rs"]
mod program;

#[cfg(feature = "profile")]
use program::profile_command::ProfileCommand;
use program::{
    bytes_command::BytesCommand, color_argument::color_first, completions_command::CompletionsCommand,
    console::print_error, error::Error, estimate_command::EstimateCommand, exit_code::ExitCode, help,
    man_command::ManCommand, merge_command::MergeCommand, range_argument::ranges_last,
    sweep_command::SweepCommand,
};

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
    sweep: SweepCommand,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    Merge(MergeCommand),
    Estimate(Box<EstimateCommand>),
    Bytes(BytesCommand),
    #[cfg(feature = "profile")]
    Profile(ProfileCommand),
    Completions(CompletionsCommand),
    Man(ManCommand),
}

/// Returns the command line with its help.
fn command() -> clap::Command {
    help::complete(Program::command())
}

fn main() -> std::process::ExitCode {
    let exit_code = run().unwrap_or_else(|error| print_error(error).exit_code());
    exit_code.into()
}

fn run() -> Result<ExitCode, Error> {
    let arguments = ranges_last(color_first(std::env::args_os().collect()));
    let matches = command().get_matches_from(arguments);
    let program = Program::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match program.command {
        None => program.sweep.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Estimate(estimate)) => estimate.run(),
        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
        Some(Command::Completions(completions)) => completions.run(command()),
        Some(Command::Man(man)) => man.run(command(), help::ending),
    }
}
