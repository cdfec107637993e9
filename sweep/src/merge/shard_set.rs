//! A set of shards of one sweep, written as in a report: 1-3,5/8.

use std::fmt;

use crate::plan::interval::{Interval, count, difference, intersection, union};
use crate::plan::shard::Shard;

/// The maximum length of the text in bytes: enough to name every other one of 200,000 shards.
const MAX_TEXT: usize = 1 << 20;

/// Some of the shards that a sweep is divided into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShardSet {
    members: Vec<Interval>,
    of: u64,
}

impl ShardSet {
    /// Parses the shards that a report names. A report without a name is of the only shard.
    pub(super) fn parse(name: Option<&str>) -> Option<Self> {
        let Some(name) = name else { return Some(Self { members: all(1), of: 1 }) };
        let (members, of) = name.split_once('/').filter(|_| name.len() <= MAX_TEXT)?;
        let of: u64 = of.parse().ok()?;
        let member = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
            Shard::new(first, of).zip(Shard::new(last, of))?;
            Interval::new(first.into(), last.into())
        };
        let members: Option<Vec<_>> = members.split(',').map(member).collect();
        Some(Self { members: union(members?), of })
    }

    /// Returns the shards that are not in the set, or `None` if there are none.
    pub(super) fn missing(&self) -> Option<Self> {
        let members = difference(&all(self.of), &self.members);
        (!members.is_empty()).then_some(Self { members, of: self.of })
    }

    /// Returns the union of two sets, or `None` if the number of shards differs.
    pub(super) fn union(&self, other: &Self) -> Option<Self> {
        let members = union(self.members.iter().chain(&other.members).copied());
        (self.of == other.of).then_some(Self { members, of: self.of })
    }

    /// Returns whether the sets have a shard in common.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.of == other.of && !intersection(&self.members, &other.members).is_empty()
    }

    /// Returns the text for a report, or `None` if the set has all shards.
    pub(super) fn name(&self) -> Option<String> {
        (count(&self.members) < u128::from(self.of)).then(|| self.to_string())
    }
}

fn all(of: u64) -> Vec<Interval> {
    vec![Interval { first: 1, last: of.into() }]
}

impl fmt::Display for ShardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Interval { first, last }) in self.members.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            if first == last { write!(f, "{comma}{first}") } else { write!(f, "{comma}{first}-{last}") }?;
        }
        write!(f, "/{}", self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_shards_are_parsed_displayed_and_united() {
        let some = ShardSet::parse(Some("1-3,5/8")).unwrap();
        assert_eq!(some.to_string(), "1-3,5/8");
        assert_eq!(some.missing().unwrap().to_string(), "4,6-8/8");
        let overlaps = |name| some.overlaps(&ShardSet::parse(Some(name)).unwrap());
        assert!(overlaps("5/8") && !overlaps("4/8") && overlaps("2-4/8") && !overlaps("5/9"));
        let rest = ShardSet::parse(Some("4,6-8/8")).unwrap();
        assert_eq!(some.union(&rest).unwrap().name(), None);
        assert_eq!(some.union(&ShardSet::parse(None).unwrap()), None);
        for wrong in ["", "/", "0/8", "9/8", "3-9/8", "5-3/8", "a/8", "1,/8", "1/0"] {
            assert_eq!(ShardSet::parse(Some(wrong)), None, "{wrong}");
        }
    }
}
