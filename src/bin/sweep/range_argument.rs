//! Ranges on the command line.

use std::ffi::{OsStr, OsString};

use clap::builder::TypedValueParser;
use clap::{Arg, Command};
use varint_sweep::{RangeError, RangeSpec};

use super::suggestion::nearest;

/// Moves ranges that begin with a minus sign to the end, after `--`. Clap would parse them as
/// options otherwise.
pub(crate) fn ranges_last(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_range = |argument: &OsString| {
        argument
            .to_str()
            .and_then(|argument| argument.strip_prefix('-'))
            .is_some_and(|rest| rest.contains("..") && rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if arguments.iter().any(|argument| argument == "--") {
        return arguments;
    }
    let (ranges, mut rest): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_range);
    if !ranges.is_empty() {
        rest.push("--".into());
        rest.extend(ranges);
    }
    rest
}

/// A parser for ranges. Its error lists the commands, since a text without `..` may be a misspelled
/// command.
#[derive(Clone)]
pub(crate) struct RangeParser;

impl TypedValueParser for RangeParser {
    type Value = RangeSpec;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<RangeSpec, clap::Error> {
        let commands: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
        let parse = move |text: &str| text.parse().map_err(|error| range_or_command(text, &error, &commands));
        parse.parse_ref(command, arg, value)
    }
}

fn range_or_command(text: &str, error: &RangeError, commands: &[String]) -> String {
    if text.contains("..") || commands.is_empty() {
        return error.to_string();
    }
    if commands.iter().any(|name| name == text) {
        return format!("'{text}' is a command, which goes before the options; write sweep {text} ...");
    }
    let meant = nearest(text, commands.iter().map(String::as_str));
    let meant = meant.map(|name| format!("; did you mean 'sweep {name}'?")).unwrap_or_default();
    format!("{error}; the commands are {}{meant}", commands.join(", "))
}
