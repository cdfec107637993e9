//! The spaces that reports name.

use std::sync::Arc;

use super::byte_strings::ByteStrings;
use super::float::Float;
use super::integer::Kind;
use super::space::DynSpace;

/// Returns the space with this name.
pub(crate) fn by_name(name: &str) -> Option<Arc<dyn DynSpace>> {
    match (Kind::by_name(name), Float::by_name(name)) {
        (Some(kind), _) => Some(Arc::new(kind)),
        (_, Some(float)) => Some(Arc::new(float)),
        _ => Some(Arc::new(ByteStrings::by_name(name)?)),
    }
}
