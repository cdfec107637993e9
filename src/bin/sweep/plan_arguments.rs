//! The options that say which values to sweep and with which codec.

use std::time::Duration;

use clap::Args;
#[cfg(unix)]
use clap::ValueHint;
#[cfg(unix)]
use varint_sweep::Exec;
use varint_sweep::{Codec, Integer, Interval, RangeSpec, Sweep};
use zigzag_varint::{Kernel, Varint};

use super::builtin_codecs::BuiltinCodec;
use super::error::Error;
use super::help_headings::{CODEC, LARGE, WHAT};
use super::integer_type::IntegerType;
use super::presets::Preset;
use super::range_argument::RangeParser;
use super::value_names::name_of;
use super::value_parsers::{duration, kernel, threads};

/// Which values to sweep, how thoroughly and with what.
#[derive(Args)]
pub(crate) struct PlanArguments {
    /// A..=B or A..B; without any the whole type
    ///
    /// Ranges to sweep: A..=B or A..B, decimal, _ allowed, MIN and MAX too; may begin with a minus. Without any: the
    /// whole type
    #[arg(value_name = "RANGE", value_parser = RangeParser, help_heading = WHAT, display_order = 0)]
    ranges: Vec<RangeSpec>,
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
    pub(crate) value_type: IntegerType,
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
        value_enum,
        hide_possible_values = true,
        conflicts_with = "ranges",
        help_heading = WHAT,
        hide_short_help = true
    )]
    preset: Option<Preset>,
    /// Codec to check (see --list)
    #[arg(long, value_name = "NAME", value_enum, default_value_t = BuiltinCodec::Bulk, hide_possible_values = true, help_heading = CODEC)]
    codec: BuiltinCodec,
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

impl PlanArguments {
    /// Returns the sweep that was asked for.
    ///
    /// # Errors
    ///
    /// If a range or the preset goes beyond the type.
    pub(crate) fn sweep<T: Integer>(&self) -> Result<Sweep<T>, Error> {
        let mut sweep = Sweep::<T>::new().budget(self.budget).seed(self.seed);
        let limits = Interval { first: T::MIN, last: T::MAX };
        if let Some(preset) = self.preset {
            let intervals = preset.intervals();
            if let Some(outside) = intervals.iter().find(|i| i.first < limits.first || i.last > limits.last) {
                let (name, type_name, last) = (name_of(&preset), T::NAME, outside.last);
                return Err(Error::usage(format_args!(
                    "preset {name} reaches {last}, outside {type_name}: choose a wider --type"
                )));
            }
            sweep = sweep.ranges(intervals);
        } else if !self.ranges.is_empty() {
            let intervals: Result<Vec<_>, _> =
                self.ranges.iter().map(|range| range.resolve(T::NAME, limits)).collect();
            sweep = sweep.ranges(intervals.map_err(Error::usage)?);
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

    /// Returns the number of worker threads of that sweep.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Returns the codec that was asked for.
    ///
    /// # Errors
    ///
    /// If the program of `--exec` cannot be started, or the codec has no such kernel or is not for that type.
    pub(crate) fn codec<T: Integer + Varint>(&self) -> Result<Box<dyn Codec<T>>, Error> {
        #[cfg(unix)]
        if let Some(command) = &self.exec {
            let codec = Exec::start(command, self.exec_timeout);
            return Ok(Box::new(codec.map_err(|error| Error::usage(format_args!("--exec: {error}")))?));
        }
        self.codec.codec(self.kernel).map_err(Error::usage)
    }
}

fn draws(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(draws @ 1..) => Ok(draws),
        _ => Err("write a number of values from 1 on".into()),
    }
}
