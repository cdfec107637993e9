//! The position that only steps can advance, and its advance by the scalar loop.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::simd::lane::Lane;
use crate::simd::scalar;

/// The progress that steps have made in two slices. Whatever a caller chooses among the steps, all
/// values up to it are decoded.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub(in super::super) struct At {
    pub(super) values: usize,
    pub(super) bytes: usize,
}

impl At {
    #[inline]
    pub(in super::super) fn values(self) -> usize {
        self.values
    }

    #[inline]
    pub(in super::super) fn bytes(self) -> usize {
        self.bytes
    }
}

/// Decodes until `src` is exhausted or `dst` is full.
#[inline]
pub(in super::super) fn rest<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    At { values, bytes }: At,
    canonical: bool,
) -> Result<Progress, BulkError> {
    scalar::decode(src, dst, Progress { values, bytes }, canonical)
}

/// Decodes at most `run` values by the scalar loop.
#[inline]
pub(in super::super) fn some<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    run: usize,
    canonical: bool,
) -> Result<At, BulkError> {
    let limit = dst.len().min(from.values + run);
    let Progress { values, bytes } = rest(src, &mut dst[..limit], from, canonical)?;
    Ok(At { values, bytes })
}
