//! Parts of the command line that clap's derive cannot define: `--color`, the endings of the help,
//! and long help for every option.

use clap::{Arg, Command};

use super::color_argument::color_argument;
use super::help_ending::HelpEnding;
#[cfg(feature = "profile")]
use super::profile_command;
use super::{bytes_command, completions_command, man_command, merge_command, sweep_command};

/// Every subcommand, with the ending of its help.
pub(crate) const COMMANDS: &[(&str, &HelpEnding)] = &[
    ("merge", &merge_command::ENDING),
    ("bytes", &bytes_command::ENDING),
    #[cfg(feature = "profile")]
    ("profile", &profile_command::ENDING),
    ("completions", &completions_command::ENDING),
    ("man", &man_command::ENDING),
];

/// Adds the endings, the long help, and `--color`, which every command has.
pub(crate) fn complete(command: Command) -> Command {
    let command = sweep_command::ENDING.add_to(command).mut_args(with_long_help).arg(color_argument());
    COMMANDS.iter().fold(command, |command, (name, ending)| {
        command.mut_subcommand(name, |one| ending.add_to(one).mut_args(with_long_help))
    })
}

/// Gives an option a long help, which is its short help if it has no other.
///
/// Without a long help, manual pages omit the text of options that the short help hides.
fn with_long_help(arg: Arg) -> Arg {
    let text = arg.get_long_help().or(arg.get_help()).cloned().unwrap_or_default();
    arg.long_help(text)
}

/// Returns the ending for the help of the command `name`.
pub(crate) fn ending(name: &str) -> &'static HelpEnding {
    COMMANDS.iter().find(|(command, _)| *command == name).map_or(&sweep_command::ENDING, |(_, ending)| ending)
}
