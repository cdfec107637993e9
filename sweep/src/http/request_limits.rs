//! Limits the rate of new connections.

use std::time::{Duration, Instant};

/// A rate limiter that admits `burst` connections at once, and then one per `interval`.
pub(super) struct RateLimiter {
    interval: Duration,
    burst: u32,
    /// When the next connection would be admitted if there were no bursts.
    next: Instant,
}

impl RateLimiter {
    pub(super) fn new(interval: Duration, burst: u32, now: Instant) -> Self {
        Self { interval, burst, next: now }
    }

    /// Admits a connection and returns how long the next one has to wait.
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
    fn connections_are_delayed_after_a_burst_and_not_after_a_pause() {
        let now = Instant::now();
        let interval = Duration::from_millis(10);
        let mut limiter = RateLimiter::new(interval, 2, now);
        let waits: Vec<_> = (0..5).map(|_| limiter.wait(now).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 10, 20]);
        assert_eq!(limiter.wait(now + Duration::from_secs(1)), Duration::ZERO, "after a pause");
    }
}
