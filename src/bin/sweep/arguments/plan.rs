//! The options for the values to sweep.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use every_input::replay::Replay;
use every_input::{Interval, Number, Scalars, Sweep, all};

use super::common::WHAT;
use crate::codecs::{IntegerType, ValueType, name_of};
use crate::output::error::Error;

/// The values to sweep.
#[derive(Args)]
pub(crate) struct ValueArguments {
    /// Ranges, A..=B or A..B [default: the whole type]
    ///
    /// A..=B includes B, and A..B does not. Without A or B, the range extends to the limit of the
    /// type: 5.., ..=-1. The numbers can be negative and are written as 1_000_000, 0xff, 1e6, 10M
    /// or 2^40, or as MIN and MAX for the limits of the type.
    ///
    /// Floats are written as 0.5, -1e-3, 2^-10, inf or nan, or as the bits 0x3f800000. Their order is
    /// -nan, -inf, MIN, -0.0, 0.0, MAX, inf, nan.
    #[arg(value_name = "RANGE", help_heading = WHAT, display_order = 0)]
    ranges: Vec<String>,
    /// Check the ranges with this name (see --list)
    #[arg(
        long,
        value_name = "NAME",
        hide_possible_values = true,
        conflicts_with_all = ["ranges", "replay"],
        help_heading = WHAT,
        hide_short_help = true
    )]
    preset: Option<Preset>,
    /// Type, i8 to i64, u8 to u64, f16 to f64, bf16 [default: i64]
    ///
    /// One of i8, i16, i32, i64, u8, u16, u32, u64, and for functions with --reference also f16, bf16, f32
    /// and f64.
    #[arg(long = "type", value_name = "TYPE", hide_possible_values = true, help_heading = WHAT)]
    value_type: Option<ValueType>,
}

/// A named set of ranges.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Preset {
    /// the eight ranges of the article of 2015 on profiling a Go program, 399,999,994 values
    Article2015,
}

impl Preset {
    /// Returns the ranges, as on the command line.
    fn ranges(self) -> &'static [&'static str] {
        match self {
            // The ends are not included, as in the loops of the article.
            Self::Article2015 => &[
                "100_000_001..150_000_001",
                "200_000_001..250_000_001",
                "300_000_001..350_000_000",
                "400_000_001..450_000_000",
                "500_000_001..550_000_000",
                "600_000_001..650_000_000",
                "700_000_001..750_000_000",
                "800_000_001..850_000_000",
            ],
        }
    }
}

impl ValueArguments {
    pub(crate) fn value_type(&self) -> ValueType {
        self.value_type.unwrap_or(ValueType::Integer(IntegerType::I64))
    }

    /// Takes the type of a report or file of failures.
    pub(crate) fn replay(&mut self, replay: &Replay) -> Result<(), Error> {
        if !self.ranges.is_empty() {
            return Err(Error::usage("--replay: it names the values to check; remove RANGE"));
        }
        let name = &replay.value_type;
        let value_type = ValueType::from_str(name, false).map_err(|_| {
            let is_of_strings = name.starts_with("byte strings");
            let remedy = if is_of_strings { "use `sweep bytes`" } else { "use the program that wrote them" };
            let name = name.escape_debug();
            Error::file(format_args!("--replay: the failures are of the unknown type '{name}'; {remedy}"))
        })?;
        if self.value_type.is_some_and(|given| name_of(&given) != *name) {
            return Err(Error::usage(format_args!(
                "--replay: the failures are of the type {name}; remove --type"
            )));
        }
        self.value_type = Some(value_type);
        Ok(())
    }

    pub(crate) fn sweep<T: Number>(&self) -> Result<Sweep<Scalars<T>>, Error> {
        let named = self.preset.map(Preset::ranges).into_iter().flatten().copied();
        let ranges: Vec<&str> = named.chain(self.ranges.iter().map(String::as_str)).collect();
        if ranges.is_empty() {
            return Ok(Sweep::of(all::<T>()));
        }
        let ranges = ranges.into_iter().map(Interval::parse::<T>);
        let ranges = ranges.collect::<Result<Vec<_>, _>>().map_err(|error| match self.preset {
            Some(preset) => Error::usage(format_args!("--preset {}: {error}", name_of(&preset))),
            None => Error::usage(error),
        })?;
        Ok(Sweep::of(all::<T>()).ranges(ranges))
    }

    /// Returns the command that checks these values again with these options, without its ranges,
    /// quoted for a shell.
    pub(crate) fn replay_command(&self, options: Vec<String>) -> String {
        let mut words = vec!["sweep".to_owned(), "--type".into(), name_of(&self.value_type())];
        words.extend(options);
        words.push("--exhaustive".into());
        shell_words::join(words)
    }
}

/// Moves ranges that begin with a minus sign to the end, after `--`. Clap would parse them as
/// options otherwise.
pub(crate) fn ranges_last(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_range = |argument: &OsString| {
        argument.to_str().and_then(|argument| argument.strip_prefix('-')).is_some_and(|rest| {
            let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
            rest.contains("..") && (is_number || rest.starts_with("inf") || rest.starts_with("nan"))
        })
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
