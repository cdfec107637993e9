//! The spaces that reports name, and the tables of the classes of others.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::plan::byte_strings::ByteStrings;
use crate::plan::interval::Interval;
use crate::plan::scalar::sealed::Sealed;
use crate::plan::space::{ErasedClass, ErasedSpace};
use crate::plan::validity;
use crate::report::decimal;

pub(crate) fn by_name(name: &str) -> Option<Arc<ErasedSpace>> {
    let space: fn() -> ErasedSpace = match name {
        "i64" => i64::space,
        "u64" => u64::space,
        "i32" => i32::space,
        "u32" => u32::space,
        "i16" => i16::space,
        "u16" => u16::space,
        "i8" => i8::space,
        "u8" => u8::space,
        "f32" => f32::space,
        "f64" => f64::space,
        #[cfg(feature = "half")]
        "f16" => half::f16::space,
        #[cfg(feature = "half")]
        "bf16" => half::bf16::space,
        "bool" => bool::space,
        "char" => char::space,
        _ => return Some(Arc::new(ByteStrings::by_name(name)?.erased_space())),
    };
    Some(Arc::new(space()))
}

/// Returns the table for the reports of a space, unless its name is enough to find it again.
pub(crate) fn table_of_unknown(space: &ErasedSpace) -> Option<SpaceTable> {
    // A space of a user may have the name of a type.
    let is_same = |known: Arc<ErasedSpace>| known.limits == space.limits && known.classes == space.classes;
    (!by_name(&space.name).is_some_and(is_same)).then(|| SpaceTable::of(space))
}

/// The maximum number of classes and of edges, so that a file cannot take much time.
const MAX_ROWS: usize = 1 << 17;

/// The classes and edges of a [`Space`](crate::Space) of a user, with which its reports are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SpaceTable {
    /// The classes.
    #[serde(deserialize_with = "decimal::list")]
    pub(crate) classes: Vec<ClassReport>,
    /// The numbers of the [edges](crate::Space::edges), each as the first and the last number.
    #[serde(default, deserialize_with = "decimal::list", skip_serializing_if = "Vec::is_empty")]
    pub(crate) edges: Vec<Interval>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClassReport {
    /// The name.
    pub(crate) name: String,
    /// The numbers of the inputs.
    #[serde(deserialize_with = "decimal::list")]
    pub(crate) numbers: Vec<Interval>,
}

impl SpaceTable {
    fn of(space: &ErasedSpace) -> Self {
        let class = |ErasedClass { name, intervals, .. }: &ErasedClass| ClassReport {
            name: name.clone().unwrap_or_default(),
            numbers: intervals.clone(),
        };
        let edge = |&number| Interval { first: number, last: number };
        Self {
            classes: space.classes.iter().map(class).collect(),
            edges: space.edges.iter().map(edge).collect(),
        }
    }

    /// Returns whether each number from 0 to the last one is in one class.
    pub(crate) fn is_valid(&self) -> bool {
        let all = Interval { first: 0, last: self.last() };
        let numbers = self.numbers().map(|numbers| ("", numbers)).collect();
        self.classes.len().max(self.edges.len()) <= MAX_ROWS && validity::of_classes(numbers, all).is_none()
    }

    fn numbers(&self) -> impl Iterator<Item = Interval> {
        self.classes.iter().flat_map(|class| class.numbers.iter().copied())
    }

    fn last(&self) -> i128 {
        self.numbers().map(|numbers| numbers.last).max().unwrap_or(0)
    }
}

/// Returns a space of which only the name is known, and the table unless its classes are unknown too.
/// It has no texts of its inputs.
pub(crate) fn named(name: &str, table: Option<&SpaceTable>) -> ErasedSpace {
    let last = match table {
        Some(table) => table.last(),
        None => u64::MAX.into(),
    };
    let class = |(index, class): (usize, &ClassReport)| ErasedClass {
        intervals: class.numbers.clone(),
        ..ErasedClass::named(index, &class.name, None)
    };
    let classes = table.iter().flat_map(|table| &table.classes).enumerate().map(class).collect();
    let edges = table.iter().flat_map(|table| &table.edges).flat_map(|edge| [edge.first, edge.last]);
    let edges = edges.collect();
    ErasedSpace {
        classes,
        edges,
        ..ErasedSpace::new(name, Interval { first: 0, last }, |n| format!("#{n}"), |_| None)
    }
}
