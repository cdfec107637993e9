//! The report of a comparison of codecs, and its JSON form.

use serde::Serialize;

use super::sweep_report::Report;

/// The result of a comparison of codecs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComparisonReport {
    /// The version of the format: 2.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// Worker threads.
    pub threads: usize,
    /// The number of rounds. In each one, all codecs check the same values in turn.
    pub rounds: u64,
    /// What a codec checks in each round.
    pub each_round: RoundScope,
    /// Whether every codec checked all values.
    pub complete: bool,
    /// The number of codecs with failures.
    pub failing_codecs: usize,
    /// Time from the first value to the last, over all codecs.
    pub seconds: f64,
    /// The codecs, in the order in which they were given.
    pub codecs: Vec<ComparedCodec>,
}

/// What a codec checks in each round of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundScope {
    /// Another shard: after all rounds, every value was checked once.
    Shard,
    /// The whole plan, because it is small.
    Plan,
}

/// The result of one codec in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComparedCodec {
    /// The speed; `None` if the codec has failures or did not check all values. A failure is
    /// examined value by value, which takes longer.
    pub speed: Option<CodecSpeed>,
    /// The report, as that of a sweep with this codec alone.
    pub report: Report,
}

/// The speed of a codec over the rounds of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CodecSpeed {
    /// The median of `values_per_second`.
    pub median_values_per_second: f64,
    /// The minimum of `values_per_second`.
    pub min_values_per_second: f64,
    /// The maximum of `values_per_second`.
    pub max_values_per_second: f64,
    /// The time per value relative to the fastest codec, by the medians: 1 for the fastest, 2 for a
    /// codec that takes twice as long.
    pub relative_time: f64,
    /// Values checked per second in each round.
    pub values_per_second: Vec<f64>,
}

impl CodecSpeed {
    /// Returns the speed with these rates, or `None` if there are none. The codec counts as the
    /// fastest until [`set_relative_times`] compares it with others.
    pub(crate) fn of(rates: Vec<f64>) -> Option<Self> {
        let mut sorted = rates.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Some(Self {
            median_values_per_second: median,
            min_values_per_second: min,
            max_values_per_second: max,
            relative_time: 1.0,
            values_per_second: rates,
        })
    }
}

/// Sets the relative times of all codecs that have a speed.
pub(crate) fn set_relative_times(codecs: &mut [ComparedCodec]) {
    let medians = codecs.iter().filter_map(|codec| Some(codec.speed.as_ref()?.median_values_per_second));
    let fastest = medians.fold(0.0, f64::max);
    for speed in codecs.iter_mut().filter_map(|codec| codec.speed.as_mut()) {
        speed.relative_time = fastest / speed.median_values_per_second.max(1e-9);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_has_the_median_and_the_limits_of_the_rates() {
        let speed = CodecSpeed::of(vec![30.0, 10.0, 20.0]).unwrap();
        let numbers =
            (speed.median_values_per_second, speed.min_values_per_second, speed.max_values_per_second);
        assert_eq!(numbers, (20.0, 10.0, 30.0));
        assert_eq!(CodecSpeed::of(vec![1.0, 3.0]).unwrap().median_values_per_second, 2.0);
        assert_eq!(CodecSpeed::of(vec![]), None);
    }
}
