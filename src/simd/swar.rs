//! The SWAR kernel ("SIMD within a register"): words of 64 bits in place of vectors, on any CPU. It
//! is chosen where there is no better kernel, and contains no `unsafe` code.
//!
//! # Decoding
//!
//! A window is 64 bytes; 9 more must be readable, and the destination must have space for 64
//! values. `ends_in` makes the mask of last bytes: by SSE2 on x86-64, elsewhere by a multiplication
//! that collects the top bits of eight bytes in one (`end_mask.rs`). Each window begins with a
//! value. The method depends on its mask:
//!
//! 1. All bits: 64 values of one byte are widened.
//! 2. Every second bit: 32 values of two bytes, in a loop that the compiler vectorizes.
//! 3. Every n-th bit (`UNIFORM`): values of n bytes at constant distances.
//! 4. At least 32 bits, so that most values have one or two bytes: `decode_short` computes the value
//!    that would begin at each byte, in a loop that the compiler vectorizes. It copies those at which
//!    a value begins, without a branch, and then decodes longer values again. Left out where the
//!    target has no vectors.
//! 5. Any other: a loop over the bits of the mask. Each value has its length from the mask and no
//!    branch depends on it.
//!
//! `word::value` decodes one value from two loads, of eight bytes and of two:
//!
//! ```text
//! head = 8 bytes & HEADS[len]          masks by length, from a table
//! tail = 2 bytes & TAILS[len]
//! eighths  -> quarters -> halves       groups of 7 bits to 14, 28 and 56 (word::squeeze)
//! value = head, with the ninth byte on top     a tenth byte is bit 63, which the ninth byte has
//! ```
//!
//! # Errors
//!
//! `word::value` gives no value for anything that is too long, too large or, in canonical decoding,
//! below the least value of its length. The kernel then stops where that window began, and the
//! scalar loop decodes the rest of the input: it finds the error, and reports its kind and offset.
//! The scalar loop also decodes the rest of the input when no whole window is left.
//!
//! # Encoding
//!
//! Eight values at a time, while the destination has space for the longest encodings, 80 bytes. The
//! OR of all values gives the class:
//!
//! 1. All below 2^7: one byte each.
//! 2. All of two bytes: one 16-bit word each.
//! 3. Any other: `word::spread` moves the groups apart in three steps, the inverse of `squeeze`.
//!    The leading zeros of the value select its length and its continuation bits from tables. Ten
//!    bytes are written, and the next value overwrites those that do not count.
//!
//! The scalar loop encodes the rest.
//!
//! The steps of `spread` and `squeeze` are the portable form of `pdep` and `pext`, which SFVInt
//! (arXiv:2403.06898) uses. The other sources are cited in `simd/mod.rs`.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::scalar::word::{self, CONTINUATIONS, LENGTHS};
use crate::simd::arrays::as_chunks;
use crate::simd::end_mask::{OVERHANG, UNIFORM, WINDOW, ends_in};
use crate::simd::lane::Lane;
use crate::simd::scalar;
use crate::simd::slices::slices;

/// The SWAR kernel, which every CPU supports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Swar;

slices!(Swar "swar" scalar {
    encode(src, dst) => encode(src, dst),
    decode(self, src, dst, canonical) => decode(src, dst, canonical),
});

/// Whether every CPU of the target has vectors.
const HAS_VECTORS: bool =
    cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));
/// From this number of values in a window on, most have one or two bytes.
const MANY_VALUES: u32 = WINDOW as u32 / 2;

/// Encodes eight values at a time, and the rest by the scalar loop.
// Not inlined in the kernels that call this one.
#[inline(never)]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut done = Progress::default();
    for block in as_chunks::<_, 8>(src).0 {
        let Some(space) = dst.get_mut(done.bytes..)?.first_chunk_mut::<80>() else { break };
        done.bytes += encode_eight(block.map(|value| value.to_wire()), space);
        done.values += 8;
    }
    scalar::encode(src, dst, done)
}

/// Encodes eight values, of at most ten bytes each, and returns the number of bytes used.
#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn encode_eight(values: [u64; 8], dst: &mut [u8; 80]) -> usize {
    let any = values.iter().fold(0, |any, value| any | value);
    // The top bit is set if a value is below 128, or if a value has that bit itself.
    let short = values.iter().fold(0, |short, value| short | value.wrapping_sub(1 << 7));
    if any < 1 << 7 {
        for (byte, value) in dst.iter_mut().zip(values) {
            *byte = value as u8;
        }
        8
    } else if any < 1 << 14 && short < 1 << 63 {
        for (pair, value) in dst.chunks_exact_mut(2).zip(values) {
            let two_bytes = (value as u16 & 0x7f | 0x80 | (value as u16) << 1 & 0x7f00).to_le_bytes();
            pair.copy_from_slice(&two_bytes);
        }
        16
    } else {
        let mut bytes = 0;
        for value in values {
            let len = LENGTHS[(value | 1).leading_zeros() as usize] as usize;
            let low = word::spread(value) | CONTINUATIONS[len];
            let Some(to) = dst.get_mut(bytes..).and_then(<[u8]>::first_chunk_mut::<10>) else { return bytes };
            to[..8].copy_from_slice(&low.to_le_bytes());
            to[8..].copy_from_slice(&[(value >> 56) as u8, 1]);
            bytes += len;
        }
        bytes
    }
}

