//! The spaces that reports name, and the tables of others.

use std::sync::Arc;

use super::byte_strings::ByteStrings;
use super::character::{BOOL, CHAR};
use super::float::{double, single};
use super::space::{DynSpace, Primitive};
use super::space_table::SpaceTable;

const PRIMITIVES: [Primitive; 12] = [
    Primitive::integer::<i64>(),
    Primitive::integer::<u64>(),
    Primitive::integer::<i32>(),
    Primitive::integer::<u32>(),
    Primitive::integer::<i16>(),
    Primitive::integer::<u16>(),
    Primitive::integer::<i8>(),
    Primitive::integer::<u8>(),
    single::SPACE,
    double::SPACE,
    BOOL,
    CHAR,
];

/// Returns the space with this name.
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
