//! `--color`: whether text is coloured.

use std::ffi::OsString;

use clap::builder::EnumValueParser;
use clap::{Arg, ColorChoice, ValueEnum};

/// Returns the option, which every command has.
pub(crate) fn color_argument() -> Arg {
    Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .value_parser(EnumValueParser::<ColorChoice>::new())
        .default_value("auto")
        .hide_possible_values(true)
        .hide_default_value(true)
        .global(true)
        .overrides_with("color")
        .help_heading("Output")
        .help("When to use colours: auto, always, never")
        .long_help(
            "When to use colours: auto, always, never. By default (auto) on a terminal, unless the environment has \
             NO_COLOR, and elsewhere where it has CLICOLOR_FORCE. JSON has no colours",
        )
}

/// Decides on colours before clap parses the arguments, so that its error messages follow the option too. Moves the
/// option to the end, so that it may also precede a command.
pub(crate) fn color_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let mut end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let mut at = 0;
    let mut moved = vec![];
    while at < end {
        let length = match arguments[at].to_str() {
            Some("--color") if at + 1 < end => 2,
            Some(argument) if argument.starts_with("--color=") => 1,
            _ => {
                at += 1;
                continue;
            }
        };
        moved.extend(arguments.drain(at..at + length));
        end -= length;
    }
    let asked = moved.last().and_then(|value| value.to_str()).unwrap_or_default();
    let asked = asked.strip_prefix("--color=").unwrap_or(asked);
    match ColorChoice::from_str(asked, false) {
        Ok(ColorChoice::Always) => anstream::ColorChoice::Always.write_global(),
        Ok(ColorChoice::Never) => anstream::ColorChoice::Never.write_global(),
        _ => {} // the terminal and the environment decide; clap refuses an invalid value later
    }
    arguments.splice(end..end, moved);
    arguments
}
