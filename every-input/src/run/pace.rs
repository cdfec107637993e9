//! How many inputs a thread checks in a call, and between two looks at the clock.
//!
//! A sweep stops between two calls, so they should be short. But a call to another process may take long
//! however few inputs it has.

use std::time::Duration;

use crate::check::function::MAX_BLOCK_LEN;

/// The time that a claim should take, and a call with many inputs.
pub(super) const TARGET: Duration = Duration::from_millis(50);

/// The greatest number of inputs in a claim, which makes the cost of a claim negligible.
pub(super) const MAX_CLAIM: u64 = 1 << 18;

/// What a thread has measured.
pub(super) struct Pace {
    /// The number of inputs in a call, which is a power of two.
    block: u64,
    /// The seconds that an input takes, of the last calls.
    each: f64,
    /// The number of inputs in the last calls, and the seconds that a call took.
    last: Option<(f64, f64)>,
    /// The same of the last calls of another length.
    other: Option<(f64, f64)>,
}

impl Pace {
    /// Begins with a single input, whose time is not known.
    pub(super) fn new() -> Self {
        Self { block: 1, each: f64::INFINITY, last: None, other: None }
    }

    pub(super) fn block(&self) -> u64 {
        self.block
    }

    /// Returns the number of inputs to claim, which is a power of two.
    pub(super) fn claim(&self) -> u64 {
        fitting(TARGET.as_secs_f64() / self.each, MAX_CLAIM).max(self.block)
    }

    /// Returns the number of calls between two looks at the clock, which takes as long as twenty inputs of
    /// a fast codec.
    pub(super) fn calls(&self) -> u32 {
        if self.each * (self.block as f64) < 2e-5 { 16 } else { 1 }
    }

    /// Returns the seconds that an input takes.
    pub(super) fn each(&self) -> f64 {
        self.each
    }

    /// Returns whether a call takes so long that the sweep should be able to stop before it is known
    /// which of its inputs fail.
    pub(super) fn is_slow(&self) -> bool {
        self.each * self.block as f64 > 1e-3
    }

    /// Learns that `calls` with `inputs` in all took this time.
    ///
    /// A call takes some time, and further time for each further input. The block grows until all its
    /// further inputs take as long as the target, or as long as a call takes anyway. It grows by steps,
    /// because one call that the system has interrupted can make further inputs seem to take no time.
    pub(super) fn learn(&mut self, calls: u64, inputs: u64, time: Duration) {
        let target = TARGET.as_secs_f64();
        let call = time.as_secs_f64().max(1e-9) / calls as f64;
        let len = inputs as f64 / calls as f64;
        self.each = (call / len).max(1e-12);
        if let Some(last) = self.last.replace((len, call))
            && !(0.7..1.5).contains(&(len / last.0))
        {
            self.other = Some(last);
        }
        let most = match self.other {
            Some((other, time)) => {
                let further = ((call - time) / (len - other)).clamp(1e-12, self.each);
                (target.max(call - further * len) / further).min(4.0 * len)
            }
            // A longer one shows whether further inputs take as long.
            None => (target / self.each).max(2.0 * len),
        };
        self.block = fitting(most, MAX_BLOCK_LEN as u64);
    }
}

/// Returns the greatest power of two that is at most this number, at least one and at most `max`.
fn fitting(most: f64, max: u64) -> u64 {
    1 << (most as u64).clamp(1, max).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the block after this number of claims, if a call takes `call` seconds and an input `each`.
    fn after(claims: usize, pace: &mut Pace, call: f64, each: f64) -> u64 {
        for _ in 0..claims {
            let inputs = pace.claim();
            let calls = inputs.div_ceil(pace.block());
            pace.learn(calls, inputs, Duration::from_secs_f64(calls as f64 * call + inputs as f64 * each));
        }
        pace.block()
    }

    #[test]
    fn calls_of_a_fast_codec_have_a_block_and_claims_are_long_after_the_first_value() {
        let mut pace = Pace::new();
        assert_eq!((pace.block(), pace.claim()), (1, 1));
        assert_eq!(after(1, &mut pace, 1e-7, 1e-9), 1024);
        assert_eq!(after(1, &mut pace, 1e-7, 1e-9), 1024);
        assert_eq!((pace.claim(), pace.calls(), pace.is_slow()), (1 << 18, 16, false));
    }

    #[test]
    fn calls_of_slow_inputs_have_as_many_as_fit_the_target() {
        for (each, expected) in [(0.2, 1), (0.03, 1), (0.02, 2), (0.001, 32), (5.0, 1)] {
            let mut pace = Pace::new();
            after(8, &mut pace, 0.0, each);
            let blocks: Vec<_> = (0..6).map(|_| after(1, &mut pace, 1e-5, each)).collect();
            assert_eq!(blocks, [expected; 6], "{each}");
            assert_eq!(pace.claim(), expected);
            assert!(pace.is_slow());
        }
    }

    #[test]
    fn slow_calls_have_many_inputs_if_these_take_no_longer() {
        for call in [0.03, 0.06, 0.2, 3.0] {
            assert_eq!(after(12, &mut Pace::new(), call, 1e-7), 1024, "{call}");
        }
    }

    #[test]
    fn an_interrupted_call_makes_the_block_only_a_little_longer() {
        for interrupted in [0.045, 0.2, 3.0] {
            let mut pace = Pace::new();
            pace.learn(1, 1, Duration::from_secs_f64(interrupted));
            assert!(after(1, &mut pace, 0.0, 0.01) <= 8, "{interrupted}");
            assert!(after(1, &mut pace, 0.0, 0.01) <= 32, "{interrupted}");
            assert_eq!(after(8, &mut pace, 0.0, 0.01), 4, "{interrupted}");
        }
    }

    #[test]
    fn a_change_of_the_time_is_noticed() {
        let mut pace = Pace::new();
        after(4, &mut pace, 1e-6, 1e-8);
        assert_eq!(after(4, &mut pace, 1e-6, 0.2), 1);
        assert_eq!(after(5, &mut pace, 1e-6, 1e-8), 1024);
        assert_eq!(after(20, &mut pace, 0.4, 1e-8), 1024);
        assert_eq!(after(20, &mut pace, 1e-6, 0.001), 32);
    }
}
