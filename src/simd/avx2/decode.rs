//! Decoding by windows of 64 bytes.

use core::mem::MaybeUninit;

use super::dense::dense;
use super::lanes::Lane;
use super::sparse::sparse;
use super::uniform::uniform;
use super::window::{REACH, SLACK, WINDOW, Window};
use crate::error::{BulkError, Progress};
use crate::scalar::slice;

/// Values that the scalar loop takes where something is suspicious.
const STRETCH: usize = 16;
/// Windows that are decoded in the same way before the next choice.
const BURST: usize = 16;
/// Slices shorter than this are faster by the scalar loop.
const WORTHWHILE: usize = 8;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    let mut at = Progress::default();
    if src.len() < WORTHWHILE || dst.len() < WORTHWHILE {
        return slice::decode::<T, CANONICAL>(src, dst, at);
    }
    while at.bytes < src.len() && at.values < dst.len() {
        let before = at;
        at = windows::<T, CANONICAL>(src, dst, at);
        if src.len() - at.bytes < REACH || dst.len() - at.values < WINDOW + SLACK {
            at = buffered::<T, CANONICAL>(src, dst, at);
        }
        if at == before {
            let limit = dst.len().min(at.values + STRETCH);
            at = slice::decode::<T, CANONICAL>(src, &mut dst[..limit], at)?;
        }
    }
    Ok(at)
}

/// As far as whole windows go.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane, const CANONICAL: bool>(src: &[u8], dst: &mut [T], from: Progress) -> Progress {
    let mut at = from;
    loop {
        let before = at;
        let Some(bytes) = src[at.bytes..].first_chunk() else { return at };
        let window = Window::load(bytes);
        let ends = window.ends();
        let len = 1 + ends.trailing_zeros() as usize;
        if ends == UNIFORM[len.min(11)] {
            at = uniform::<T, CANONICAL>(len, src, dst, at);
            if at != before {
                continue;
            }
        }
        at = if is_dense::<T>(window.ends().count_ones()) {
            dense_windows::<T, CANONICAL>(src, dst, at)
        } else {
            sparse_windows::<T, CANONICAL>(src, dst, at)
        };
        if at == before {
            return at;
        }
    }
}

fn is_dense<T: Lane>(count: u32) -> bool {
    T::MAX_LEN <= 4 || count > if T::MAX_LEN == 5 { 24 } else { 18 }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dense_windows<T: Lane, const CANONICAL: bool>(src: &[u8], dst: &mut [T], from: Progress) -> Progress {
    let mut at = from;
    for _ in 0..BURST {
        let Some(bytes) = src[at.bytes..].first_chunk() else { break };
        let window = Window::load(bytes);
        let ends = window.ends();
        let count = ends.count_ones() as usize;
        if count + SLACK > dst.len() - at.values || window.suspicious::<T, CANONICAL>(0) {
            break;
        }
        // SAFETY: the room was checked.
        unsafe { dense(bytes, ends, dst.as_mut_ptr().add(at.values)) };
        at.values += count;
        at.bytes += WINDOW - ends.leading_zeros() as usize;
    }
    at
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_windows<T: Lane, const CANONICAL: bool>(src: &[u8], dst: &mut [T], from: Progress) -> Progress {
    let mut start = unsafe { src.as_ptr().add(from.bytes) };
    let mut to = unsafe { dst.as_mut_ptr().add(from.values) };
    let limit = unsafe { dst.as_mut_ptr().add(dst.len()) }.wrapping_sub(SLACK);
    let mut window = start;
    let turns = (src.len() - from.bytes).saturating_sub(REACH - WINDOW) / WINDOW;
    for _ in 0..turns.min(BURST) {
        let bytes = unsafe { &*window.cast() };
        let masks = Window::load(bytes);
        let ends = masks.ends();
        let count = ends.count_ones() as usize;
        if to.wrapping_add(count) > limit
            || masks.suspicious::<T, CANONICAL>(unsafe { window.offset_from_unsigned(start) })
        {
            break;
        }
        // SAFETY: the room was checked.
        unsafe {
            sparse(window, start, ends, to);
            to = to.add(count);
            window = window.add(WINDOW);
            start = window.sub(ends.leading_zeros() as usize);
        }
    }
    unsafe {
        Progress {
            values: to.offset_from_unsigned(dst.as_ptr()),
            bytes: start.offset_from_unsigned(src.as_ptr()),
        }
    }
}

/// One window by way of buffers of our own, near an end of `src` or `dst`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn buffered<T: Lane, const CANONICAL: bool>(src: &[u8], dst: &mut [T], from: Progress) -> Progress {
    let rest = &src[from.bytes..];
    let room = &mut dst[from.values..];
    let len = rest.len().min(WINDOW);
    let mut bytes = [0; REACH];
    bytes[..len].copy_from_slice(&rest[..len]);
    let window = Window::load(&bytes);
    if window.suspicious::<T, CANONICAL>(0) {
        return from;
    }
    let mut ends = window.ends() & !0 >> (WINDOW - len);
    if room.len() < WINDOW {
        ends = core::arch::x86_64::_pdep_u64((1 << room.len()) - 1, ends);
    }
    let count = ends.count_ones() as usize;
    let mut values = [const { MaybeUninit::<T>::uninit() }; WINDOW + SLACK];
    unsafe {
        if is_dense::<T>(ends.count_ones()) {
            dense::<T>(&bytes, ends, values.as_mut_ptr().cast());
        } else {
            sparse::<T>(bytes.as_ptr(), bytes.as_ptr(), ends, values.as_mut_ptr().cast());
        }
        room.as_mut_ptr().copy_from_nonoverlapping(values.as_ptr().cast(), count);
    }
    Progress { values: from.values + count, bytes: from.bytes + WINDOW - ends.leading_zeros() as usize }
}

static UNIFORM: [u64; 12] = {
    let mut t = [0; 12];
    let mut l = 1;
    while l <= 10 {
        let mut k = l - 1;
        while k < 64 {
            t[l] |= 1 << k;
            k += l;
        }
        l += 1;
    }
    t
};
