//! The rate since the start of the sweep, in bounded memory.

use std::time::Duration;

/// The maximum number of points. When there are more, every second point is dropped.
const MAX_POINTS: usize = 480;

/// The progress of the sweep at even intervals: one second at first, doubled whenever points are
/// dropped.
pub(in crate::http) struct History {
    points: Vec<Point>,
    interval: Duration,
}

/// The number of values checked at one time.
#[derive(Clone, Copy)]
struct Point {
    at: Duration,
    values: u64,
}

impl History {
    pub(in crate::http) fn new() -> Self {
        Self { points: Vec::new(), interval: Duration::from_millis(900) }
    }

    /// Records a point, unless the last one is too recent.
    pub(in crate::http) fn record(&mut self, at: Duration, values: u64) {
        if self.points.last().is_some_and(|last| at.saturating_sub(last.at) < self.interval) {
            return;
        }
        self.points.push(Point { at, values });
        if self.points.len() > MAX_POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.interval *= 2;
        }
    }

    /// Returns pairs of a time in seconds and the values per second in the interval that ends
    /// there.
    pub(in crate::http) fn rates(&self) -> Vec<(f64, f64)> {
        let rate = |pair: &[Point]| {
            let values = pair[1].values.wrapping_sub(pair[0].values);
            let seconds = (pair[1].at - pair[0].at).as_secs_f64();
            (pair[1].at.as_secs_f64(), values as f64 / seconds.max(1e-9))
        };
        self.points.windows(2).map(rate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_seconds_fit_and_the_rate_stays_exact() {
        let mut history = History::new();
        for second in 0..1_000_000u64 {
            history.record(Duration::from_secs(second), second * 7);
        }
        let rates = history.rates();
        assert!(rates.len() < MAX_POINTS && rates.len() >= MAX_POINTS / 2 - 1, "{}", rates.len());
        assert!(rates.iter().all(|&(_, rate)| (rate - 7.0).abs() < 1e-6));
        assert!(rates[0].0 < 10_000.0 && rates[rates.len() - 1].0 > 990_000.0, "from the start to now");
    }
}
