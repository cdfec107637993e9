//! Tests of the command line as a whole.

use super::range_argument::ranges_last;
use crate::command;

#[test]
fn the_command_line_is_valid() {
    command().debug_assert();
}

/// Parses the part of each example before the first pipe, redirection or description.
#[test]
#[cfg(unix)]
fn every_example_is_a_valid_command_line() {
    let command = command();
    for one in [&command].into_iter().chain(command.get_subcommands()) {
        let help = one.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for line in examples.lines().map(str::trim_ascii_start).filter(|line| line.starts_with("sweep")) {
            let own =
                line.split("  ").next().and_then(|line| line.split(['|', '>']).next()).unwrap_or_default();
            let words = shell_words::split(own).unwrap().into_iter().map(Into::into).collect();
            if let Err(error) = command.clone().try_get_matches_from(ranges_last(words)) {
                panic!("{line}: {error}");
            }
        }
    }
}
