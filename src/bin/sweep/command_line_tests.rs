//! Tests of the command line as a whole.

use clap::Command;

use super::help::{COMMANDS, ending};
use super::range_argument::ranges_last;
use crate::command;

#[test]
fn the_command_line_is_valid() {
    command().debug_assert();
}

#[test]
fn every_command_has_an_ending() {
    let named: Vec<_> = COMMANDS.iter().map(|(name, _)| *name).collect();
    let command = command();
    let commands: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
    assert_eq!(named, commands);
}

/// Parses the part of each example before the first pipe, redirection or semicolon.
#[test]
#[cfg(unix)]
fn every_example_is_a_valid_command_line() {
    let endings = COMMANDS.iter().map(|(_, ending)| *ending).chain([ending("sweep")]);
    for (line, _) in endings.flat_map(|ending| ending.examples) {
        let own = line.split([';', '|', '>']).next().unwrap_or_default();
        let words = shell_words::split(own).unwrap().into_iter().map(Into::into).collect();
        if let Err(error) = command().try_get_matches_from(ranges_last(words)) {
            panic!("{line}: {error}");
        }
    }
}
