//! Short slices, for which the call of a kernel takes longer than the work.
//!
//! `Few` has loops over single values, which are compiled in the caller. They contain little code:
//! the decoder leaves errors to the scalar loop. `Many` calls the kernel of this CPU. If there are
//! not very many values, it first decodes or encodes those of one byte, as long as there are no
//! others: for these the words of any CPU are faster than the call of a kernel.

use core::mem::MaybeUninit;

use crate::backend::Slices;
use crate::error::{BulkError, Progress, continued};
use crate::kernel::Kernel;
use crate::scalar::slice;
use crate::scalar::value::CONTINUE;
use crate::scalar::word::CONTINUES;
use crate::simd::chunks::as_chunks;
use crate::varint_trait::Varint;
use crate::width::{BLOCK, Width};

// Below these numbers of values, and of bytes, `Few` is faster than `Many`. From eight values on, `Few`
// would be up to a third faster once the CPU has learnt the branches of repeated values, but up to five
// times slower on new ones.
pub(crate) const FEW_TO_ENCODE: usize = 8;
pub(crate) const FEW_TO_DECODE: usize = 8;
pub(crate) const FEW_TO_MEASURE: usize = 8;

/// From this number of values, or of bytes, on the kernel is as fast for values of one byte.
const MANY: usize = 128;

/// The loops over single values.
#[derive(Clone, Copy)]
pub(crate) struct Few;

impl<T: Width> Slices<T> for Few {
    #[inline(always)]
    fn encode(self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        let mut bytes = 0;
        for &value in src {
            bytes = value.put_wire_at(dst, bytes)?;
        }
        Some(bytes)
    }

    #[inline(always)]
    fn decode(self, src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Result<Progress, BulkError> {
        let mut values = 0;
        let mut bytes = 0;
        for slot in &mut *dst {
            let Some(rest @ &[first, ..]) = src.get(bytes..) else { break };
            let (raw, len) = if first < CONTINUE {
                (first.into(), 1)
            } else if let Some(longer) = get_longer::<T>(rest, canonical) {
                longer
            } else {
                return fail(src, dst, Progress { values, bytes }, canonical);
            };
            slot.write(T::from_raw(raw));
            values += 1;
            bytes += len;
        }
        Ok(Progress { values, bytes })
    }
}

/// Returns the raw value at the start of `src` and its length, which is two or more. Returns `None`
/// if it is not valid.
#[inline(always)]
fn get_longer<T: Width>(src: &[u8], canonical: bool) -> Option<(T::Raw, usize)> {
    let mut raw = T::NO_BITS;
    let mut len = 0;
    for &byte in src {
        raw = T::with_group(raw, byte, len);
        len += 1;
        if byte < CONTINUE {
            let fits = len < T::MAX_BYTES || byte <= T::LAST_MAX;
            let overlong = canonical && byte == 0;
            return (fits && !overlong).then_some((raw, len));
        }
        if len == T::MAX_BYTES {
            break;
        }
    }
    None
}

/// Returns the error of the value at `from`, by the scalar loop.
#[cold]
#[inline(never)]
fn fail<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Result<Progress, BulkError> {
    slice::decode(src, dst, from, canonical)
}

/// The kernel of this CPU, after the values of one byte at the start.
#[derive(Clone, Copy)]
pub(crate) struct Many;

impl<T: Varint> Slices<T> for Many {
    #[inline(never)]
    fn encode(self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        let done = if src.len() < MANY { encode_one_byte_each(src, dst) } else { 0 };
        if done == 0 {
            return kernel::<T>().encode(src, dst);
        }
        let (src, dst) = (&src[done..], &mut dst[done..]);
        let bytes =
            if src.len() < FEW_TO_ENCODE { Few.encode(src, dst) } else { kernel::<T>().encode(src, dst) };
        Some(done + bytes?)
    }

    #[inline(never)]
    fn decode(self, src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Result<Progress, BulkError> {
        let done = if src.len() < MANY { decode_one_byte_each(src, dst) } else { 0 };
        if done == 0 {
            return kernel::<T>().decode(src, dst, canonical);
        }
        let (src, dst) = (&src[done..], &mut dst[done..]);
        let decoded = if src.len().min(dst.len()) < FEW_TO_DECODE {
            Few.decode(src, dst, canonical)
        } else {
            kernel::<T>().decode(src, dst, canonical)
        };
        continued(Progress { values: done, bytes: done }, decoded)
    }
}

/// Returns the functions of the kernel of this CPU.
#[inline(always)]
fn kernel<T: Varint>() -> impl Slices<T> {
    T::slices(Kernel::detect().backend())
}

/// Encodes values of one byte, a block at a time, up to the first block with another value. Returns
/// their number.
#[inline(always)]
pub(crate) fn encode_one_byte_each<T: Width>(src: &[T], dst: &mut [u8]) -> usize {
    let mut values = 0;
    for (block, bytes) in as_chunks(src).0.iter().zip(dst.chunks_exact_mut(BLOCK)) {
        if !T::put_one_byte_each(block, bytes) {
            break;
        }
        values += BLOCK;
    }
    values
}

/// Decodes values of one byte, a block at a time, up to the first block with another value. Returns
/// their number.
#[inline(always)]
pub(crate) fn decode_one_byte_each<T: Width>(src: &[u8], dst: &mut [MaybeUninit<T>]) -> usize {
    let mut values = 0;
    for (bytes, slots) in as_chunks::<_, BLOCK>(src).0.iter().zip(dst.chunks_exact_mut(BLOCK)) {
        if u64::from_le_bytes(*bytes) & CONTINUES != 0 {
            break;
        }
        for (slot, &byte) in slots.iter_mut().zip(bytes) {
            slot.write(T::from_raw(byte.into()));
        }
        values += BLOCK;
    }
    values
}
