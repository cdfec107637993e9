//! The types that have a signed LEB128 encoding.

use super::routines::Sealed;
use crate::varint_trait::Integer;

/// An integer with a signed LEB128 encoding: `i8` to `i128` and `isize`.
///
/// The trait is sealed: it cannot be implemented for other types.
///
/// ```
/// use zigzag_varint::{Varint, sleb128};
///
/// fn both_ways<T: sleb128::Signed>(value: T) -> bool {
///     let encoded = sleb128::encode(value);
///     encoded.len() <= T::MAX_LEN && sleb128::decode(&encoded) == Ok((value, encoded.len()))
/// }
/// assert!(both_ways(i8::MIN) && both_ways(i128::MIN));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no signed LEB128 encoding",
    label = "this is not one of `i8` to `i128` and `isize`",
    note = "unsigned types are encoded as unsigned LEB128 by the trait `Varint`, `ReadVarint::read_varint` and the like"
)]
pub trait Signed: Integer + Sealed + crate::SignedInteger {}

impl Signed for i8 {}
impl Signed for i16 {}
impl Signed for i32 {}
impl Signed for i64 {}
impl Signed for i128 {}
impl Signed for isize {}
