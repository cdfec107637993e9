//! Chooses the length of the strings by the time that a sweep may take.

use std::time::{Duration, Instant};

use super::batch::BATCH;
use super::decoder_set::AnyDecoderSet;
use super::schedule::Unit;
use super::settings::Settings;
use super::strings::{Group, MAX_EXHAUSTIVE_LEN, groups};
use crate::error::SweepError;
use crate::run::limits::Limits;
use crate::watch::handle::Watch;

/// The number of batches of long strings in a trial. Only one in 16 of them is placed in mixed
/// streams, which take longer.
const LONG_BATCHES: u64 = 16;
const LONG: usize = 4;

/// Returns the greatest length with which the sweep is estimated to take at most this time, or 0. A
/// short trial on every thread measures each length. Returns `None` if it was stopped.
///
/// # Errors
///
/// Returns an error if the threads cannot be started.
pub(super) fn longest_within(
    settings: &Settings,
    budget: Duration,
    watch: &Watch,
) -> Result<Option<usize>, SweepError> {
    let trials = settings.limits.pool(u64::MAX)?.broadcast(|_| seconds_by_len(settings, watch));
    let threads = trials.len() as f64;
    let seconds: Vec<f64> = (0..=MAX_EXHAUSTIVE_LEN)
        .map(|len| trials.iter().map(|trial| trial[len]).sum::<f64>() / threads / threads)
        .collect();
    Ok((!watch.is_stopped()).then(|| longest(&seconds, budget)))
}

/// Returns the greatest length whose estimate is within the budget, or 0.
fn longest(seconds_by_len: &[f64], budget: Duration) -> usize {
    seconds_by_len.iter().rposition(|&seconds| seconds <= budget.as_secs_f64()).unwrap_or(0)
}

/// Returns the estimated time on one thread for each maximum length.
fn seconds_by_len(settings: &Settings, watch: &Watch) -> Vec<f64> {
    let mut every = [0.0; MAX_EXHAUSTIVE_LEN + 1];
    let mut structured = [0.0; MAX_EXHAUSTIVE_LEN + 1];
    let mut longer = 0.0;
    for set in &settings.types {
        let seconds = |group: Group| if watch.is_stopped() { 0.0 } else { seconds_for(&**set, group) };
        seconds(Group { length: 2, every: true }); // warms up
        for length in 0..=MAX_EXHAUSTIVE_LEN {
            every[length] += seconds(Group { length, every: true });
            structured[length] += seconds(Group { length, every: false });
        }
        longer +=
            groups(MAX_EXHAUSTIVE_LEN).into_iter().filter(|group| !group.every).map(seconds).sum::<f64>();
    }
    let total = |len: usize| every[..=len].iter().chain(&structured[len + 1..]).sum::<f64>() + longer;
    (0..=MAX_EXHAUSTIVE_LEN).map(total).collect()
}

/// Returns the estimated time on one thread for all strings of a group, from some in its middle.
fn seconds_for(set: &dyn AnyDecoderSet, group: Group) -> f64 {
    let batches = group.count().div_ceil(BATCH);
    let count = if group.every && group.length >= LONG { LONG_BATCHES } else { 1 };
    let first = batches / 2 / LONG_BATCHES * LONG_BATCHES;
    let unit = Unit { number: 0, of_type: 0, group: 0, batches: first..(first + count).min(batches) };
    let start = Instant::now();
    set.check(&unit, &[group], Limits { threads: 1, max_failures: 0 }, &Watch::new());
    let strings = (unit.batches.end * BATCH).min(group.count()) - first * BATCH;
    start.elapsed().as_secs_f64() * group.count() as f64 / strings as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_length_within_the_budget_is_chosen() {
        let seconds = [1.0, 1.1, 2.0, 500.0, 1e5, 1e7];
        let chosen =
            [0, 1, 2, 499, 500, 1_000_000_000].map(|budget| longest(&seconds, Duration::from_secs(budget)));
        assert_eq!(chosen, [0, 0, 2, 2, 3, 5]);
    }
}
