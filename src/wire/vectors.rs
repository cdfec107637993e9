//! What a wire type reads from and writes to a `Vec`.

use alloc::vec;
use alloc::vec::Vec;

use super::Wire;
use crate::error::BulkError;
use crate::kernel::Kernel;
use crate::simd::destination;

pub(crate) fn encode_to_vec<W: Wire>(src: &[W::Value]) -> Vec<u8> {
    let mut bytes = zeros(W::len_of_all(None, src));
    let encoded = W::store_all(None, src, &mut bytes);
    debug_assert_eq!(encoded, Some(bytes.len()));
    bytes
}

pub(crate) fn decode_append<W: Wire>(src: &[u8], dst: &mut Vec<W::Value>) -> Result<usize, BulkError> {
    if !W::CONVERTED && src.len() <= destination::BLOCK {
        // To count the values first would take longer than to copy them.
        let decode = |slots: &mut [_]| W::load_all(None, src, slots, false);
        let decoded = destination::decode_block(decode, |values| dst.extend_from_slice(values));
        return decoded.map(|progress| progress.values);
    }
    // One more for a varint that the end of the input cuts short, which has to be found.
    let incomplete = src.last().is_some_and(|&byte| byte >= 0x80);
    let kernel = Kernel::detect();
    let max = kernel.count(src) + usize::from(incomplete);
    let decoded = destination::append(max, dst, |slots| W::load_all(Some(kernel), src, slots, false));
    decoded.map(|progress| progress.values)
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
