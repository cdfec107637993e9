//! Decodes windows at a fixed stride: the address of a load does not depend on the contents of the
//! windows before.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::vector::{BYTES, lane_count, load_at, store_lanes};
use super::gather::Lanes;
use super::window::{Places, Window, common_len};
use crate::error::Progress;
use crate::scalar::rule::CONTINUE;
use crate::simd::lane::Lane;

/// A window with at most this number of values, of which one has more than `size_of::<T>()` bytes, is
/// one for `listed`.
pub(super) const FEW_VALUES: u32 = 18;

/// The reason why a loop over windows stops.
pub(super) enum Pause {
    /// No whole window is left, or no space for its values.
    End,
    /// The scalar loop must decode the next values.
    Doubt,
    /// Another loop may be faster for the next values.
    Other,
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
#[repr(C)]
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

/// Returns the number of the other bytes, by which each window begins after the one before.
const fn stride<T: Lane>() -> usize {
    BYTES - history::<T>()
}

/// Returns a mask of these bytes.
const fn new_bytes<T: Lane>() -> u64 {
    !0 << history::<T>()
}

/// Decodes from `done` on, where a value begins. After each `patience` windows, it looks whether another
/// loop may be faster.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fixed_stride<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    mut long: bool,
    patience: usize,
    canonical: bool,
    double_pumped: bool,
) -> Pause {
    if done.bytes < history::<T>() {
        return Pause::End;
    }
    loop {
        let stop;
        (*done, stop) = if long {
            windows::<T, true>(src, dst, *done, patience, canonical, double_pumped)
        } else {
            windows::<T, false>(src, dst, *done, patience, canonical, double_pumped)
        };
        match stop {
            Stop::OtherKind => long = !long,
            Stop::Pause(pause) => {
                // Go back to the start of the unfinished value.
                done.bytes -= unfinished(&src[..done.bytes]);
                return pause;
            }
        }
    }
}

/// Returns the length of the unfinished value at the end of `bytes`.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
fn unfinished(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|byte| **byte >= CONTINUE).count()
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
    double_pumped: bool,
) -> (Progress, Stop) {
    let at = done.bytes - history::<T>();
    let Some(last) = src.len().checked_sub(BYTES).filter(|last| at <= *last) else {
        return (done, Stop::Pause(Pause::End));
    };
    let lanes = Lanes::new::<T>();
    // SAFETY: both offsets are at most `last`, from which 64 bytes can be read.
    let (first, second) = unsafe { (load_at(src, at), load_at(src, last.min(at + stride::<T>()))) };
    let current = ready::<T, LONG>(Window::new(first));
    let mut stride = Stride {
        current,
        next: Window::new(second),
        at,
        values: done.values,
        busy: current.values | 1,
        any_long: 0,
    };
    let mut wait = patience;
    let stop = loop {
        match stride.batch::<T, LONG>(lanes, src, dst, canonical) {
            Ok(windows) => wait = wait.saturating_sub(windows),
            Err(stop) => break stop,
        }
        if wait == 0 {
            if LONG && T::MAX_BYTES > 3 && stride.current.values <= FEW_VALUES as usize
                || Window::new(stride.current.data).is_dense::<T>(false, double_pumped)
                || common_len(stride.current.ends).is_some()
            {
                break Stop::Pause(Pause::Other);
            }
            if LONG && stride.any_long == 0 {
                break Stop::OtherKind;
            }
            (wait, stride.any_long) = (patience, 0);
        }
    };
    (Progress { values: stride.values, bytes: stride.at + history::<T>() }, stop)
}

/// The state of the loop over windows. It works on three windows, each one step further, so that few
/// instructions wait for the ones just before. After the last window, that window is loaded again
/// and not used.
#[repr(C)]
struct Stride {
    current: Ready,
    next: Window,
    /// Where `current` begins in the source, which is at most 64 bytes before its end.
    at: usize,
    /// The number of values before `current`.
    values: usize,
    /// Vectors are written for the greatest number of values in recent windows, because a number
    /// that rarely changes is predicted well. It is at least one, so that `busy - 1` does not
    /// overflow.
    busy: usize,
    any_long: u64,
}

impl Stride {
    /// Decodes up to [`BATCH`] windows, and returns their number.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn batch<T: Lane, const LONG: bool>(
        &mut self,
        lanes: Lanes,
        src: &[u8],
        dst: &mut [MaybeUninit<T>],
        canonical: bool,
    ) -> Result<usize, Stop> {
        let space = dst.len() - self.values;
        let windows = match space / BYTES {
            // One more window, if its vectors fit.
            0 => (self.busy.next_multiple_of(lane_count::<T>()) <= space) as usize,
            full => full.min(BATCH),
        };
        let limit = (src.len() - BYTES + 1).min(self.at + windows * stride::<T>());
        if self.at >= limit {
            return Err(Stop::Pause(Pause::End));
        }
        loop {
            // SAFETY: `at` is less than `limit`, and thus at most 64 bytes before the end of `src`.
            // For a batch of one window, the space for its vectors was checked. For a longer one,
            // there is space for 64 values per window, and the vectors of a window have at most 64
            // lanes.
            if let Some(stop) = unsafe { self.step::<T, LONG>(lanes, src, dst, canonical) } {
                return Err(stop);
            }
            if self.at >= limit {
                return Ok(windows);
            }
        }
    }

    /// Decodes the values that end in the new bytes of the current window.
    ///
    /// # Safety
    ///
    /// `at + 64` must be at most `src.len()`, and `dst` must have space for the vectors of `busy`
    /// values from `values` on.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn step<T: Lane, const LONG: bool>(
        &mut self,
        lanes: Lanes,
        src: &[u8],
        dst: &mut [MaybeUninit<T>],
        canonical: bool,
    ) -> Option<Stop> {
        let (current, last) = (self.current, src.len() - BYTES);
        // SAFETY: the offset is at most `last`, from which 64 bytes can be read.
        let after = Window::new(unsafe { load_at(src, last.min(self.at + 2 * stride::<T>())) });
        let soon = ready::<T, LONG>(self.next);
        if LONG && current.doubts != 0 {
            return Some(Stop::Pause(Pause::Doubt));
        }
        // Computed again, so that lenient decoding pays only for the branch.
        if canonical && Window::new(current.data).overlong() & new_bytes::<T>() != 0 {
            return Some(Stop::Pause(Pause::Doubt));
        }
        if !LONG && current.long != 0 {
            let few = current.values <= FEW_VALUES as usize && T::MAX_BYTES > 3;
            return Some(if few { Stop::Pause(Pause::Other) } else { Stop::OtherKind });
        }
        let mut group = 0;
        loop {
            let vector = lanes.gather::<T, LONG>(current.data, &current.places, group);
            // SAFETY: the caller ensures that there is space.
            unsafe { store_lanes(dst, self.values + group * lane_count::<T>(), vector) };
            group += 1;
            if group * lane_count::<T>() >= self.busy {
                break;
            }
        }
        self.values += current.values;
        self.at += stride::<T>();
        self.any_long |= current.long;
        (self.current, self.next) = (soon, after);
        self.busy = (self.current.values | 1).max(self.busy - 1);
        None
    }
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
