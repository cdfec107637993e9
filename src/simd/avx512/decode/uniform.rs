//! Decodes runs of values of one length, whose positions are known.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::vector::{
    BYTES, from_raw, lane_count, load, load_at, store_front_uninit, store_lanes, widened,
};
use super::gather::Lanes;
use super::window::to_top;
use crate::error::Progress;
use crate::scalar::rule::CONTINUE;
use crate::simd::avx2::uniform_from;
use crate::simd::lane::Lane;
use crate::width::Width;

/// The number of vectors that are checked together.
const UNROLL: usize = 4;

/// The positions of the bytes in values of one length.
#[derive(Clone, Copy)]
struct Layout {
    /// The number of values in a vector of input, at most the number of lanes.
    values: usize,
    /// If all lanes are values, a mask of their numbers. A turn ends at a multiple of the lanes then.
    lanes: usize,
    /// For each byte of the lanes in the mask `gathered`, its position in the input.
    gather: [u8; BYTES],
    gathered: u64,
    /// For each top byte of a lane in the mask `topped`, the input byte with the bits after all
    /// groups of the lane.
    top: [u8; BYTES],
    topped: u64,
    /// The bits that the input must have, where those of `checked` are set.
    pattern: [u8; BYTES],
    checked: [u8; BYTES],
    /// A mask of the last byte of each value.
    ends: u64,
}

/// Returns the layouts for lanes of `size` bytes, whose values have at most `MAX_BYTES` bytes.
/// Entry n is for values of n + 1 bytes.
const fn layouts<const MAX_BYTES: usize>(size: usize) -> [Layout; MAX_BYTES] {
    let nothing = [0; BYTES];
    let mut layouts = [Layout {
        values: 0,
        lanes: 0,
        gather: nothing,
        gathered: 0,
        top: nothing,
        topped: 0,
        pattern: nothing,
        checked: nothing,
        ends: 0,
    }; MAX_BYTES];
    let mut len = 1;
    while len <= MAX_BYTES {
        let layout = &mut layouts[len - 1];
        (layout.values, layout.lanes) = match BYTES / size {
            lanes if len <= size => (lanes, lanes - 1),
            _ => (BYTES / len, 0),
        };
        let mut from = 0;
        while from < layout.values * len {
            let (lane, byte) = (from / len * size, from % len);
            if byte < size {
                layout.gather[lane + byte] = from as u8;
                layout.gathered |= 1 << (lane + byte);
            } else if byte == size {
                layout.top[lane + size - 1] = from as u8;
                layout.topped |= 1 << (lane + size - 1);
            }
            (layout.pattern[from], layout.checked[from]) = if byte < len - 1 {
                (CONTINUE, CONTINUE)
            } else if byte < MAX_BYTES - 1 {
                (0, CONTINUE)
            } else if size < 8 {
                (0, !0 << (8 * size - 7 * (MAX_BYTES - 1)))
            } else {
                // A tenth byte of 0 does not match either: see `Window::doubts`.
                (1, !0)
            };
            layout.ends |= ((byte == len - 1) as u64) << from;
            from += 1;
        }
        len += 1;
    }
    layouts
}

impl Layout {
    /// Returns the layout of values of `len` bytes.
    fn of<T: Lane>(len: usize) -> Option<&'static Self> {
        static SIZE_2: [Layout; u16::MAX_BYTES] = layouts(2);
        static SIZE_4: [Layout; u32::MAX_BYTES] = layouts(4);
        static SIZE_8: [Layout; u64::MAX_BYTES] = layouts(8);
        let layouts = match size_of::<T>() {
            8 => &SIZE_8[..],
            4 => &SIZE_4[..],
            _ => &SIZE_2[..],
        };
        layouts.get(len.checked_sub(1)?)
    }
}

