//! Encodes blocks of 32 values, each by the loop that suits it, and then 8 values at a time up to
//! the last byte of the destination.

mod groups;
mod job;
mod long;
mod uniform;

use core::arch::x86_64::*;

use self::groups::{Groups, fit};
use self::job::{BLOCK_VALUES, Job, NextLoop, NoSpace};
use self::long::{all_long, halves, is_all_long, some_long};
use self::uniform::uniform;
use super::vector::{BYTES, raw_lanes, store, store_front};
use crate::simd::lane::Lane;

/// With fewer values than this, blocks are not worth their setup.
const FEW_VALUES: usize = 6 * BLOCK_VALUES;
/// The number of blocks that are encoded in wide lanes after one that needs them. Changing back at
/// once would be mispredicted often.
const HOLD: usize = 16;

/// Returns whether vectors are faster than the scalar loop for this number of values.
#[inline]
pub(super) fn worthwhile(values: usize) -> bool {
    values >= 5
}

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,lzcnt,popcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let available = dst.len();
    let mut next = if src.len() < FEW_VALUES { NextLoop::Tail } else { NextLoop::Mixed };
    let mut job = Job { src, dst };
    loop {
        (job, next) = match next {
            NextLoop::Mixed => mixed(job),
            NextLoop::Uniform(len) if size_of::<T>() == 8 || len > 4 => uniform::<T, 8>(job, len),
            NextLoop::Uniform(len) => uniform::<T, 4>(job, len),
            NextLoop::Tail => return Some(available - tail(job)?),
        };
    }
}

/// Encodes blocks of any values.
#[inline(never)]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn mixed<T: Lane>(job: Job<'_, T>) -> (Job<'_, T>, NextLoop) {
    // Rebinding lets LLVM keep the fields in registers (the by-value argument stays in memory).
    let mut job = Job { ..job };
    let (quads, duals) = (Groups::<8>::new(), Groups::<4>::new());
    let mut wide = 0;
    while let Some(block) = job.src.first_chunk::<BLOCK_VALUES>() {
        match any(&mut job, block, quads, duals, &mut wide) {
            Ok(NextLoop::Mixed) => {}
            Ok(next) => return (job, next),
            Err(NoSpace) => return (job, NextLoop::Tail),
        }
    }
    (job, NextLoop::Tail)
}

/// Encodes a block of any values. `wide` is the number of blocks that are still encoded in wide lanes.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn any<T: Lane>(
    job: &mut Job<'_, T>,
    block: &[T; BLOCK_VALUES],
    quads: Groups<8>,
    duals: Groups<4>,
    wide: &mut usize,
) -> Result<NextLoop, NoSpace> {
    if *wide == 0 {
        if size_of::<T>() == 2 || fit::<T, 4>(block) {
            return short(job, block, duals);
        }
        *wide = HOLD;
    }
    *wide -= 1;
    if size_of::<T>() < 8 || fit::<T, 8>(block) {
        short(job, block, quads)
    } else if is_all_long(block) {
        all_long(job, block)
    } else {
        some_long(job, block)
    }
}

/// Encodes a block of values that fit in the groups of their lanes.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn short<T: Lane, const SIZE: usize>(
    job: &mut Job<'_, T>,
    block: &[T; BLOCK_VALUES],
    groups: Groups<SIZE>,
) -> Result<NextLoop, NoSpace> {
    let lanes = BYTES / SIZE;
    let mut first = None;
    let mut differ = 0;
    for values in block.chunks_exact(lanes) {
        let (bytes, len) = groups.encode(raw_lanes::<T, SIZE>(values));
        differ |= len ^ *first.get_or_insert(len);
        job.put(lanes, bytes, len)?;
    }
    let first = first.unwrap_or_default();
    // If all vectors have one length, which is a multiple of the number of lanes, all values
    // probably have one length.
    let uniform = differ == 0 && first % lanes == 0;
    Ok(if uniform { NextLoop::Uniform(first / lanes) } else { NextLoop::Mixed })
}

/// Encodes up to 8 values at a time, and writes no byte past the end of `dst`. Returns the number
/// of bytes left, or `None` if there is no space for a value.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn tail<T: Lane>(job: Job<'_, T>) -> Option<usize> {
    let mut job = Job { ..job };
    let groups = Groups::<8>::new();
    while !job.src.is_empty() {
        up_to_eight(&mut job, groups)?;
    }
    Some(job.dst.len())
}

/// Encodes the next values, at most 8. Returns `None` if there is no space for them.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn up_to_eight<T: Lane>(job: &mut Job<'_, T>, groups: Groups<8>) -> Option<()> {
    let (values, rest) = job.src.split_at(job.src.len().min(BYTES / 8));
    let dst = core::mem::take(&mut job.dst);
    let raw = raw_lanes::<T, 8>(values);
    // A lane without a value holds a zero, which takes one byte. These are the last lanes.
    let absent = 8 - values.len();
    job.dst = if size_of::<T>() < 8 || groups::fits::<8>(raw) {
        let (bytes, len) = groups.encode(raw);
        put_within(dst, bytes, len - absent)?
    } else {
        let [(low, low_len), (high, high_len)] = halves(raw);
        let dst = put_within(dst, low, low_len - absent.saturating_sub(4))?;
        put_within(dst, high, high_len - absent.min(4))?
    };
    job.src = rest;
    Some(())
}

/// Writes the first `len` bytes of `bytes`, and possibly others after them within `dst`. Returns
/// the rest of `dst`, or `None` if it is too small.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put_within(dst: &mut [u8], bytes: __m512i, len: usize) -> Option<&mut [u8]> {
    match dst.first_chunk_mut() {
        Some(front) => store(front, bytes),
        None => store_front(dst.get_mut(..len)?, bytes),
    }
    dst.get_mut(len..)
}
