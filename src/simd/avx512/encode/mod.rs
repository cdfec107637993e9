//! Bulk encode: blocks of 32 values, each in the way that fits it, then 8 values at a time to the
//! last byte of room.

mod all_long;
mod groups;
mod job;
mod some_long;
mod uniform;

use core::arch::x86_64::*;

use self::all_long::{all_long, is_all_long};
use self::groups::{Groups, fit};
use self::job::{BLOCK, Job, NoRoom, Way};
use self::some_long::{halves, some_long};
use self::uniform::uniform;
use super::vector::{BYTES, raw_lanes, store, store_front};
use crate::simd::lane::Lane;

/// Below this many values blocks do not pay for the way to them.
const FEW: usize = 6 * BLOCK;
/// Blocks that are taken as wide after one that was: turning back at once would be predicted badly.
const HOLD: usize = 4;

/// Whether vectors are faster than the scalar loop for this number of values.
#[inline]
pub(super) fn worthwhile(values: usize) -> bool {
    values >= 5
}

#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,lzcnt,popcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let room = dst.len();
    let mut way = if src.len() < FEW { Way::Tail } else { Way::Mixed };
    let mut job = Job { src, dst };
    loop {
        (job, way) = match way {
            Way::Mixed => mixed(job),
            Way::Uniform(len) if size_of::<T>() == 8 || len > 4 => uniform::<T, 8>(job, len),
            Way::Uniform(len) => uniform::<T, 4>(job, len),
            Way::Tail => return Some(room - tail(job)?),
        };
    }
}

/// Blocks of any values.
#[inline(never)]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn mixed<T: Lane>(job: Job<'_, T>) -> (Job<'_, T>, Way) {
    // A new binding lives in registers, the argument does not.
    let mut job = Job { ..job };
    let (quads, duals) = (Groups::<8>::new(), Groups::<4>::new());
    let mut wide = 0;
    while let Some(block) = job.src.first_chunk::<BLOCK>() {
        let way = if size_of::<T>() == 8 {
            if fit::<T, 8>(block) {
                short(&mut job, block, quads)
            } else if is_all_long(block) {
                all_long(&mut job, block)
            } else {
                some_long(&mut job, block)
            }
        } else {
            wide = if size_of::<T>() == 2 || fit::<T, 4>(block) { wide - (wide != 0) as usize } else { HOLD };
            if wide == 0 { short(&mut job, block, duals) } else { short(&mut job, block, quads) }
        };
        match way {
            Ok(Way::Mixed) => {}
            Ok(way) => return (job, way),
            Err(NoRoom) => return (job, Way::Tail),
        }
    }
    (job, Way::Tail)
}

/// A block of values that fit the groups of their lanes.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn short<T: Lane, const SIZE: usize>(
    job: &mut Job<'_, T>,
    block: &[T; BLOCK],
    groups: Groups<SIZE>,
) -> Result<Way, NoRoom> {
    let lanes = BYTES / SIZE;
    let mut first = None;
    let mut differ = 0;
    for values in block.chunks_exact(lanes) {
        let (bytes, len) = groups.encode(raw_lanes::<T, SIZE>(values));
        differ |= len ^ *first.get_or_insert(len);
        job.put(lanes, bytes, len)?;
    }
    let first = first.unwrap_or_default();
    // One length for all vectors, and for all values of each, is hardly chance.
    let uniform = differ == 0 && first % lanes == 0;
    Ok(if uniform { Way::Uniform(first / lanes) } else { Way::Mixed })
}

/// Up to 8 values at a time, and not a byte behind the last; what is left of the room then.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn tail<T: Lane>(job: Job<'_, T>) -> Option<usize> {
    let mut room = job.dst;
    let groups = Groups::<8>::new();
    for values in job.src.chunks(BYTES / 8) {
        let raw = raw_lanes::<T, 8>(values);
        // A lane without a value holds a zero, which takes one byte. Those lanes come last.
        let absent = 8 - values.len();
        room = if size_of::<T>() < 8 || groups::fits::<8>(raw) {
            let (bytes, len) = groups.encode(raw);
            put_within(room, bytes, len - absent)?
        } else {
            let [(low, low_len), (high, high_len)] = halves(raw);
            let room = put_within(room, low, low_len - absent.saturating_sub(4))?;
            put_within(room, high, high_len - absent.min(4))?
        };
    }
    Some(room.len())
}

/// Writes the first `len` bytes of `bytes`, and perhaps others behind them within `room`; what is
/// left of it.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put_within(room: &mut [u8], bytes: __m512i, len: usize) -> Option<&mut [u8]> {
    match room.first_chunk_mut() {
        Some(front) => store(front, bytes),
        None => store_front(room.get_mut(..len)?, bytes),
    }
    room.get_mut(len..)
}
