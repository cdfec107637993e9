//! A shard of a sweep.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A shard of a sweep: number `index` of `count`, counted from 1.
///
/// Every value of a sweep is in exactly one shard. The numbers of units in two shards differ by at
/// most one. Shards are written and parsed as `K/N`, such as `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// The maximum number of shards: more than any cluster has cores.
const MAX_COUNT: u64 = 1 << 32;

impl Shard {
    /// The only shard of a sweep that is not divided.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Creates a shard, or returns `None` unless `1 <= index <= count <= 2^32`.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (1 <= index && index <= count && count <= MAX_COUNT).then_some(Self { index, count })
    }

    /// Returns the number of this shard, counted from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Returns the number of shards of the sweep.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns whether this is the only shard of the sweep.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Returns this shard's part of the numbers below `end`, if each shard has consecutive numbers.
    pub(crate) fn part(self, end: u64) -> Range<u64> {
        let bound = |shard: u64| (u128::from(end) * u128::from(shard) / u128::from(self.count)) as u64;
        bound(self.index - 1)..bound(self.index)
    }

    /// Returns how many numbers below `end` this shard has, if the shards take numbers in turn.
    pub(crate) fn turns(self, end: u64) -> u64 {
        (end / self.count) + u64::from(end % self.count >= self.index)
    }

    /// Returns the number that this shard takes in turn `turn`, counted from 0.
    pub(crate) fn turn(self, turn: u64) -> u64 {
        turn.saturating_mul(self.count).saturating_add(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once('/')
            .and_then(|(index, count)| Self::new(index.parse().ok()?, count.parse().ok()?))
            .ok_or_else(|| {
                format!("'{text}' is not a shard; write K/N with K from 1 to N, such as 3/8, or auto")
            })
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_shard_ends_with_the_last_number() {
        let last = Shard::new(MAX_COUNT, MAX_COUNT).unwrap();
        assert_eq!(last.part(u64::MAX).end, u64::MAX);
    }

    #[test]
    fn only_shards_from_one_to_n_are_parsed() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, count: 8 }));
        for wrong in ["0/8", "9/8", "1/0", "1", "/", "a/b", "-1/2", "1/2/3", "1/99999999999", ""] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("K/N"), "{wrong}");
        }
    }
}
