//! A shard of a sweep, which the user names, or environment variables that a cluster sets for
//! `--shard auto`; and a set of shards, written as in a report: 1-3,5/8.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::plan::interval::{Interval, count, difference, intersection, union};

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
            .ok_or_else(|| format!("'{text}' is not a shard; write K/N with K from 1 to N, such as 3/8"))
    }
}

impl Shard {
    /// Returns the shard that environment variables assign to this process.
    ///
    /// `variable` returns the value of a variable. The first of these that is set takes precedence:
    ///
    /// 1. `SWEEP_SHARD=K/N`;
    /// 2. the task of a [Slurm job array](https://slurm.schedmd.com/job_array.html);
    /// 3. the index of a [Kubernetes Indexed
    ///    Job](https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/), with
    ///    `SWEEP_SHARD_COUNT`.
    ///
    /// # Errors
    ///
    /// Returns a message with the variable and the remedy if none of these is set, if the index or the
    /// count is missing, or if their values are not a valid shard.
    pub fn assigned(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        if let Some(text) = variable("SWEEP_SHARD") {
            return text.parse().map_err(|error| format!("SWEEP_SHARD: {error}"));
        }
        let mut source: Vec<String> = vec![];
        let mut number = |name: &str| {
            let Some(text) = variable(name) else { return Ok(None) };
            let number = text
                .parse::<u64>()
                .map_err(|_| format!("{name}='{text}' is not a number; set SWEEP_SHARD=K/N"))?;
            source.push(format!("{name}={text}"));
            Ok::<_, String>(Some(number))
        };
        let (slurm, kubernetes) = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX");
        let (index, base, step, count) = if let Some(index) = number(slurm)? {
            let base = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1);
            (index, base, step, "SLURM_ARRAY_TASK_COUNT")
        } else if let Some(index) = number(kubernetes)? {
            (index, 0, 1, "SWEEP_SHARD_COUNT")
        } else {
            return Err(format!(
                "no shard in the environment; set SWEEP_SHARD=K/N, or use a scheduler that sets one of \
             {slurm}, {kubernetes}"
            ));
        };
        let count = number(count)?.ok_or_else(|| {
            format!("{count} is not set; set it to the number of shards, or set SWEEP_SHARD=K/N")
        })?;
        let distance = index.checked_sub(base).filter(|distance| distance.is_multiple_of(step));
        let turns = distance.and_then(|distance| distance.checked_div(step));
        let shard = turns.and_then(|turns| Self::new(turns.checked_add(1)?, count));
        shard.ok_or_else(|| {
            let source = source.join(" ");
            format!("{source} is not a valid shard; number the tasks without gaps, or set SWEEP_SHARD=K/N")
        })
    }
}

/// The maximum length of the text in bytes: enough to name every other one of 4,000,000 shards.
const MAX_TEXT: usize = 1 << 24;

/// Some of the shards that a sweep is divided into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShardSet {
    members: Vec<Interval>,
    of: u64,
}

impl ShardSet {
    /// Parses the shards that a report names. A report without a name is of the only shard.
    pub(crate) fn parse(name: Option<&str>) -> Option<Self> {
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
    pub(crate) fn missing(&self) -> Option<Self> {
        let members = difference(&all(self.of), &self.members);
        (!members.is_empty()).then_some(Self { members, of: self.of })
    }

    /// Returns the union of two sets, or `None` if the number of shards differs.
    pub(crate) fn union(&self, other: &Self) -> Option<Self> {
        let members = union(self.members.iter().chain(&other.members).copied());
        (self.of == other.of).then_some(Self { members, of: self.of })
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.of == other.of && !intersection(&self.members, &other.members).is_empty()
    }

    /// Returns the text for a report, or `None` if the set has all shards.
    pub(crate) fn name(&self) -> Option<String> {
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

    /// Returns the shard that an environment assigns.
    fn from(environment: &str) -> Result<String, String> {
        let value = |name: &str, pair: &str| Some(pair.strip_prefix(name)?.strip_prefix('=')?.to_owned());
        let variable = |name: &str| environment.split(' ').find_map(|pair| value(name, pair));
        Shard::assigned(variable).map(|shard| shard.to_string())
    }

    const ARRAY: &str = "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_STEP=2";

    #[test]
    fn every_scheduler_is_supported() {
        for (environment, shard) in [
            ("SWEEP_SHARD=2/3", "2/3"),
            (&format!("{ARRAY} SLURM_ARRAY_TASK_COUNT=4"), "3/4"),
            ("JOB_COMPLETION_INDEX=0 SWEEP_SHARD_COUNT=16", "1/16"),
        ] {
            assert_eq!(from(&format!("{environment} HOME=/")), Ok(shard.into()));
        }
    }

    #[test]
    fn errors_contain_the_variable_or_the_remedy() {
        for (environment, word) in [
            ("", "SWEEP_SHARD=K/N"),
            ("SWEEP_SHARD=9/8", "9/8"),
            ("JOB_COMPLETION_INDEX=3", "SWEEP_SHARD_COUNT"),
            ("JOB_COMPLETION_INDEX=x SWEEP_SHARD_COUNT=4", "JOB_COMPLETION_INDEX='x'"),
            ("JOB_COMPLETION_INDEX=4 SWEEP_SHARD_COUNT=4", "JOB_COMPLETION_INDEX=4"),
            // An array of the tasks 1, 5 and 9: the shard cannot be derived from the index.
            ("SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3", "without gaps"),
            ("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_STEP=0 SLURM_ARRAY_TASK_COUNT=1", "TASK_STEP=0"),
        ] {
            let message = from(environment).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }

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
