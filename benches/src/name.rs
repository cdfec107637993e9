//! Names of benchmarks, `operation/type/set/contender`, and their order in tables.

use std::cmp::Ordering;
use std::fmt;

/// The operations that come first, in this order. Others follow by name.
const OPERATIONS: [&str; 7] = ["encode", "decode", "encode-calls", "decode-calls", "length", "count", "skip"];
const TYPES: [&str; 8] =
    ["u64", "u64-L1", "u64-x2", "u64-x3", "u32", "u32-L1", "i64-zigzag", "i64-zigzag-L1"];
const SETS: [&str; 9] = ["1B", "2B", "mix", "skew", "tile", "log", "rand", "1e8", "MIN"];

/// The contender that copies bytes: no other one can be faster.
pub const LIMIT: &str = "memcpy";

/// A group of benchmarks that do the same work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The operation, such as `decode`.
    pub operation: String,
    /// The type, such as `u64`, with `-L1` if the stream fits the L1 cache.
    pub kind: String,
    /// The set of numbers, such as `mix`.
    pub set: String,
}

impl Group {
    /// Parses `operation/type/set`. Returns `None` for other names, which are not of this suite.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('/').map(str::to_owned);
        let group = Self { operation: parts.next()?, kind: parts.next()?, set: parts.next()? };
        parts.next().is_none().then_some(group)
    }

    fn rank(&self) -> [Rank<'_>; 3] {
        [rank(&OPERATIONS, &self.operation), rank(&TYPES, &self.kind), rank(&SETS, &self.set)]
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.operation, self.kind, self.set)
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares by the position in a list, then as a number, then as text.
type Rank<'a> = (usize, u64, &'a str);

fn rank<'a>(order: &[&str], name: &'a str) -> Rank<'a> {
    let place = order.iter().position(|known| *known == name).unwrap_or(order.len());
    (place, name.parse().unwrap_or(u64::MAX), name)
}

/// Returns whether a contender is an API of this crate.
pub fn is_ours(contender: &str) -> bool {
    contender.starts_with("ours-")
}
