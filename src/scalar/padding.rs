//! Redundant bytes after an encoding.

use super::rule::CONTINUE;
use crate::error::PaddedWidthError;

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
