//! The scalar loops as a kernel, and for the values that the other kernels leave over. They are
//! compiled once for each lane.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::scalar::{delta, slice};
use crate::simd::lane::Lane;
use crate::simd::slices::slices;

pub(super) use crate::scalar::slice::{count, skip};

/// The scalar kernel, which every CPU supports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScalarKernel;

slices!(ScalarKernel "scalar" self {
    encode(src, dst) => self::encode(src, dst, Progress::default()),
    decode(self, src, dst, canonical) => self::decode(src, dst, Progress::default(), canonical),
});

/// Does the same as `slice::encode`.
#[inline(never)]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8], from: Progress) -> Option<usize> {
    slice::encode(src, dst, from)
}

/// Does the same as `slice::decode`.
#[inline(never)]
pub(super) fn decode<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Result<Progress, BulkError> {
    // Two loops, because the test of `canonical` in the loop would double the time of short values.
    if canonical { slice::decode(src, dst, from, true) } else { slice::decode(src, dst, from, false) }
}

/// Does the same as `slice::encoded_len`.
#[inline(never)]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    slice::encoded_len(src)
}

/// Does the same as `delta::deltas`.
#[inline(never)]
pub(super) fn deltas<T: Lane>(previous: &[T], src: &[T], deltas: &mut [T]) {
    delta::deltas(previous, src, deltas);
}

/// Does the same as `delta::add_up`.
#[inline(never)]
pub(super) fn add_up<T: Lane>(previous: &[T], deltas: &mut [T]) {
    delta::add_up(previous, deltas);
}
