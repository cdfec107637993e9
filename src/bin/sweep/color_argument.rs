//! `--color`: when text is coloured.

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
        .global(true)
        .overrides_with("color")
        .help_heading("Output")
        .help("When to use colours: auto, always or never")
        .long_help(
            "When to use colours: auto, always or never\n\n\
             auto uses colours on a terminal, unless the environment variable NO_COLOR is set. Elsewhere it uses \
             them if CLICOLOR_FORCE is set. JSON never has colours.",
        )
}

/// Applies `--color` before clap parses the arguments, so that clap's error messages follow it too.
///
/// Returns the arguments with the option at the end, so that users can write it before a command.
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
    let value = moved.last().and_then(|word| word.to_str()).unwrap_or_default();
    let value = value.strip_prefix("--color=").unwrap_or(value);
    match ColorChoice::from_str(value, false) {
        Ok(ColorChoice::Always) => anstream::ColorChoice::Always.write_global(),
        Ok(ColorChoice::Never) => anstream::ColorChoice::Never.write_global(),
        _ => {} // the terminal and the environment decide; clap rejects an invalid value later
    }
    arguments.splice(end..end, moved);
    arguments
}
