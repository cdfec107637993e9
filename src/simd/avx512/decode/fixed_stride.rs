//! Decodes windows at a fixed stride: the address of a load does not depend on the contents of the
//! windows before.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::vector::{BYTES, lane_count, load_at, store_lanes};
use super::gather::Lanes;
use super::window::{Places, Window, common_len};
use crate::error::Progress;
use crate::scalar::value::CONTINUE;
use crate::simd::lane::Lane;

/// The reason why the loop over windows stops.
pub(super) enum Pause {
    /// No whole window is left, or no space for its values.
    End,
    /// The scalar loop must decode the next values.
    Doubt,
    /// The values have this one length.
    Uniform(usize),
}

/// The reason why the loop over windows of one kind stops.
enum Stop {
    Pause(Pause),
    /// The next window has a value of more than `size_of::<T>()` bytes, or the last windows had
    /// none.
    OtherKind,
}

/// A window with all its masks, ready to be decoded.
#[derive(Clone, Copy)]
struct Ready {
    data: __m512i,
    places: Places,
    ends: u64,
    values: usize,
    long: u64,
    doubts: u64,
}

/// The most windows that are decoded between two checks of the space in `dst`.
const BATCH: usize = 16;

/// Returns the number of bytes that a window shares with the one before. With them, each value that
/// ends in the new bytes is whole.
const fn history<T: Lane>() -> usize {
    T::MAX_BYTES - 1
}

/// Returns a mask of the other bytes of a window.
const fn new_bytes<T: Lane>() -> u64 {
    !0 << history::<T>()
}

/// Decodes from `done` on, where a value begins. After each `patience` windows, it looks for values
/// of one length.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fixed_stride<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    patience: usize,
    canonical: bool,
) -> Pause {
    if done.bytes < history::<T>() {
        return Pause::End;
    }
    let mut long = false;
    loop {
        let stop;
        (*done, stop) = if long {
            windows::<T, true>(src, dst, *done, patience, canonical)
        } else {
            windows::<T, false>(src, dst, *done, patience, canonical)
        };
        match stop {
            Stop::OtherKind => long = !long,
            Stop::Pause(pause) => {
                // Go back to the start of the unfinished value.
                let begun = src[..done.bytes].iter().rev().take_while(|byte| **byte >= CONTINUE);
                done.bytes -= begun.count();
                return pause;
            }
        }
    }
}

/// Decodes the values that end in the new bytes of whole windows from `done.bytes` on. Without
/// `LONG`, no value may have more than `size_of::<T>()` bytes.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane, const LONG: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: Progress,
    patience: usize,
    canonical: bool,
) -> (Progress, Stop) {
    let stride = BYTES - history::<T>();
    let Progress { mut values, bytes } = done;
    let mut at = bytes - history::<T>();
    let Some(last) = src.len().checked_sub(BYTES).filter(|last| at <= *last) else {
        return (done, Stop::Pause(Pause::End));
    };
    let lanes = Lanes::new::<T>();
    // The loop works on three windows, each one step further, so that few instructions wait for the
    // ones just before. After the last window, that window is loaded again and not used.
    // SAFETY: both offsets are at most `last`, from which 64 bytes can be read.
    let (first, second) = unsafe { (load_at(src, at), load_at(src, last.min(at + stride))) };
    let mut current = ready::<T, LONG>(Window::new(first));
    let mut next = Window::new(second);
    // Vectors are written for the greatest number of values in recent windows, because a number
    // that rarely changes is predicted well. It is at least one, so that `busy - 1` does not
    // overflow.
    let mut busy = current.values | 1;
    let mut wait = patience;
    let mut any_long = 0;
    let stop = 'batches: loop {
        let whole = (last + stride).saturating_sub(at) / stride;
        let space = dst.len() - values;
        let batch = match space / BYTES {
            // One more window, if its vectors fit.
            0 => whole.min((busy.next_multiple_of(lane_count::<T>()) <= space) as usize),
            full => whole.min(full).min(BATCH),
        };
        if batch == 0 {
            break Stop::Pause(Pause::End);
        }
        for _ in 0..batch {
            // SAFETY: the offset is at most `last`, from which 64 bytes can be read.
            let after = Window::new(unsafe { load_at(src, last.min(at + 2 * stride)) });
            let soon = ready::<T, LONG>(next);
            if LONG && current.doubts != 0 {
                break 'batches Stop::Pause(Pause::Doubt);
            }
            // Computed again, so that lenient decoding pays only for the branch.
            if canonical && Window::new(current.data).overlong() & new_bytes::<T>() != 0 {
                break 'batches Stop::Pause(Pause::Doubt);
            }
            if !LONG && current.long != 0 {
                break 'batches Stop::OtherKind;
            }
            let mut group = 0;
            loop {
                let vector = lanes.gather::<T, LONG>(current.data, &current.places, group);
                // SAFETY: for a batch of one window, the space for these vectors was checked. For a
                // longer one, there is space for 64 values per window, and the vectors of a window
                // have at most 64 lanes.
                unsafe { store_lanes(dst, values + group * lane_count::<T>(), vector) };
                group += 1;
                if group * lane_count::<T>() >= busy {
                    break;
                }
            }
            values += current.values;
            at += stride;
            any_long |= current.long;
            (current, next) = (soon, after);
            busy = (current.values | 1).max(busy - 1);
        }
        wait = wait.saturating_sub(batch);
        if wait == 0 {
            if let Some(len) = common_len(current.ends) {
                break Stop::Pause(Pause::Uniform(len));
            }
            if LONG && any_long == 0 {
                break Stop::OtherKind;
            }
            (wait, any_long) = (patience, 0);
        }
    };
    (Progress { values, bytes: at + history::<T>() }, stop)
}

/// Computes the masks of a window for the values that end in its new bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,lzcnt,popcnt")]
fn ready<T: Lane, const LONG: bool>(window: Window) -> Ready {
    let new = new_bytes::<T>();
    let ends = window.ends() & new;
    // The first value begins after the last end in the history.
    let before = (window.ends() & !new) as u32;
    let first = (1 << u32::BITS) >> before.leading_zeros();
    Ready {
        data: window.data,
        places: window.places::<T, LONG>(ends << 1 | first, ends),
        ends,
        values: ends.count_ones() as usize,
        long: window.long::<T>(),
        doubts: window.doubts::<T, LONG>() & new,
    }
}
