//! What can be asked for on the command line: options that several commands share, and how they are read.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::time::Duration;

#[cfg(unix)]
use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};
#[cfg(unix)]
use varint_sweep::Exec;
use varint_sweep::{Codec, Integer, Interval, Range, RangeError, Sweep};
use zigzag_varint::{Kernel, VarInt};

use super::codecs::{CODECS, Named};
use super::presets::{PRESETS, Preset};

use super::suggest::{did_you_mean, nearest};

/// Groups of options in the help.
pub(crate) const WHAT: &str = "What to sweep";
pub(crate) const CODEC: &str = "Codec";
pub(crate) const LARGE: &str = "Large runs";
pub(crate) const WATCHING: &str = "Watching";
#[cfg(feature = "profile")]
pub(crate) const PROFILING: &str = "Profiling";
pub(crate) const OUTPUT: &str = "Output";

/// Which values to sweep, how thoroughly and with what.
#[derive(Args)]
pub(crate) struct PlanArguments {
    /// A..=B or A..B; without any the whole type
    ///
    /// Ranges to sweep: A..=B or A..B, decimal, _ allowed, MIN and MAX too; may begin with a minus. Without any: the
    /// whole type
    #[arg(value_name = "RANGE", value_parser = RangeParser, help_heading = WHAT, display_order = 0)]
    ranges: Vec<Range>,
    /// i8 to i64 or u8 to u64
    ///
    /// Integer type: i64, u64, i32, u32, i16, u16, i8 or u8
    #[arg(
        long = "type",
        value_name = "TYPE",
        default_value = "i64",
        hide_possible_values = true,
        help_heading = WHAT
    )]
    pub(crate) value_type: Type,
    /// Sweep every value, whatever the budget
    #[arg(long, conflicts_with = "sample", help_heading = WHAT)]
    exhaustive: bool,
    /// Sweep the boundaries, and N values at random
    ///
    /// Sweep the boundaries and N values at random (without N: as many as fit the budget)
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = draws, help_heading = WHAT)]
    sample: Option<Option<u64>>,
    /// Time for a sample without N
    ///
    /// Time for a sample without N, such as 10s, 5m or 2h; boundaries are always finished
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration, help_heading = WHAT)]
    budget: Duration,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = WHAT, hide_short_help = true)]
    seed: u64,
    /// Sweep a named set of ranges (see --list)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = preset(),
        hide_possible_values = true,
        conflicts_with = "ranges",
        help_heading = WHAT,
        hide_short_help = true
    )]
    preset: Option<Preset>,
    /// Codec to check (see --list)
    #[arg(long, value_name = "NAME", default_value = "bulk", value_parser = codec(), hide_possible_values = true, help_heading = CODEC)]
    codec: Named,
    /// Kernel to check, for codecs that have several (see --list); the fastest by default
    #[arg(long, value_name = "NAME", value_parser = kernel, help_heading = CODEC, hide_short_help = true)]
    kernel: Option<Kernel>,
    /// Check a codec in any language, as a child process
    ///
    /// Check a codec in any language: a program that speaks the block protocol of examples/exec; split into words as a
    /// shell does, but no shell runs
    #[cfg(unix)]
    #[arg(
        long,
        value_name = "COMMAND",
        value_hint = ValueHint::CommandString,
        conflicts_with_all = ["codec", "kernel"],
        help_heading = CODEC
    )]
    exec: Option<String>,
    /// Time for an answer of that program
    #[cfg(unix)]
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "10s",
        value_parser = duration,
        requires = "exec",
        help_heading = CODEC,
        hide_short_help = true
    )]
    exec_timeout: Duration,
    /// Worker threads; all cores by default
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
}

/// The integer types that can be swept.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Type {
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}

/// Calls a function that is generic over the integer type with the one that was asked for.
macro_rules! with_type {
    ($type:expr, $function:ident($($argument:expr),*)) => {
        match $type {
            $crate::program::arguments::Type::I64 => $function::<i64>($($argument),*),
            $crate::program::arguments::Type::U64 => $function::<u64>($($argument),*),
            $crate::program::arguments::Type::I32 => $function::<i32>($($argument),*),
            $crate::program::arguments::Type::U32 => $function::<u32>($($argument),*),
            $crate::program::arguments::Type::I16 => $function::<i16>($($argument),*),
            $crate::program::arguments::Type::U16 => $function::<u16>($($argument),*),
            $crate::program::arguments::Type::I8 => $function::<i8>($($argument),*),
            $crate::program::arguments::Type::U8 => $function::<u8>($($argument),*),
        }
    };
}
pub(crate) use with_type;

