//! The work of a sweep as numbered units: blocks of consecutive values first, then rounds of draws.
//!
//! Workers claim units in order, and every claimed unit is finished. So what a sweep has done is always a
//! beginning of the schedule, whenever it stops and however many threads it had.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use super::interval::Interval;
use super::partition::Partition;
use super::sample::{DRAW, Stratum};

/// Values in a block: long against the cost of a claim, short against a second.
const BLOCK_SHIFT: u32 = 18;

/// A piece of work.
pub(super) enum Unit {
    /// Consecutive values.
    Block(Interval),
    /// So many draws from a stratum, by index.
    Draw { stratum: usize, count: u64 },
}

/// All units of a sweep.
pub(super) struct Schedule {
    pub(super) blocks: Partition,
    pub(super) strata: Vec<Stratum>,
    /// Draws in all; without it, rounds go on until someone closes the schedule.
    draws: Option<u64>,
    /// Units in all.
    end: u64,
    next: AtomicU64,
    /// No unit from here on is begun: `end`, until the schedule is closed.
    limit: AtomicU64,
}

impl Schedule {
    pub(super) fn new(whole: Vec<Interval>, strata: Vec<Stratum>, draws: Option<u64>) -> Self {
        let blocks = Partition::new(whole, BLOCK_SHIFT);
        let end = match (strata.len() as u64, draws) {
            (0, _) => blocks.len(),
            (_, None) => u64::MAX,
            (n, Some(draws)) => blocks.len() + draws.div_ceil(n).div_ceil(DRAW) * n,
        };
        Self { blocks, strata, draws, end, next: AtomicU64::new(0), limit: AtomicU64::new(end) }
    }

    /// The number of the next unit, if there is one to begin. `over` says, of a number, that the sweep is to end.
    pub(super) fn claim(&self, over: impl FnOnce(u64) -> bool) -> Option<u64> {
        let number = self.next.fetch_add(1, SeqCst);
        if over(number) {
            self.close();
        }
        (number < self.limit.load(SeqCst)).then_some(number)
    }

    /// Lets no unit begin but those claimed already and, in a round of draws, those that complete it: every
    /// stratum has had an equal share then.
    fn close(&self) {
        // A read-modify-write sees the latest claim. The first caller decides, so all agree on the limit.
        let claimed = self.next.fetch_add(0, SeqCst);
        let limit = match claimed.checked_sub(self.blocks.len()) {
            Some(draws) if !self.strata.is_empty() => {
                self.blocks.len() + draws.next_multiple_of(self.strata.len() as u64)
            }
            _ => claimed,
        };
        let _ = self.limit.compare_exchange(self.end, limit.min(self.end), SeqCst, SeqCst);
    }

    /// The unit of that number.
    pub(super) fn unit(&self, number: u64) -> Unit {
        if let Some(block) = self.blocks.block(number) {
            return Unit::Block(block);
        }
        let draw = number - self.blocks.len();
        let strata = self.strata.len() as u64;
        let (round, stratum) = (draw / strata, draw % strata);
        let share = self.draws.map_or(u64::MAX, |draws| draws / strata + u64::from(stratum < draws % strata));
        let count = share.saturating_sub(round.saturating_mul(DRAW)).min(DRAW);
        Unit::Draw { stratum: stratum as usize, count }
    }

    /// Units begun, all of them finished once the workers are done.
    pub(super) fn begun(&self) -> u64 {
        self.limit.load(SeqCst).min(self.next.load(SeqCst))
    }

    /// Units that must be done: all, or where time is the only bound, the blocks and one round of draws.
    pub(super) fn needed(&self) -> u64 {
        if self.end == u64::MAX { self.blocks.len() + self.strata.len() as u64 } else { self.end }
    }

    /// Whether these are begun.
    pub(super) fn complete(&self) -> bool {
        self.begun() >= self.needed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stratum(first: i128) -> Stratum {
        Stratum { length: 5, negative: false, intervals: vec![Interval { first, last: first + 99 }] }
    }

    #[test]
    fn shares_are_equal_and_add_up() {
        for draws in [0, 1, 2, 3, 49_151, 49_152, 49_153, 1_000_000] {
            let schedule = Schedule::new(vec![], vec![stratum(0), stratum(1000), stratum(2000)], Some(draws));
            let mut shares = [0; 3];
            while let Some(number) = schedule.claim(|_| false) {
                if let Unit::Draw { stratum, count } = schedule.unit(number) {
                    shares[stratum] += count;
                }
            }
            assert_eq!(shares.iter().sum::<u64>(), draws);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
            assert!(schedule.complete());
        }
    }

    #[test]
    fn closing_ends_after_a_whole_round() {
        let schedule =
            Schedule::new(vec![Interval { first: 0, last: 9 }], vec![stratum(0), stratum(1000)], None);
        assert!((0..4).all(|number| schedule.claim(|_| false) == Some(number)));
        assert_eq!(schedule.claim(|_| true), Some(4)); // the second draw of round two
        assert_eq!(schedule.claim(|_| true), None);
        assert_eq!(schedule.begun(), 5);
        assert!(schedule.complete());
    }

    #[test]
    fn closing_among_blocks_ends_at_once() {
        let schedule = Schedule::new(vec![Interval { first: 0, last: 1 << 24 }], vec![stratum(0)], None);
        assert_eq!(schedule.claim(|_| false), Some(0));
        assert_eq!(schedule.claim(|_| true), Some(1));
        assert_eq!(schedule.claim(|_| true), None);
        assert!(!schedule.complete());
    }
}
