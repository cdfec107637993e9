//! The rule for valid encodings, such as that of the last byte.

use crate::error::{DecodeError, ErrorKind};
use crate::width::Width;

/// The continuation bit: another byte follows.
pub(crate) const CONTINUE: u8 = 0x80;

/// Checks the byte at `index` of the encoding of a `T`. The loops over bytes call it, and the kernels
/// test the same for many values at once.
#[inline(always)]
pub(crate) const fn check_byte<T: Width>(byte: u8, index: usize, canonical: bool) -> Result<(), DecodeError> {
    if index == T::MAX_BYTES - 1 && byte > T::LAST_MAX {
        let kind = if byte >= CONTINUE { ErrorKind::TooLong } else { ErrorKind::Overflow };
        return Err(DecodeError::new(kind, index));
    }
    if canonical && is_overlong(byte, index) {
        return Err(DecodeError::new(ErrorKind::NonCanonical, index));
    }
    Ok(())
}

/// Returns whether an encoding that ends with the byte at `index` is overlong: the byte is redundant.
#[inline(always)]
pub(crate) const fn is_overlong(byte: u8, index: usize) -> bool {
    byte == 0 && index > 0
}