/// Decodes window by window. The scalar loop decodes the rest, beginning with the first window that
/// has an error.
#[inline(never)]
pub(super) fn decode<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    while let Some(bytes) = src.get(done.bytes..).and_then(<[u8]>::first_chunk) {
        let window = bytes.first_chunk::<WINDOW>().unwrap_or(&[0; WINDOW]);
        let Some(slots) = dst.get_mut(done.values..).and_then(<[_]>::first_chunk_mut) else { break };
        let Some(decoded) = decode_window(bytes, ends_in(window), slots, canonical) else { break };
        done.values += decoded.values;
        done.bytes += decoded.bytes;
    }
    scalar::decode(src, dst, done, canonical)
}

/// Decodes the values that end in a window. Returns `None` if one of them is not valid, or if none
/// ends there.
#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn decode_window<T: Lane>(
    src: &[u8; WINDOW + OVERHANG],
    ends: u64,
    dst: &mut [MaybeUninit<T>; WINDOW],
    canonical: bool,
) -> Option<Progress> {
    if ends == u64::MAX {
        for (slot, &byte) in dst.iter_mut().zip(src) {
            slot.write(T::from_wire(byte.into()));
        }
        return Some(Progress { values: WINDOW, bytes: WINDOW });
    }
    decode_longer(src, ends, dst, canonical)
}

/// Does the same as `decode_window`, if not all values have one byte.
// Out of line, so that it takes no registers from the loop over windows of such values.
#[inline(never)]
fn decode_longer<T: Lane>(
    src: &[u8; WINDOW + OVERHANG],
    ends: u64,
    dst: &mut [MaybeUninit<T>; WINDOW],
    canonical: bool,
) -> Option<Progress> {
    if ends == UNIFORM[2] && T::MAX_BYTES > 2 {
        let pairs = &as_chunks(src).0[..WINDOW / 2];
        for (slot, &[low, high]) in dst.iter_mut().zip(pairs) {
            slot.write(T::from_wire((u16::from(low & 0x7f) | u16::from(high) << 7).into()));
        }
        let overlong = canonical && pairs.iter().any(|&[_, high]| high == 0);
        return (!overlong).then_some(Progress { values: WINDOW / 2, bytes: WINDOW });
    }
    let len = ends.trailing_zeros() as usize + 1;
    if UNIFORM.get(len) == Some(&ends) {
        let values = WINDOW / len;
        for (index, slot) in dst[..values].iter_mut().enumerate() {
            slot.write(value_at(src, index * len, len, len > 8, canonical)?);
        }
        return Some(Progress { values, bytes: values * len });
    }
    if HAS_VECTORS && ends.count_ones() >= MANY_VALUES {
        return decode_short(src, ends, dst, canonical);
    }
    let mut rest = ends;
    let mut done = Progress::default();
    for slot in dst {
        if rest == 0 {
            break;
        }
        let end = rest.trailing_zeros() as usize + 1;
        slot.write(value_at(src, done.bytes, end - done.bytes, true, canonical)?);
        rest &= rest - 1;
        done = Progress { values: done.values + 1, bytes: end };
    }
    (done.values > 0).then_some(done)
}

/// Does the same as `decode_window`, and is fast if most values have one or two bytes.
#[inline(never)]
fn decode_short<T: Lane>(
    src: &[u8; WINDOW + OVERHANG],
    ends: u64,
    dst: &mut [MaybeUninit<T>; WINDOW],
    canonical: bool,
) -> Option<Progress> {
    // What the value would be if one of at most two bytes began at each byte of the window. The
    // compiler vectorizes this loop.
    let mut at_each_byte = [0; WINDOW];
    let mut overlong = false;
    for (value, pair) in at_each_byte.iter_mut().zip(src.windows(2)) {
        let more = (pair[0] as i8 >> 7) as u8;
        *value = u16::from(pair[0] & 0x7f) | u16::from(pair[1] & more) << 7;
        overlong |= (more != 0) & (pair[1] == 0);
    }
    let starts = ends << 1 | 1;
    let mut index = 0;
    for (byte, value) in at_each_byte.into_iter().enumerate() {
        // Overwritten by the next one if no value begins at this byte.
        dst[index % WINDOW].write(T::from_wire(value.into()));
        index += (starts >> byte & 1) as usize;
    }
    // Values of three bytes and more are written again.
    let mut long = starts & !ends & !(ends >> 1);
    while long != 0 {
        let start = long.trailing_zeros() as usize;
        long &= long - 1;
        let index = (starts & ((1 << start) - 1)).count_ones() as usize;
        let len = (ends >> start).trailing_zeros() as usize + 1;
        if start + len > WINDOW {
            break;
        }
        dst[index].write(value_at(src, start, len, true, canonical)?);
    }
    let done = Progress { values: ends.count_ones() as usize, bytes: WINDOW - ends.leading_zeros() as usize };
    (!(canonical && overlong)).then_some(done)
}

/// Decodes the value of `len` bytes at `start`, or returns `None` if it is not valid. Unless
/// `may_be_long` is set, `len` is at most eight.
#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn value_at<T: Lane>(
    src: &[u8; WINDOW + OVERHANG],
    start: usize,
    len: usize,
    may_be_long: bool,
    canonical: bool,
) -> Option<T> {
    // Every value starts within the window. The `%` tells the compiler, which cannot know it. Without
    // an index that could panic, builds for size contain no panic either.
    let bytes: &[u8; OVERHANG + 1] = src.get(start % WINDOW..)?.first_chunk()?;
    let head = u64::from_le_bytes(*bytes.first_chunk()?);
    let tail = if may_be_long { u16::from_le_bytes(*bytes.last_chunk()?) } else { 0 };
    word::value((head, tail), len, canonical, |bytes, mask| word::squeeze(bytes & mask))
}
