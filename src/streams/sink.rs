//! Encoding for writers and buffers, which accept bytes. `write` passes bytes to one of them.

#[cfg(any(feature = "embedded-io", feature = "std"))]
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::{Unlimited, Varint, encoded};
use crate::wire::Wire;

/// The length of the block for few values. A longer one takes more time to zero than they take to
/// encode.
const SHORT_BLOCK_BYTES: usize = 160;

/// Below this number of values, no block is worth its zeros.
const FEW_VALUES: usize = 3;

/// Writes the encoding of a value, and returns its length. To copy an array of one byte is a store.
#[inline(always)] // the call would take as long as the work
pub(super) fn write_value<W: Varint, E>(
    value: W::Value,
    write: impl FnOnce(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    if let Some(byte) = W::Format::one_byte(value) {
        write(&[byte])?;
        return Ok(1);
    }
    let encoded = encoded::<W>(value);
    write(&encoded)?;
    Ok(encoded.len())
}

/// Encodes `values` in blocks of at most `N` bytes, on the stack, and writes each block. Returns the
/// number of bytes, or the first error of `write`.
pub(super) fn write_slice<const N: usize, W: Unlimited, E>(
    values: &[W::Value],
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    if values.len() < FEW_VALUES {
        let mut bytes = 0;
        for &value in values {
            bytes += write_value::<W, E>(value, &mut write)?;
        }
        return Ok(bytes);
    }
    if values.len() <= SHORT_BLOCK_BYTES / W::Format::WRITTEN_MAX {
        write_blocks::<SHORT_BLOCK_BYTES, W, E>(values, write)
    } else {
        write_blocks::<N, W, E>(values, write)
    }
}

fn write_blocks<const N: usize, W: Unlimited, E>(
    values: &[W::Value],
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let mut block = [0; N];
    let mut bytes = 0;
    for values in values.chunks(N / W::Format::WRITTEN_MAX) {
        // The longest encodings of that number of values fit.
        let len = W::encode_slice(values, &mut block).unwrap_or_default();
        write(&block[..len])?;
        bytes += len;
    }
    Ok(bytes)
}

/// Writes the length of a payload and then the payload, and returns the number of bytes. Nothing is
/// written if the payload is too long, which `invalid` turns into an error.
#[cfg(any(feature = "embedded-io", feature = "std"))]
pub(super) fn write_frame<E>(
    prefix: LengthPrefix,
    payload: &[u8],
    invalid: impl FnOnce(FrameError) -> E,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let len = prefix.encode_prefix(payload.len()).map_err(invalid)?;
    write(&len)?;
    write(payload)?;
    Ok(len.len() + payload.len())
}
