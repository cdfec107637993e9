//! Rounds of draws: in each, every stratum has the same number of draws, or one more if it is among the
//! first ones.

use crate::plan::sample::DRAWS_PER_UNIT;
use crate::plan::shard::Shard;

/// Some rounds of one shard, which are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    strata: u64,
    /// The number of the first of them among the rounds of the shard.
    first: u64,
    rounds: u64,
    /// The number of earlier draws in each unit.
    from: u64,
    /// The number of draws from each stratum in a round.
    count: u64,
    /// The number of strata with one more.
    more: u64,
}

/// Draws from one stratum in one round.
pub(crate) struct Run {
    /// The number of the round among those of the shard.
    pub(crate) round: u64,
    pub(crate) stratum: u64,
    /// The number of earlier draws in the unit.
    pub(crate) skip: u64,
    pub(crate) count: u64,
}

impl Rounds {
    /// Returns all rounds of a shard, with this number of draws in all shards, or without an end.
    ///
    /// The first one is in parts, whose length doubles, so that a sample that ends early has drawn from
    /// every stratum.
    pub(crate) fn of(strata: u64, draws: Option<u64>, shard: Shard) -> Vec<Self> {
        // These take more than a century, and their positions have 64 bits.
        const MOST: u64 = 1 << 62;
        if strata == 0 {
            return Vec::new();
        }
        let rounds = draws.map_or(u64::MAX, |draws| draws.div_ceil(strata).div_ceil(DRAWS_PER_UNIT));
        let rounds = shard.turns(rounds).min(MOST / DRAWS_PER_UNIT / strata);
        let part = |first: u64, rounds: u64, from: u64, to: u64| {
            let (share, rest) = draws.map_or((u64::MAX, 0), |draws| (draws / strata, draws % strata));
            let before = shard.turn(first).saturating_mul(DRAWS_PER_UNIT);
            let count = |share: u64| share.saturating_sub(before).min(to).saturating_sub(from);
            let more = if count(share.saturating_add(1)) > count(share) { rest } else { 0 };
            Self { strata, first, rounds, from, count: count(share), more }
        };
        let ends = (0..=DRAWS_PER_UNIT.ilog2()).map(|power| 1 << power);
        let mut parts: Vec<_> = ends.map(|end| part(0, rounds.min(1), end / 2, end)).collect();
        if let Some(last) = rounds.checked_sub(1).filter(|&last| last > 0) {
            // Only the last round may have fewer draws.
            parts.push(part(1, last - 1, 0, DRAWS_PER_UNIT));
            parts.push(part(last, 1, 0, DRAWS_PER_UNIT));
        }
        parts
    }

    /// Returns the number of draws in a round.
    pub(crate) fn round_len(&self) -> i128 {
        i128::from(self.strata) * i128::from(self.count) + i128::from(self.more)
    }

    /// Returns the number of draws in all rounds.
    pub(crate) fn len(&self) -> i128 {
        self.round_len() * i128::from(self.rounds)
    }

    /// Returns the draws from a place in the rounds on that are from the same stratum in the same round.
    pub(crate) fn find(&self, place: i128) -> Run {
        let (round, place) = (place / self.round_len(), (place % self.round_len()) as u64);
        let longer = self.more * (self.count + 1);
        let (stratum, at, len) = match place.checked_sub(longer) {
            None => (place / (self.count + 1), place % (self.count + 1), self.count + 1),
            Some(place) => (self.more + place / self.count, place % self.count, self.count),
        };
        Run { round: self.first + round as u64, stratum, skip: self.from + at, count: len - at }
    }

    /// Returns the number of draws from a stratum before a place in the rounds.
    pub(crate) fn drawn_before(&self, stratum: u64, place: i128) -> u64 {
        let Some(round) = place.checked_div(self.round_len()) else { return 0 };
        let own = self.count + u64::from(stratum < self.more);
        let start = stratum * self.count + stratum.min(self.more);
        let rest = ((place % self.round_len()) as u64).saturating_sub(start).min(own);
        (round as u64).saturating_mul(own).saturating_add(rest)
    }
}
