//! The spaces that reports name, and the tables of the classes of others.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::plan::byte_strings::ByteStrings;
use crate::plan::interval::{Interval, count, union};
use crate::plan::scalar::sealed::Sealed;
use crate::plan::space::{DynSpace, Primitive, Stratum};

const PRIMITIVES: [Primitive; 12] = [
    i64::SPACE,
    u64::SPACE,
    i32::SPACE,
    u32::SPACE,
    i16::SPACE,
    u16::SPACE,
    i8::SPACE,
    u8::SPACE,
    f32::SPACE,
    f64::SPACE,
    bool::SPACE,
    char::SPACE,
];

pub(crate) fn by_name(name: &str) -> Option<Arc<dyn DynSpace>> {
    let primitive = PRIMITIVES.into_iter().find(|primitive| primitive.name == name);
    primitive
        .map_or_else(|| Some(Arc::new(ByteStrings::by_name(name)?) as _), |found| Some(Arc::new(found) as _))
}

/// Returns the table for the reports of a space, unless its name is enough to find it again.
pub(crate) fn table_of_unknown(space: &dyn DynSpace) -> Option<SpaceTable> {
    // A space of a user may have the name of a type.
    let is_known = by_name(&space.name()).is_some_and(|known| known.limits() == space.limits());
    (!is_known).then(|| SpaceTable::of(space))
}

/// The maximum number of classes and of edges, so that a file cannot take much time.
const MAX_ROWS: usize = 1 << 16;

/// The classes and edges of a [`Space`](crate::Space) of a user, with which its reports are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SpaceTable {
    /// The classes.
    pub(crate) classes: Vec<ClassReport>,
    /// The numbers of the [edges](crate::Space::edges), each as the first and the last number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) edges: Vec<Interval>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClassReport {
    /// The name.
    pub(crate) name: String,
    /// The numbers of the inputs.
    pub(crate) numbers: Vec<Interval>,
}

impl SpaceTable {
    pub(crate) fn of(space: &dyn DynSpace) -> Self {
        let class =
            |class: Stratum| ClassReport { name: class.name.unwrap_or_default(), numbers: class.intervals };
        let edge = |number| Interval { first: number, last: number };
        Self {
            classes: space.classes().into_iter().map(class).collect(),
            edges: space.edges().into_iter().map(edge).collect(),
        }
    }

    /// Returns whether each number from 0 to the last one is in one class.
    pub(crate) fn is_valid(&self) -> bool {
        let numbers: Vec<_> = self.numbers().collect();
        let all = union(numbers.iter().copied());
        let is_whole = matches!(all[..], [Interval { first: 0, .. }]) && count(&numbers) == count(&all);
        self.classes.len().max(self.edges.len()) <= MAX_ROWS && (is_whole || numbers.is_empty())
    }

    fn numbers(&self) -> impl Iterator<Item = Interval> {
        self.classes.iter().flat_map(|class| class.numbers.iter().copied())
    }
}

/// A space of which only the name and the table are known. It has no texts of its inputs.
pub(crate) struct NamedSpace {
    pub(crate) name: String,
    /// `None` if the classes are unknown too.
    pub(crate) table: Option<SpaceTable>,
}

impl DynSpace for NamedSpace {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn limits(&self) -> Interval {
        let last = match &self.table {
            Some(table) => table.numbers().map(|numbers| numbers.last).max().unwrap_or(0),
            None => u64::MAX.into(),
        };
        Interval { first: 0, last }
    }

    fn classes(&self) -> Vec<Stratum> {
        let classes = self.table.iter().flat_map(|table| &table.classes).enumerate();
        let class = |(index, class): (usize, &ClassReport)| Stratum {
            intervals: class.numbers.clone(),
            ..Stratum::named(index, &class.name, None)
        };
        classes.map(class).collect()
    }

    fn edges(&self) -> Vec<i128> {
        self.table.iter().flat_map(|table| &table.edges).flat_map(|edge| [edge.first, edge.last]).collect()
    }

    fn text(&self, number: i128) -> String {
        format!("#{number}")
    }

    fn number(&self, _text: &str) -> Option<i128> {
        None
    }
}
