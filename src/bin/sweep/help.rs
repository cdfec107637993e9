//! The texts of the command line that clap's derive cannot give: what `--help`, the completions and the manual pages
//! say besides.

use clap::{Arg, Command};

use super::color_argument::color_argument;
use super::help_ending::HelpEnding;
#[cfg(feature = "profile")]
use super::profile_command;
use super::{
    bytes_command, completions_command, estimate_command, man_command, merge_command, sweep_command,
};

/// Every command but `sweep` itself, with its ending.
pub(crate) const COMMANDS: &[(&str, &HelpEnding)] = &[
    ("merge", &merge_command::ENDING),
    ("estimate", &estimate_command::ENDING),
    ("bytes", &bytes_command::ENDING),
    #[cfg(feature = "profile")]
    ("profile", &profile_command::ENDING),
    ("completions", &completions_command::ENDING),
    ("man", &man_command::ENDING),
];

/// Adds the endings, and `--color`, which every command has.
pub(crate) fn complete(command: Command) -> Command {
    let command = sweep_command::ENDING.add_to(command).mut_args(explained).arg(color_argument());
    COMMANDS.iter().fold(command, |command, (name, ending)| {
        command.mut_subcommand(name, |one| ending.add_to(one).mut_args(explained))
    })
}

/// Gives an option its long help.
///
/// The first paragraph is the short help and the rest is the long help, where clap would show both. An option without
/// such a rest needs a long help too: manual pages leave out the text of options that the short help hides otherwise.
fn explained(arg: Arg) -> Arg {
    let text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let long = text.split_once("\n\n").map_or(text.as_str(), |(_, long)| long).to_owned();
    arg.long_help(long)
}

/// Returns the ending of the command of that name.
pub(crate) fn ending(name: &str) -> &'static HelpEnding {
    COMMANDS.iter().find(|(command, _)| *command == name).map_or(&sweep_command::ENDING, |(_, ending)| ending)
}