impl PlanArguments {
    /// The sweep that was asked for.
    pub(crate) fn sweep<T: Integer>(&self) -> Result<Sweep<T>, String> {
        let mut sweep = Sweep::<T>::new().budget(self.budget).seed(self.seed);
        let limits = Interval { first: T::LEAST, last: T::GREATEST };
        if let Some(preset) = self.preset {
            let intervals = preset.intervals();
            if let Some(outside) = intervals.iter().find(|i| i.first < limits.first || i.last > limits.last) {
                let (name, type_name, last) = (preset.name, T::NAME, outside.last);
                return Err(format!(
                    "preset {name} reaches {last}, outside {type_name}: choose a wider --type"
                ));
            }
            sweep = sweep.ranges(intervals);
        } else if !self.ranges.is_empty() {
            let intervals: Result<Vec<_>, _> =
                self.ranges.iter().map(|range| range.within(T::NAME, limits)).collect();
            sweep = sweep.ranges(intervals.map_err(|error| error.to_string())?);
        }
        if self.exhaustive {
            sweep = sweep.exhaustive();
        }
        if let Some(draws) = self.sample {
            sweep = sweep.sample(draws);
        }
        if let Some(threads) = self.threads {
            sweep = sweep.threads(threads);
        }
        Ok(sweep)
    }

    /// Worker threads of that sweep.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// The codec that was asked for.
    pub(crate) fn codec<T: Integer + VarInt>(&self) -> Result<Box<dyn Codec<T>>, String> {
        #[cfg(unix)]
        if let Some(command) = &self.exec {
            let codec = Exec::start(command, self.exec_timeout);
            return Ok(Box::new(codec.map_err(|error| format!("--exec: {error}"))?));
        }
        let name = self.codec.name;
        if self.kernel.is_some() && !self.codec.has_kernels {
            return Err(format!("codec {name} has no choice of kernels: leave --kernel out"));
        }
        self.codec.codec(self.kernel.unwrap_or_else(Kernel::detect)).ok_or_else(|| {
            let (only, given) = (self.codec.only.unwrap_or_default(), T::NAME);
            format!("codec {name} is for {only} alone, not for {given}: leave --type out")
        })
    }
}

/// Ranges may begin with a minus, which would make options of them: they go last, behind `--`.
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

pub(crate) fn names<N: Display>(names: impl Iterator<Item = N>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// One of a list of names, which the help and the shells know too.
pub(crate) fn named<T: Clone + Send + Sync + 'static>(
    all: &'static [T],
    name_and_about: fn(&T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(name_and_about).map(|(name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(values).try_map(move |given| {
        all.iter().find(|one| name_and_about(one).0 == given).cloned().ok_or("no such name")
    })
}

fn codec() -> impl TypedValueParser<Value = Named> {
    named(CODECS, |codec| (codec.name, codec.about))
}

fn preset() -> impl TypedValueParser<Value = Preset> {
    named(PRESETS, |preset| (preset.name, preset.about))
}

/// Reads ranges. What is none may be meant for a command, where the command line has commands.
#[derive(Clone)]
struct RangeParser;

impl TypedValueParser for RangeParser {
    type Value = Range;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Range, clap::Error> {
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
        return format!("a command goes first, its options after it: sweep {text} ...");
    }
    let meant = nearest(text, commands.iter().map(String::as_str));
    let meant = meant.map(|name| format!("; did you mean 'sweep {name}'?")).unwrap_or_default();
    format!("{error}; commands are {}{meant}", commands.join(", "))
}

pub(crate) fn kernel(name: &str) -> Result<Kernel, String> {
    Kernel::by_name(name).ok_or_else(|| {
        let meant = did_you_mean(name, Kernel::available().map(Kernel::name));
        format!("this CPU has {}{meant}", names(Kernel::available()))
    })
}

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..) => Ok(threads),
        _ => Err("write a number of threads from 1 on".into()),
    }
}

fn draws(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(draws @ 1..) => Ok(draws),
        _ => Err("write a number of values from 1 on".into()),
    }
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("write a time above zero, such as 10s, 5m or 2h".into()),
    }
}
