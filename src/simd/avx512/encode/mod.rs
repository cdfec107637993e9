//! Bulk encode: blocks of 32 values, each in the way that fits it, then 8 values at a time to the last byte of room.

mod any;
mod groups;
mod long;
mod uniform;

use core::arch::x86_64::*;

use self::any::any;
use self::groups::{Groups, fit};
use self::long::{all_long, long};
use self::uniform::uniform;
use super::vector::{BYTES, Lane, raw_lanes, store, store_front};

/// Values that are judged together.
const BLOCK: usize = 32;
/// Below this many values blocks do not pay for the way to them.
const FEW: usize = 6 * BLOCK;
/// Blocks that are taken as wide after one that was: turning back at once would be predicted badly.
const HOLD: usize = 4;

/// What is still to do.
struct Job<'a, T> {
    src: &'a [T],
    dst: &'a mut [u8],
}

/// How to go on.
enum Way {
    /// Values of any length.
    Mixed,
    /// Values that take so many bytes each, at most 8.
    Uniform(usize),
    /// Too few values or too little room for a block.
    Tail,
}

/// Not enough room for a whole vector.
struct NoRoom;

impl<T: Lane> Job<'_, T> {
    /// Writes the encoding of the first `values` values, the first `len` bytes of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn put(&mut self, values: usize, bytes: __m512i, len: usize) -> Result<(), NoRoom> {
        let room = core::mem::take(&mut self.dst);
        if let Some(front) = room.first_chunk_mut() {
            store(front, bytes);
            self.src = self.src.get(values..).unwrap_or_default();
            self.dst = room.get_mut(len..).unwrap_or_default();
            Ok(())
        } else {
            self.dst = room;
            Err(NoRoom)
        }
    }
}

/// Whether vectors are faster than the scalar loop for so many values.
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
            Way::Uniform(len) if T::SIZE == 8 || len > 4 => uniform::<T, 8>(job, len),
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
        let way = if T::SIZE == 8 {
            if fit::<T, 8>(block) {
                short(&mut job, block, quads)
            } else if all_long(block) {
                long(&mut job, block)
            } else {
                any(&mut job, block)
            }
        } else {
            wide = if T::SIZE == 2 || fit::<T, 4>(block) { wide - (wide != 0) as usize } else { HOLD };
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
        room = if T::SIZE < 8 || groups::fits::<8>(raw) {
            let (bytes, len) = groups.encode(raw);
            put_within(room, bytes, len - absent)?
        } else {
            let [(low, low_len), (high, high_len)] = any::halves(raw);
            let room = put_within(room, low, low_len - absent.saturating_sub(4))?;
            put_within(room, high, high_len - absent.min(4))?
        };
    }
    Some(room.len())
}

/// Writes the first `len` bytes of `bytes`, and perhaps others behind them within `room`; what is left of it.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put_within(room: &mut [u8], bytes: __m512i, len: usize) -> Option<&mut [u8]> {
    match room.first_chunk_mut() {
        Some(front) => store(front, bytes),
        None => store_front(room.get_mut(..len)?, bytes),
    }
    room.get_mut(len..)
}
