//! The options for the values to sweep, with those for the codecs, and for how many are checked.

use std::time::Duration;

use clap::{Args, ValueEnum};
use varint_sweep::replay::Replay;
use varint_sweep::{Integer, Interval, Machine, RangeSpec, Sweep, Watch, preflight};

use super::PROGRAM;
use super::codec_arguments::CodecArguments;
use super::console::warn;
use super::error::Error;
use super::help_headings::{LARGE, WHAT};
use super::integer_type::IntegerType;
use super::presets::Preset;
use super::range_argument::RangeParser;
use super::value_names::name_of;
use super::value_parsers::{count, duration, positive, threads};

/// The values to sweep, and the codecs.
#[derive(Args)]
pub(crate) struct PlanArguments {
    /// Ranges, A..=B or A..B [default: the whole type]
    ///
    /// A..=B includes B, and A..B does not. Without A or B, the range extends to the limit of the
    /// type: 5.., ..=-1. The numbers can be negative and are written as 1_000_000, 0xff, 1e6, 10M
    /// or 2^40, or as MIN and MAX for the limits of the type.
    #[arg(value_name = "RANGE", value_parser = RangeParser, help_heading = WHAT, display_order = 0)]
    ranges: Vec<RangeSpec>,
    /// Integer type, i8 to i64 or u8 to u64 [default: i64]
    ///
    /// One of i8, i16, i32, i64, u8, u16, u32 and u64.
    #[arg(long = "type", value_name = "TYPE", hide_possible_values = true, help_heading = WHAT)]
    value_type: Option<IntegerType>,
    /// Check a named set of ranges (see --list)
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
    #[command(flatten)]
    pub(crate) codecs: CodecArguments,
    /// Number of worker threads [default: one per CPU]
    ///
    /// At most four per CPU, or 64 if that is more. No more threads are started than there are
    /// units of 262,144 values or rounds of draws to check.
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
}

impl PlanArguments {
    /// Returns the integer type.
    pub(crate) fn value_type(&self) -> IntegerType {
        self.value_type.unwrap_or(IntegerType::I64)
    }

    /// Takes the type and the codec of a report or file of failures, unless the command line names
    /// others.
    ///
    /// # Errors
    ///
    /// Returns an error if the command line names another type, or if it has to name the codec
    /// because it is not built in.
    pub(crate) fn replay(&mut self, replay: &Replay) -> Result<(), Error> {
        let Some((name, codec)) = replay.value_type.as_ref().zip(replay.codec.as_ref()) else {
            return Ok(());
        };
        let value_type = IntegerType::from_str(name, false)
            .map_err(|_| Error::file(format_args!("--replay: unknown type '{}'", name.escape_debug())))?;
        if self.value_type.is_some_and(|given| name_of(&given) != *name) {
            return Err(Error::usage(format_args!(
                "--replay: the failures are of the type {name}; remove --type"
            )));
        }
        self.value_type = Some(value_type);
        self.codecs.default_to(codec)
    }

    /// Returns the sweep of these values.
    ///
    /// # Errors
    ///
    /// Returns an error if a range or the preset has values outside the type.
    pub(crate) fn sweep<T: Integer>(&self) -> Result<Sweep<T>, Error> {
        let mut sweep = Sweep::<T>::new();
        let limits = Interval { first: T::MIN, last: T::MAX };
        if let Some(preset) = self.preset {
            let intervals = preset.intervals();
            if let Some(outside) = intervals.iter().find(|i| i.first < limits.first || i.last > limits.last) {
                let (name, type_name, last) = (name_of(&preset), T::NAME, outside.last);
                return Err(Error::usage(format_args!(
                    "--preset {name}: {last} is outside {type_name}; choose a larger --type"
                )));
            }
            sweep = sweep.ranges(intervals);
        } else if !self.ranges.is_empty() {
            let intervals: Result<Vec<_>, _> =
                self.ranges.iter().map(|range| range.resolve(T::NAME, limits)).collect();
            sweep = sweep.ranges(intervals.map_err(Error::usage)?);
        }
        if let Some(threads) = self.threads {
            sweep = sweep.threads(threads);
        }
        Ok(sweep)
    }

    /// Returns a watch for the sweep. Unless `quiet`, it warns about the machine and a long time when
    /// the sweep starts.
    pub(crate) fn watch(&self, quiet: bool) -> Watch {
        let watch = Watch::for_program(PROGRAM);
        if quiet {
            return watch;
        }
        let cpus = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(cpus);
        watch
            .on_start(move || preflight(&Machine::current(), threads).iter().for_each(warn))
            .on_long_sweep(|warning| warn(warning))
    }
}

/// How many of the values a sweep checks.
#[derive(Args)]
pub(crate) struct ModeArguments {
    /// Check every value, however long it takes
    ///
    /// A sweep that takes longer than a day says so when it starts.
    #[arg(long, conflicts_with = "sample", help_heading = WHAT)]
    exhaustive: bool,
    /// Check a sample: boundaries and N random values
    ///
    /// Boundaries are 0, the limits of the type and of each RANGE, all powers of two, and all
    /// values at which the encoded length changes. They are always checked, with 16,384 values on
    /// each side.
    ///
    /// The random values are drawn in equal numbers for each encoded length and sign. Without N,
    /// they are drawn until the time of --budget is over.
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = positive, help_heading = WHAT)]
    sample: Option<Option<u64>>,
    /// Target duration of the sweep
    ///
    /// Written as 10s, 5m or 2h; a number alone is in seconds. If all values can be checked in this time, they are. Otherwise a
    /// sample is drawn until the time is over; its boundaries are always completed. The option has
    /// no effect with --exhaustive or --sample N.
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration, help_heading = WHAT)]
    budget: Duration,
    /// Seed of the random values [default: a random one]
    ///
    /// The same seed and the same --sample N select the same values; the report prints both. A
    /// sweep that resumes has the seed of its checkpoint. The shards of a sample need --seed, with
    /// the same N for all of them. The option has no effect with --exhaustive.
    #[arg(long, value_name = "N", value_parser = count, help_heading = WHAT, hide_short_help = true)]
    seed: Option<u64>,
}

impl ModeArguments {
    /// Sets the mode of a sweep.
    pub(crate) fn apply<T: Integer>(&self, sweep: Sweep<T>) -> Sweep<T> {
        let mut sweep = sweep.budget(self.budget);
        if self.exhaustive {
            sweep = sweep.exhaustive();
        }
        if let Some(draws) = self.sample {
            sweep = sweep.sample(draws);
        }
        if let Some(seed) = self.seed {
            sweep = sweep.seed(seed);
        }
        sweep
    }
}
