//! So many at a time and so many per second, whoever pushes.

use std::time::{Duration, Instant};

/// Lets `burst` through at once and after that one each `interval`, evenly.
pub(super) struct Pace {
    interval: Duration,
    burst: u32,
    /// When the next would be let through if there were no bursts.
    next: Instant,
}

impl Pace {
    pub(super) fn new(interval: Duration, burst: u32, now: Instant) -> Self {
        Self { interval, burst, next: now }
    }

    /// How long the next one has to wait.
    pub(super) fn wait(&mut self, now: Instant) -> Duration {
        let next = self.next.max(now);
        self.next = next + self.interval;
        next.saturating_duration_since(now).saturating_sub(self.interval * self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_burst_they_come_one_by_one() {
        let now = Instant::now();
        let interval = Duration::from_millis(10);
        let mut pace = Pace::new(interval, 2, now);
        let waits: Vec<_> = (0..5).map(|_| pace.wait(now).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 10, 20]);
        assert_eq!(pace.wait(now + Duration::from_secs(1)), Duration::ZERO, "patience is rewarded");
    }
}
