//! Windows at a fixed stride: where one is loaded from does not depend on what the ones before it
//! held.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::vector::{BYTES, lane_count, load_at, store_lanes};
use super::gather::Lanes;
use super::window::{Places, Window, common_len};
use crate::error::Progress;
use crate::scalar::value::CONTINUE;
use crate::simd::lane::Lane;

/// Why a stream stops.
pub(super) enum Pause {
    /// No whole window is left, or no room for one.
    End,
    /// The scalar loop has to decode what comes next.
    Doubt,
    /// Values of that length keep coming.
    Uniform(usize),
}

/// Why windows of one kind stop.
enum Stop {
    Pause(Pause),
    /// The next one has a value of more than `size_of::<T>()` bytes, or none had one for a while.
    OtherKind,
}

/// A window that only waits to be decoded.
#[derive(Clone, Copy)]
struct Ready {
    data: __m512i,
    places: Places,
    ends: u64,
    values: usize,
    long: u64,
    doubts: u64,
}

/// Windows between two looks at how many the room is good for.
const BATCH: usize = 16;

/// Bytes of a window that are those of the one before it as well: enough for each value that ends
/// behind them to be whole.
const fn history<T: Lane>() -> usize {
    T::MAX_BYTES - 1
}

/// Decodes on from where a value begins. Looks for values of one length after each `patience`
/// windows.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fixed_stride<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    patience: usize,
) -> Pause {
    if done.bytes < history::<T>() {
        return Pause::End;
    }
    let mut long = false;
    loop {
        let stop;
        (*done, stop) = if long {
            windows::<T, CANONICAL, true>(src, dst, *done, patience)
        } else {
            windows::<T, CANONICAL, false>(src, dst, *done, patience)
        };
        match stop {
            Stop::OtherKind => long = !long,
            Stop::Pause(pause) => {
                // Back to where a value begins.
                let begun = src[..done.bytes].iter().rev().take_while(|byte| **byte >= CONTINUE);
                done.bytes -= begun.count();
                return pause;
            }
        }
    }
}

/// Decodes the values that end in whole windows of new bytes from `done.bytes` on. Without `LONG`
/// none has more than `size_of::<T>()` bytes.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane, const CANONICAL: bool, const LONG: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: Progress,
    patience: usize,
) -> (Progress, Stop) {
    let stride = BYTES - history::<T>();
    let Progress { mut values, bytes } = done;
    let mut at = bytes - history::<T>();
    let Some(last) = src.len().checked_sub(BYTES).filter(|last| at <= *last) else {
        return (done, Stop::Pause(Pause::End));
    };
    let lanes = Lanes::new::<T>();
    // Three windows are in hand, each a step further, so that little waits for what comes just
    // before it. Behind the last one it is loaded again, in vain.
    // SAFETY: neither is beyond `last`, which 64 bytes follow.
    let (first, second) = unsafe { (load_at(src, at), load_at(src, last.min(at + stride))) };
    let mut current = ready::<T, CANONICAL, LONG>(Window::new(first));
    let mut next = Window::new(second);
    // Vectors are written for as many values as recent windows had: a number that rarely changes is
    // predicted well. For one at least, so that one less is a number.
    let mut busy = current.values | 1;
    let mut wait = patience;
    let mut longs = 0;
    let stop = 'batches: loop {
        let whole = (last + stride).saturating_sub(at) / stride;
        let room = dst.len() - values;
        let batch = match room / BYTES {
            // One window more, if its vectors fit.
            0 => whole.min((busy.next_multiple_of(lane_count::<T>()) <= room) as usize),
            full => whole.min(full).min(BATCH),
        };
        if batch == 0 {
            break Stop::Pause(Pause::End);
        }
        for _ in 0..batch {
            // SAFETY: not beyond `last`, which 64 bytes follow.
            let after = Window::new(unsafe { load_at(src, last.min(at + 2 * stride)) });
            let soon = ready::<T, CANONICAL, LONG>(next);
            if (CANONICAL || LONG) && current.doubts != 0 {
                break 'batches Stop::Pause(Pause::Doubt);
            }
            if !LONG && current.long != 0 {
                break 'batches Stop::OtherKind;
            }
            let mut group = 0;
            loop {
                let vector = lanes.gather::<T, LONG>(current.data, &current.places, group);
                // SAFETY: a batch of one was checked to have room for these vectors. A longer one
                // has room for 64 values a window, and the vectors of no window have more lanes
                // than that.
                unsafe { store_lanes(dst, values + group * lane_count::<T>(), vector) };
                group += 1;
                if group * lane_count::<T>() >= busy {
                    break;
                }
            }
            values += current.values;
            at += stride;
            longs |= current.long;
            (current, next) = (soon, after);
            busy = (current.values | 1).max(busy - 1);
        }
        wait = wait.saturating_sub(batch);
        if wait == 0 {
            if let Some(len) = common_len(current.ends) {
                break Stop::Pause(Pause::Uniform(len));
            }
            if LONG && longs == 0 {
                break Stop::OtherKind;
            }
            (wait, longs) = (patience, 0);
        }
    };
    (Progress { values, bytes: at + history::<T>() }, stop)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,lzcnt,popcnt")]
fn ready<T: Lane, const CANONICAL: bool, const LONG: bool>(window: Window) -> Ready {
    let new = !0 << history::<T>();
    let ends = window.ends() & new;
    // The first value begins behind the last end of the history.
    let before = (window.ends() & !new) as u32;
    let first = (1 << u32::BITS) >> before.leading_zeros();
    Ready {
        data: window.data,
        places: window.places::<T, LONG>(ends << 1 | first, ends),
        ends,
        values: ends.count_ones() as usize,
        long: window.long::<T>(),
        doubts: window.doubts::<T, CANONICAL, LONG>() & new,
    }
}
