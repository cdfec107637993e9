//! The options for how many of the values a sweep checks.

use std::time::Duration;

use clap::Args;
use varint_sweep::Sweep;

use super::help_headings::WHAT;
use super::value_parsers::{count, duration, positive};

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
    /// Written as 10s, 5m or 2h; a number alone is in seconds. If all values can be checked in this
    /// time, they are. Otherwise a sample is drawn until the time is over; its boundaries are
    /// always completed. The option has no effect with --exhaustive or --sample N.
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
    /// Sets the mode of a sweep, which is one of `sweeps` that share the budget.
    pub(crate) fn apply<S>(&self, sweep: Sweep<S>, sweeps: u32) -> Sweep<S> {
        let mut sweep = sweep.budget(self.budget / sweeps);
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
