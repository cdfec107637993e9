//! Estimates how long an exhaustive sweep takes, and what a sample shows instead.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::check::subject::Subject;
use crate::plan::interval::{self, Interval};
use crate::plan::sample;
use crate::report::alignment::{right, table};
use crate::report::decimal;
use crate::report::numbers::{grouped, long_time};
use crate::report::sweep_report::FORMAT;
use crate::run::rate::{consecutive_rate, drawn_rate};
use crate::watch::handle::Watch;

const ONE_THREAD: Duration = Duration::from_millis(300);
const ALL_THREADS: Duration = Duration::from_millis(600);

/// An estimate of the time that an exhaustive sweep takes, from a short measurement.
///
/// Its `Display` implementation also shows the confidence that samples of several sizes give.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The version of the format: 2.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// The name of the codec.
    pub codec: String,
    /// The kernel of the codec, if it has several.
    pub kernel: Option<String>,
    /// The number of values in the plan.
    #[serde(with = "decimal")]
    pub values: u128,
    /// The number of worker threads.
    pub threads: usize,
    /// The number of consecutive values per second on one thread while the others are idle.
    pub one_thread_rate: f64,
    /// The number of consecutive values per second on all threads at once.
    pub all_threads_rate: f64,
    /// The number of strata, which are the encoded lengths and signs that a sample draws from.
    pub strata: usize,
    /// The number of values drawn at random per second on all threads at once; 0 if a sample would
    /// cover every value.
    pub drawn_rate: f64,
    /// The time in seconds to check every value of the plan on this machine.
    pub seconds_here: f64,
    /// The number of cores of [`on_cores`](Self::on_cores).
    pub cores: u64,
    /// The time in seconds to check every value of the plan on that number of cores.
    pub seconds_on_cores: f64,
    /// The number of core hours per 10^15 values.
    pub core_hours_per_1e15: f64,
}

impl Estimate {
    pub(crate) fn measure(pool: &rayon::ThreadPool, plan: &[Interval], subject: &dyn Subject) -> Self {
        let strata = sample::divide(&*subject.space(), plan).1;
        let one_thread_rate = pool.install(|| consecutive_rate(plan, subject, ONE_THREAD, 0));
        let on_all = |rate: &(dyn Fn(usize) -> f64 + Sync)| {
            pool.broadcast(|context| rate(context.index())).iter().sum()
        };
        let all_threads_rate: f64 = on_all(&|thread| consecutive_rate(plan, subject, ALL_THREADS, thread));
        let drawn = if strata.is_empty() {
            0.0
        } else {
            on_all(&|thread| drawn_rate(&strata, subject, ALL_THREADS, thread))
        };
        let threads = pool.current_num_threads();
        let values = interval::count(plan);
        let per_core = all_threads_rate.max(1.0) / threads as f64;
        Self {
            format: FORMAT,
            program: Watch::new().program().to_owned(),
            value_type: subject.space().name(),
            codec: subject.name(),
            kernel: subject.kernel(),
            values,
            threads,
            one_thread_rate,
            all_threads_rate,
            strata: strata.len(),
            drawn_rate: drawn,
            seconds_here: values as f64 / (per_core * threads as f64),
            cores: threads as u64,
            seconds_on_cores: values as f64 / (per_core * threads as f64),
            core_hours_per_1e15: 1e15 / per_core / 3600.0,
        }
    }

    /// Sets the name and version of the program, which is this library by default.
    pub fn for_program(self, program: impl Into<String>) -> Self {
        Self { program: program.into(), ..self }
    }

    /// Recalculates the estimate for a number of cores like those of this machine.
    pub fn on_cores(mut self, cores: u64) -> Self {
        self.cores = cores.max(1);
        self.seconds_on_cores = self.seconds_here * self.threads as f64 / self.cores as f64;
        self
    }

    /// Returns the number of draws from each stratum that must pass to show, with this confidence
    /// for all strata together, that at most one in `one_in` of the values of each fails. This is the
    /// smallest n with (1 - 1/one_in)^n <= (1 - confidence) / strata.
    fn draws(confidence: f64, one_in: f64, strata: usize) -> f64 {
        (((1.0 - confidence) / strata as f64).ln() / (-1.0 / one_in).ln_1p()).ceil()
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.kernel.as_ref().map(|kernel| format!(", kernel {kernel}")).unwrap_or_default();
        writeln!(
            f,
            "{} values of {} by codec {}{kernel}\n",
            grouped(self.values),
            self.value_type,
            self.codec
        )?;
        writeln!(
            f,
            "measured: {} values/s on one thread, {} values/s on {} threads (factor {:.2})",
            grouped(self.one_thread_rate as u128),
            grouped(self.all_threads_rate as u128),
            self.threads,
            self.all_threads_rate / self.one_thread_rate.max(1.0),
        )?;
        writeln!(f, "10^15 values take {} core hours\n", grouped(self.core_hours_per_1e15.ceil() as u128))?;

        let mut times = table(&["cores", "exhaustive"]);
        let mut cores = vec![self.threads as u64, self.cores, 64, 1000, 10_000];
        cores.sort_unstable();
        cores.dedup();
        for cores in cores {
            let here = if cores == self.threads as u64 { " (here)" } else { "" };
            let seconds = self.seconds_here * self.threads as f64 / cores as f64;
            times.add_row([grouped(cores.into()) + here, long_time(seconds)]);
        }
        writeln!(f, "{}", right(times))?;
        if self.strata == 0 {
            return Ok(());
        }
        writeln!(
            f,
            "\nif no value of a sample fails, for each of the {} encoded lengths and signs, all together:\n",
            self.strata
        )?;
        let mut samples = table(&["confidence", "failing at most", "draws", "time here"]);
        for (confidence, name) in [(0.95, "95 %"), (0.999, "99.9 %")] {
            for power in [6, 9, 12] {
                let draws = Self::draws(confidence, 10f64.powi(power), self.strata) * self.strata as f64;
                let seconds = draws / self.drawn_rate.max(1.0);
                samples.add_row([
                    name.to_owned(),
                    format!("1 in {}", grouped(10u128.pow(power as u32))),
                    grouped(draws as u128),
                    long_time(seconds),
                ]);
            }
        }
        writeln!(f, "{}", right(samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_least_that_give_the_confidence_for_all_strata_together() {
        for (confidence, one_in, strata) in [(0.95, 1e6, 1), (0.95, 100.0, 14), (0.999, 100.0, 3)] {
            let draws = Estimate::draws(confidence, one_in, strata);
            let risk = |draws| strata as f64 * (1.0 - 1.0 / one_in).powf(draws);
            assert!(risk(draws) <= 1.0 - confidence && risk(draws - 1.0) > 1.0 - confidence, "{draws}");
        }
    }
}
