//! What a wire type reads from and writes to a `Vec`.

use alloc::vec;
use alloc::vec::Vec;

use super::Wire;

pub(crate) fn encode_to_vec<W: Wire>(src: &[W::Value]) -> Vec<u8> {
    let mut bytes = zeros(W::len_of_all(None, src));
    let encoded = W::store_all(None, src, &mut bytes);
    debug_assert_eq!(encoded, Some(bytes.len()));
    bytes
}

/// Returns `len` zeros.
#[allow(clippy::slow_vector_initialization)] // not slow for few zeros
pub(crate) fn zeros(len: usize) -> Vec<u8> {
    if len > FEW_ZEROS {
        return vec![0; len];
    }
    let mut bytes = Vec::with_capacity(len);
    bytes.resize(len, 0);
    bytes
}

/// Up to this number of bytes, filling memory takes less time than allocating zeroed memory.
const FEW_ZEROS: usize = 4096;
