//! The rate over all of the time so far, in bounded memory.

use std::time::Duration;

/// Points at most; beyond that, every second one is dropped.
const MANY: usize = 480;

/// How far the sweep was, at even intervals: a second at first, twice as long whenever the points become too many.
pub(in crate::http) struct History {
    points: Vec<Point>,
    interval: Duration,
}

/// How far it was at some time.
#[derive(Clone, Copy)]
struct Point {
    at: Duration,
    values: u64,
}

impl History {
    pub(in crate::http) fn new() -> Self {
        Self { points: Vec::new(), interval: Duration::from_millis(900) }
    }

    /// Enters a point, unless the last one is too recent.
    pub(in crate::http) fn enter(&mut self, at: Duration, values: u64) {
        if self.points.last().is_some_and(|last| at.saturating_sub(last.at) < self.interval) {
            return;
        }
        self.points.push(Point { at, values });
        if self.points.len() > MANY {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.interval *= 2;
        }
    }

    /// Values per second by the time in seconds, from one point to the next.
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
    fn weeks_fit_and_the_rate_stays_right() {
        let mut history = History::new();
        for second in 0..1_000_000u64 {
            history.enter(Duration::from_secs(second), second * 7);
        }
        let rates = history.rates();
        assert!(rates.len() < MANY && rates.len() >= MANY / 2 - 1, "{}", rates.len());
        assert!(rates.iter().all(|&(_, rate)| (rate - 7.0).abs() < 1e-6));
        assert!(rates[0].0 < 10_000.0 && rates[rates.len() - 1].0 > 990_000.0, "from the start to now");
    }
}
