//! The spaces that reports name, and the tables of others.

use std::sync::Arc;

use super::byte_strings::ByteStrings;
use super::character::Few;
use super::float::Float;
use super::integer::Kind;
use super::space::DynSpace;
use super::space_table::SpaceTable;

/// Returns the space with this name.
pub(crate) fn by_name(name: &str) -> Option<Arc<dyn DynSpace>> {
    match (Kind::by_name(name), Float::by_name(name), Few::by_name(name)) {
        (Some(kind), _, _) => Some(Arc::new(kind)),
        (_, Some(float), _) => Some(Arc::new(float)),
        (_, _, Some(few)) => Some(Arc::new(few)),
        _ => Some(Arc::new(ByteStrings::by_name(name)?)),
    }
}

/// Returns the table for the reports of a space, unless its name is enough to find it again.
pub(crate) fn table_of_unknown(space: &dyn DynSpace) -> Option<SpaceTable> {
    // A space of a user may have the name of a type.
    let is_known = by_name(&space.name()).is_some_and(|known| known.limits() == space.limits());
    (!is_known).then(|| SpaceTable::of(space))
}