/// Decodes from `done` on, where a value begins, while whole vectors of values of `len` bytes
/// follow.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn uniform<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    len: usize,
    canonical: bool,
    double_pumped: bool,
) {
    *done = match Layout::of::<T>(len) {
        None => *done,
        Some(_) if len == 1 => bytes(src, dst, *done),
        // Their groups are moved by fewer operations if the lanes of input have 2 or 4 bytes.
        Some(_) if double_pumped && matches!(len, 2 | 4) => uniform_from(len, src, dst, *done, canonical),
        Some(layout) if len <= size_of::<T>() => vectors::<T, false>(src, dst, *done, len, layout, canonical),
        Some(layout) => vectors::<T, true>(src, dst, *done, len, layout, canonical),
    };
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn vectors<T: Lane, const LONG: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: Progress,
    len: usize,
    layout: &Layout,
    canonical: bool,
) -> Progress {
    // A copy, which no store can change, so that its vectors stay in registers.
    let (mut done, lanes, layout) = (done, Lanes::new::<T>(), *layout);
    while turn::<T, LONG>(&layout, len, src, dst, &mut done, lanes, canonical) {}
    done
}

/// Decodes [`UNROLL`] vectors, and advances past all of their values or past most. Returns false and makes no progress if not all of their values are
/// valid and have this length, or a slice is too short.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn turn<T: Lane, const LONG: bool>(
    layout: &Layout,
    len: usize,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    lanes: Lanes,
    canonical: bool,
) -> bool {
    let (gather, top) = (load(&layout.gather), load(&layout.top));
    let (pattern, checked) = (load(&layout.pattern), load(&layout.checked));
    let (Some(src), Some(dst)) = (src.get(done.bytes..), dst.get_mut(done.values..)) else {
        return false;
    };
    let last = (UNROLL - 1) * layout.values;
    if src.len() < last * len + BYTES || dst.len() < last + lane_count::<T>() {
        return false;
    }
    let mut mismatch = _mm512_setzero_si512();
    let mut least = _mm512_set1_epi8(!0);
    for i in 0..UNROLL {
        let at = i * layout.values;
        // SAFETY: `at` is at most `last`, from which both slices have space for a vector.
        let data = unsafe { load_at(src, at * len) };
        // (data ^ pattern) & checked
        mismatch = _mm512_or_si512(mismatch, _mm512_ternarylogic_epi64::<0x28>(data, pattern, checked));
        least = _mm512_min_epu8(least, data);
        let groups = _mm512_maskz_permutexvar_epi8(layout.gathered, gather, data);
        let top = match LONG {
            true => to_top::<T>(_mm512_maskz_permutexvar_epi8(layout.topped, top, data)),
            false => _mm512_setzero_si512(),
        };
        // There may be more lanes than values. The next values overwrite the rest.
        // SAFETY: as above.
        unsafe { store_lanes(dst, at, lanes.squeeze::<T>(groups, top)) };
    }
    let overlong = canonical && _mm512_mask_testn_epi8_mask(layout.ends, least, least) != 0;
    if overlong || _mm512_test_epi64_mask(mismatch, mismatch) != 0 {
        return false;
    }
    // The next turn decodes the last values again if that aligns its stores, because a store to two cache
    // lines takes as long as two.
    let again = (dst.as_ptr().addr() / size_of::<T>()) & layout.lanes;
    let values = UNROLL * layout.values - again;
    done.values += values;
    done.bytes += values * len;
    true
}

/// Decodes values of one byte.
#[inline(never)]
#[target_feature(enable = "avx512bw,bmi2")]
fn bytes<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], done: Progress) -> Progress {
    let Progress { mut values, mut bytes } = done;
    let inputs = src[bytes..].as_chunks::<BYTES>().0;
    let outputs = dst[values..].as_chunks_mut::<BYTES>().0;
    for (input, output) in inputs.iter().zip(outputs) {
        if !one_byte_each(input, output) {
            break;
        }
        values += BYTES;
        bytes += BYTES;
    }
    Progress { values, bytes }
}

/// Decodes 64 values of one byte each, unless one has more bytes.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512bw,bmi2")]
fn one_byte_each<T: Lane>(input: &[u8; BYTES], output: &mut [MaybeUninit<T>; BYTES]) -> bool {
    if _mm512_movepi8_mask(load(input)) != 0 {
        return false;
    }
    for (bytes, slots) in
        input.chunks_exact(lane_count::<T>()).zip(output.chunks_exact_mut(lane_count::<T>()))
    {
        store_front_uninit(slots, from_raw::<T>(widened::<T>(bytes)));
    }
    true
}
