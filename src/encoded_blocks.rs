//! Encoding slices for writers and buffers, which accept bytes: one block after another, on the
//! stack.

use crate::varint_trait::Varint;

/// The length of the block for few values. A longer one takes more time to zero than they take to
/// encode.
const SHORT: usize = 160;

/// Below this number of values, no block is worth its zeros.
const FEW: usize = 3;

/// Encodes `values` and passes the bytes to `write`, at most `N` at a time. Returns their number, or
/// the first error of `write`.
pub(crate) fn encode_blocks<const N: usize, W: Varint, E>(
    values: &[W::Value],
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    if values.len() < FEW {
        let mut bytes = 0;
        for value in values {
            let encoded = W::wrap(*value).encode();
            write(&encoded)?;
            bytes += encoded.len();
        }
        return Ok(bytes);
    }
    if values.len() <= SHORT / W::WRITTEN_MAX {
        encode_blocks_of::<SHORT, W, E>(values, write)
    } else {
        encode_blocks_of::<N, W, E>(values, write)
    }
}

fn encode_blocks_of<const N: usize, W: Varint, E>(
    values: &[W::Value],
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let mut block = [0; N];
    let mut bytes = 0;
    for values in values.chunks(N / W::WRITTEN_MAX) {
        // The longest encodings of that number of values fit.
        let len = W::encode_slice(values, &mut block).unwrap_or_default();
        write(&block[..len])?;
        bytes += len;
    }
    Ok(bytes)
}
