//! Decodes windows of 64 bytes: computes the mask of ends, and chooses the loop that suits the
//! lengths of the values.

use core::mem::MaybeUninit;

use super::lanes::{store_unpacked, store2};
use super::machine::Machine;
use super::uniform;
use super::window::{READ, Window, load16, load16_at, stride, uniform_len};
use crate::error::{BulkError, Progress, continued};
use crate::scalar::word::CONTINUES;
use crate::simd::end_mask::runs;
use crate::simd::lane::Lane;
use crate::simd::shuffles::UNPACK;
use crate::simd::{scalar, swar};

/// From this number of bytes on, the kernel is faster than the SWAR kernel: two windows.
const WORTHWHILE: usize = READ + 56;

/// The number of values that the scalar loop decodes when a window is suspicious.
const SCALAR_RUN: usize = 16;

/// Up to this number of values in a window, decoding two values at a time is faster than eight
/// bytes at a time.
const SPARSE: usize = 20;

/// The continuation bits of a window of values of two bytes each.
const ALL_TWO: u64 = 0x5555_5555_5555_5555;

/// The number of slots after the last value of a window that vector stores may write.
const SPILL: usize = 8;

/// Decodes until `src` is exhausted or `dst` is full.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline(never)]
pub(super) fn decode<M: Machine, T: Lane>(
    machine: M,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    if src.len() < WORTHWHILE || size_of::<T>() == 2 {
        return swar::decode(src, dst, canonical);
    }
    let mut done = Progress::default();
    loop {
        done = windows(machine, src, dst, done, canonical);
        if src.len() - done.bytes < READ {
            let rest = swar::decode(&src[done.bytes..], &mut dst[done.values..], canonical);
            return continued(done, rest);
        }
        let end = dst.len().min(done.values + SCALAR_RUN);
        done = scalar::decode(src, &mut dst[..end], done, canonical)?;
        if done.values < end || end == dst.len() {
            return Ok(done);
        }
    }
}

/// Decodes while whole windows and space for their values are left, and no window is suspicious.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
fn windows<M: Machine, T: Lane>(
    machine: M,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Progress {
    let Progress { mut values, bytes: mut at } = from;
    // The mask of starts from `at` on, as far as the last window shows them. Windows have a fixed
    // stride, so that no load waits for the lengths in the window before.
    let mut pending = 1;
    while let Some(src) = src.get(at..).and_then(|rest| rest.first_chunk::<READ>()) {
        let Some(slots) = dst.get_mut(values..) else { break };
        let window = Window::new(machine, src);
        if window.more & !ALL_TWO == 0 && pending & 1 == 1 && (window.more == 0 || window.more == ALL_TWO) {
            if let Some(slots) = slots.first_chunk_mut() {
                if window.more == 0 {
                    uniform::whole::<M, T, 1>(machine, src, slots);
                    values += 64;
                } else if canonical && window.is_suspicious::<T>(ALL_TWO, true) {
                    break;
                } else {
                    uniform::whole::<M, T, 2>(machine, src, slots);
                    values += 32;
                }
                at += 64;
                continue;
            }
        }
        let starts = !window.more << 1 | pending & 1;
        let own = starts & ((1 << stride::<T>()) - 1);
        let count = own.count_ones() as usize;
        if slots.len() < count + SPILL || window.is_suspicious::<T>(own, canonical) {
            break;
        }
        let out = slots.as_mut_ptr().cast::<T>();
        // SAFETY: there is space for the `count` values that start at `own`, and for SPILL more.
        // All their starts are within the stride.
        unsafe {
            if T::MAX_BYTES > 8 && own & !runs(window.more, 8) == 0 {
                sparse::<M, T, true>(machine, src, out, starts, count);
            } else if let Some(len) = uniform_len(starts) {
                uniform::decode(machine, src, out, own.trailing_zeros() as usize, count, len);
            } else if count <= SPARSE {
                sparse::<M, T, false>(machine, src, out, starts, count);
            } else {
                dense(machine, src, out, own, window.more);
            }
        }
        at += stride::<T>();
        values += count;
        pending = starts >> stride::<T>();
    }
    Progress { values, bytes: at + pending.trailing_zeros() as usize }
}

/// Decodes two values at a time, at any starts.
///
/// # Safety
///
/// `dst` must be valid for writes of `count` values and SPILL more.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn sparse<M: Machine, T: Lane, const LONG: bool>(
    machine: M,
    src: &[u8; READ],
    dst: *mut T,
    starts: u64,
    count: usize,
) {
    let mut left = starts;
    let mut next = || {
        let start = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        start as usize
    };
    for two in (0..count).step_by(2) {
        // SAFETY: the starts are at most 64, the number of zeros in 64 bits. `two` is below
        // `count`, and SPILL covers a second slot.
        unsafe { store2(machine, dst.add(two), pair::<M, T, LONG>(machine, src, next(), next())) }
    }
}

