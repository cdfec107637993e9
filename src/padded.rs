//! Encodings of a fixed width, which can be overwritten in place.

use crate::error::PaddedWidthError;
use crate::scalar::value::CONTINUE;
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
pub fn encode_padded<T: Varint>(value: T, dst: &mut [u8]) -> Result<(), PaddedWidthError> {
    pad(&value.encode(), dst, T::MAX_LEN, false)
}

/// Fills `dst` with `encoded` and redundant bytes. In signed LEB128 these repeat the sign.
#[inline]
pub(crate) const fn pad(
    encoded: &[u8],
    dst: &mut [u8],
    max: usize,
    signed: bool,
) -> Result<(), PaddedWidthError> {
    let (width, min) = (dst.len(), encoded.len());
    if width < min || width > max {
        return Err(PaddedWidthError { width, min, max });
    }
    let (head, padding) = dst.split_at_mut(min);
    let mut index = 0;
    while index < min {
        head[index] = encoded[index];
        index += 1;
    }
    if let ([.., last], [zeros @ .., end]) = (head, padding) {
        // In signed LEB128, bit 6 of the last byte is the sign.
        let fill = if signed && *last & 0x40 != 0 { 0x7f } else { 0x00 };
        *last |= CONTINUE;
        let mut index = 0;
        while index < zeros.len() {
            zeros[index] = fill | CONTINUE;
            index += 1;
        }
        *end = fill;
    }
    Ok(())
}
