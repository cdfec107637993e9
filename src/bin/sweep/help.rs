//! The command line with all that `--help`, the completions and the manual pages say about it.

use clap::{Arg, Command};

use super::color::color_argument;
use super::ending::Ending;
#[cfg(feature = "profile")]
use super::profile;
use super::{completions, estimate, manual, merge, run};

/// Every command but `sweep` itself, with its ending.
const COMMANDS: &[(&str, &Ending)] = &[
    ("merge", &merge::ENDING),
    ("estimate", &estimate::ENDING),
    //BYTES    ("bytes", &bytes::ENDING),
    #[cfg(feature = "profile")]
    ("profile", &profile::ENDING),
    ("completions", &completions::ENDING),
    ("man", &manual::ENDING),
];

/// Adds the endings, and what holds for every command.
pub(crate) fn complete(command: Command) -> Command {
    let command = run::ENDING.of(command).mut_args(explained).arg(color_argument());
    COMMANDS.iter().fold(command, |command, (name, ending)| {
        command.mut_subcommand(name, |one| ending.of(one).mut_args(explained))
    })
}

/// A first paragraph is for the short help and the others for the long one, which clap would give both; and manual pages
/// have no text of options that the short help leaves out unless there is a long one.
fn explained(arg: Arg) -> Arg {
    let text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let long = text.split_once("\n\n").map_or(text.as_str(), |(_, long)| long).to_owned();
    arg.long_help(long)
}

/// The ending of the command of that name.
pub(crate) fn ending(name: &str) -> &'static Ending {
    COMMANDS.iter().find(|(command, _)| *command == name).map_or(&run::ENDING, |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_an_ending() {
        let named: Vec<_> = COMMANDS.iter().map(|(name, _)| *name).collect();
        let command = command();
        let commands: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(named, commands);
    }

    /// Redirections and further commands are the shell's.
    #[test]
    #[cfg(unix)]
    fn every_example_is_understood() {
        for (line, _) in
            COMMANDS.iter().map(|(_, ending)| *ending).chain([&run::ENDING]).flat_map(|e| e.examples)
        {
            let own = line.split([';', '|', '>']).next().unwrap_or_default();
            let words = shell_words::split(own).unwrap().into_iter().map(Into::into).collect();
            let words = super::arguments::ranges_last(words);
            if let Err(error) = command().try_get_matches_from(words) {
                panic!("{line}: {error}");
            }
        }
    }
}
