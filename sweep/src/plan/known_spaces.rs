//! The spaces that reports name.

use std::sync::Arc;

use super::byte_strings::ByteStrings;
use super::integer::Kind;
use super::space::Space;

/// Returns the space with this name.
pub(crate) fn by_name(name: &str) -> Option<Arc<dyn Space>> {
    match Kind::by_name(name) {
        Some(kind) => Some(Arc::new(kind)),
        None => Some(Arc::new(ByteStrings::by_name(name)?)),
    }
}