/// Decodes the values that start at `a` and `b`, without the conversion from zigzag form. With
/// `LONG`, both must take nine or ten bytes.
///
/// # Safety
///
/// `a` and `b` must be at most 64.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn pair<M: Machine, T: Lane, const LONG: bool>(
    machine: M,
    src: &[u8; READ],
    a: usize,
    b: usize,
) -> M::V {
    // SAFETY: the caller ensures that both are at most 64.
    let [a, b] = unsafe { [load16_at(machine, src, a), load16_at(machine, src, b)] };
    let [bytes, ninth] = machine.zip64(a, b);
    if LONG {
        return machine.with_ninth(machine.squeeze8(bytes), ninth);
    }
    // The subtraction sets all bits below the first end. The bits of later ends remain set, but
    // these bits are clear in `bytes`.
    let ends = machine.and_not(machine.splat(CONTINUES), bytes);
    let value = machine.squeeze8(machine.and(bytes, machine.minus_one64(ends)));
    if T::MAX_BYTES <= 8 {
        return value;
    }
    machine.with_ninth(value, machine.and(ninth, machine.is_zero64(ends)))
}

/// Decodes eight bytes at a time, with all values that start in them.
///
/// # Safety
///
/// `dst` must be valid for writes of the values that start at `starts`, and of SPILL more.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn dense<M: Machine, T: Lane>(machine: M, src: &[u8; READ], dst: *mut T, starts: u64, more: u64) {
    let mut before = 0;
    for group in 0..stride::<T>().div_ceil(8) {
        // SAFETY: `group` is at most 6, and `8 * group` at most 48.
        let bytes = unsafe { load16_at(machine, src, 8 * group) };
        let key = (starts >> (8 * group)) as u8;
        let [low, high] = &UNPACK.0[usize::from(key)];
        let values = [four(machine, bytes, low), four(machine, bytes, high)];
        // SAFETY: `before` values start in the groups before this one, and SPILL covers the eight
        // slots after them.
        unsafe { store_unpacked(machine, dst.add(before), values) }
        before += key.count_ones() as usize;
    }
    let mut long = starts & runs(more, 4);
    while long != 0 {
        let start = long.trailing_zeros() as usize;
        long &= long - 1;
        let index = (starts & ((1 << start) - 1)).count_ones() as usize;
        // SAFETY: `start` is below 64, and `index` below the number of values.
        unsafe {
            let [wire, _] = machine.halves(pair::<M, T, false>(machine, src, start, start));
            dst.add(index).write(T::from_wire(wire));
        }
    }
}

/// Decodes four values of up to four bytes each, which begin at every fourth of `indices`.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
fn four<M: Machine>(machine: M, bytes: M::V, indices: &[u8; 16]) -> M::V {
    let bytes = machine.swizzle(bytes, load16(machine, indices));
    let ends = machine.and_not(machine.splat(CONTINUES), bytes);
    machine.squeeze4(machine.and(bytes, machine.minus_one32(ends)))
}
