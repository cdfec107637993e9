//! Encodings of a fixed width, which can be overwritten in place.

use crate::error::PaddedWidthError;
use crate::varint_trait::Varint;

/// Encodes `value` in exactly `dst.len()` bytes, with redundant bytes (`80 .. 00`) as padding.
///
/// This is for a length or an address that is known only later. Write any value first, and overwrite
/// it with the right one: all values have the same width. Linkers for WebAssembly reserve 5 bytes for
/// each `u32` and 10 for each `u64` in this way.
///
/// [`Varint::decode`] and every other lenient decoder accepts the encoding. Canonical decoders
/// reject it, unless `dst` is exactly as long as the shortest encoding.
///
/// # Errors
///
/// [`PaddedWidthError`] if `dst` is shorter than [`encoded_len`](Varint::encoded_len) or longer than
/// [`MAX_LEN`](Varint::MAX_LEN), which no decoder would accept. `dst` is unchanged then.
///
/// ```
/// use zigzag_varint::{Varint, encode_padded};
///
/// let mut section = vec![0x0a, 0, 0, 0, 0, 0]; // a tag, and five bytes for the length
/// section.extend_from_slice(b"contents");
/// let len = (section.len() - 6) as u32;
/// encode_padded(len, &mut section[1..6])?;
/// assert_eq!(section[1..6], [0x88, 0x80, 0x80, 0x80, 0x00]);
/// assert_eq!(u32::decode(&section[1..]), Ok((8, 5)));
/// # Ok::<(), zigzag_varint::PaddedWidthError>(())
/// ```
#[inline]
pub fn encode_padded<W: Varint>(value: W, dst: &mut [u8]) -> Result<(), PaddedWidthError> {
    value.encode_padded(dst)
}
