//! `sweep`: checks a varint codec value by value.
//!
//! This file defines the command line and returns the exit code. The checks are in the package
//! `varint-sweep`.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[path = "sweep/mod.rs"]
mod program;

#[cfg(feature = "profile")]
use program::profile_command::ProfileCommand;
use program::{
    bytes_command::BytesCommand, color_argument::color_first, completions_command::CompletionsCommand,
    console::print_error, error::Error, exit_code::ExitCode, help, man_command::ManCommand,
    merge_command::MergeCommand, range_argument::ranges_last, status_signal::handle_status_signals,
    sweep_command::SweepCommand,
};

/// Check a varint codec value by value
///
/// Each value is encoded, the bytes are compared with an independently calculated encoding, and the
/// bytes are decoded and compared with the value.
///
/// Without RANGE, all values of the type are checked. If they do not fit the time --budget, a
/// random sample is checked instead.
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
    Bytes(Box<BytesCommand>),
    #[cfg(feature = "profile")]
    Profile(ProfileCommand),
    Completions(CompletionsCommand),
    Man(ManCommand),
}

/// Returns the command line, with the complete help.
fn command() -> clap::Command {
    help::complete(Program::command())
}

fn main() -> std::process::ExitCode {
    handle_status_signals();
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
        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
        Some(Command::Completions(completions)) => completions.run(command()),
        Some(Command::Man(man)) => man.run(command(), help::ending),
    }
}
