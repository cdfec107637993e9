//! Several shards of one division, as a report names them: 1-3,5/8.

use std::fmt;

use crate::plan::interval::{Interval, count, difference, intersection, union};
use crate::plan::shard::Shard;

/// Bytes of a name: enough for the half of a hundred thousand shards.
const LONGEST: usize = 1 << 20;

/// Some of the shards that a sweep is divided into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShardSet {
    members: Vec<Interval>,
    of: u64,
}

impl ShardSet {
    /// Those that a report names; without a name it is the only one.
    pub(super) fn parse(name: Option<&str>) -> Option<Self> {
        let Some(name) = name else { return Some(Self { members: all(1), of: 1 }) };
        let (members, of) = name.split_once('/').filter(|_| name.len() <= LONGEST)?;
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

    /// ShardSet that are in neither.
    pub(super) fn missing(&self) -> Option<Self> {
        let members = difference(&all(self.of), &self.members);
        (!members.is_empty()).then_some(Self { members, of: self.of })
    }

    /// All in either, where both are of one division.
    pub(super) fn joined(&self, other: &Self) -> Option<Self> {
        let members = union(self.members.iter().chain(&other.members).copied());
        (self.of == other.of).then_some(Self { members, of: self.of })
    }

    /// Whether they have one in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.of == other.of && !intersection(&self.members, &other.members).is_empty()
    }

    /// The name in a report.
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
    fn shards_are_named_read_and_joined() {
        let some = ShardSet::parse(Some("1-3,5/8")).unwrap();
        assert_eq!(some.to_string(), "1-3,5/8");
        assert_eq!(some.missing().unwrap().to_string(), "4,6-8/8");
        let meets = |name| some.meets(&ShardSet::parse(Some(name)).unwrap());
        assert!(meets("5/8") && !meets("4/8") && meets("2-4/8") && !meets("5/9"));
        let rest = ShardSet::parse(Some("4,6-8/8")).unwrap();
        assert_eq!(some.joined(&rest).unwrap().name(), None);
        assert_eq!(some.joined(&ShardSet::parse(None).unwrap()), None);
        for wrong in ["", "/", "0/8", "9/8", "3-9/8", "5-3/8", "a/8", "1,/8", "1/0"] {
            assert_eq!(ShardSet::parse(Some(wrong)), None, "{wrong}");
        }
    }
}
