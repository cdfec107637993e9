//! The loops of the decoder. Vectors decode only valid encodings; every error comes from the scalar
//! loop.

mod fixed_stride;
mod gather;
mod listed;
mod uniform;
mod window;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use self::fixed_stride::{FEW_VALUES, Pause, fixed_stride};
use self::gather::Lanes;
use self::listed::listed;
use self::uniform::uniform;
use self::window::{Window, common_len};
use super::vector::{BYTES, lane_count, load, load_front, low_bits, store_front_uninit, store_lanes};
use crate::error::{BulkError, Progress};
use crate::simd::avx2::dense_from;
use crate::simd::lane::Lane;
use crate::simd::scalar;

/// The number of bytes from which on `uniform` is worth its setup.
const ENOUGH_UNIFORM: usize = 2 * BYTES;
/// The number of bytes from which on `fixed_stride` is worth its setup.
const ENOUGH_BYTES: usize = 4 * BYTES;
/// The number of values, for which there must be space, from which on it is worth its setup.
const ENOUGH_VALUES: usize = 32;
/// The number of bytes from which on `listed` is worth its setup.
const ENOUGH_LISTED: usize = 8 * BYTES;
/// The number of windows between two choices of a loop.
const PATIENCE: usize = 16;
/// The number of values that the scalar loop decodes after a doubt, enough to make up for the
/// change of loops.
const SCALAR_RUN: usize = 32;

/// Returns whether vectors are faster than the scalar loop for `bytes` bytes and space for `space`
/// values.
#[inline]
pub(super) fn worthwhile(bytes: usize, space: usize) -> bool {
    bytes >= 10 && space >= 5
}

/// Decodes until `src` is exhausted or `dst` is full.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
    double_pumped: bool,
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    // Each iteration begins at the start of a value.
    while done.bytes < src.len() && done.values < dst.len() {
        let mut doubt = true;
        if let Some((front, ends)) = front(&src[done.bytes..], &mut dst[done.values..], canonical) {
            done.values += front.values;
            done.bytes += front.bytes;
            if src.len() - done.bytes >= ENOUGH_UNIFORM {
                if let Some(len) = common_len(ends) {
                    uniform(src, dst, &mut done, len, canonical, double_pumped);
                }
            }
            let enough = src.len() - done.bytes >= ENOUGH_BYTES && dst.len() - done.values >= ENOUGH_VALUES;
            doubt = enough && further(src, dst, &mut done, canonical, double_pumped);
        }
        if doubt {
            let end = dst.len().min(done.values + SCALAR_RUN);
            done = scalar::decode(src, &mut dst[..end], done, canonical)?;
        }
    }
    Ok(done)
}

/// Decodes up to 64 bytes, which begin with a value, until `dst` is full. Returns the progress, and
/// the mask of the last bytes of the decoded values. Returns `None` if no value ends in these bytes or
/// one of them is in doubt.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn front<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Option<(Progress, u64)> {
    let window = Window::new(load_front(src));
    let present = low_bits(src.len());
    let ends = window.ends() & present;
    if ends == 0 || window.doubts::<T, true>() & present != 0 {
        return None;
    }
    if canonical && window.overlong() & present != 0 {
        return None;
    }
    let places = window.places::<T, true>(ends << 1 | 1, ends);
    let lanes = Lanes::new::<T>();
    let values = dst.len().min(ends.count_ones() as usize);
    let vectors = values.div_ceil(lane_count::<T>());
    for (group, dst) in dst.chunks_mut(lane_count::<T>()).take(vectors).enumerate() {
        let vector = lanes.gather::<T, true>(window.data, &places, group);
        // Whole vectors, because a store with a mask takes longer. The slots after the last value
        // may hold anything.
        if dst.len() == lane_count::<T>() {
            // SAFETY: `dst` has a slot for each lane.
            unsafe { store_lanes(dst, 0, vector) };
        } else {
            store_front_uninit(dst, vector);
        }
    }
    let taken = if values < ends.count_ones() as usize { _pdep_u64(low_bits(values), ends) } else { ends };
    let bytes = BYTES - taken.leading_zeros() as usize;
    Some((Progress { values, bytes }, taken))
}

/// Decodes while whole windows are left. Returns whether it stopped at values that the scalar loop
/// must decode.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn further<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    canonical: bool,
    double_pumped: bool,
) -> bool {
    // The number of windows between two choices of a loop. It grows when `uniform` had nothing to
    // decode.
    let mut patience = PATIENCE;
    let (mut long, mut few, mut dense) = (false, false, starts_dense::<T>(&src[done.bytes..], double_pumped));
    loop {
        let before = done.values;
        let listing = const { T::MAX_BYTES > 3 } && long && few;
        let pause = if dense {
            dense_from(src, dst, done, canonical);
            Pause::Other
        } else if listing {
            listed(src, dst, done, canonical)
        } else {
            fixed_stride(src, dst, done, long, patience, canonical, double_pumped)
        };
        match pause {
            Pause::End => return false,
            Pause::Doubt => return true,
            Pause::Other => {}
        }
        let Some(window) = src[done.bytes..].first_chunk() else { return false };
        let window = Window::new(load(window));
        let ends = window.ends();
        let stuck = done.values == before;
        long = stuck || window.long::<T>() != 0;
        // Not again if the next values are too few for a vector.
        let enough = src.len() - done.bytes >= ENOUGH_LISTED;
        dense = window.is_dense::<T>(dense, double_pumped) && !(dense && stuck);
        few = enough && ends.count_ones() <= FEW_VALUES && !(listing && stuck);
        if let Some(len) = common_len(ends) {
            let before = done.values;
            uniform(src, dst, done, len, canonical, double_pumped);
            patience = if done.values == before { patience.saturating_mul(4) } else { PATIENCE };
        }
    }
}

/// Returns whether `bytes` begin with a dense window.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn starts_dense<T: Lane>(bytes: &[u8], double_pumped: bool) -> bool {
    bytes.first_chunk().is_some_and(|window| Window::new(load(window)).is_dense::<T>(false, double_pumped))
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// The kernel of a CPU only makes the choices of its own kind.
    #[test]
    fn both_kinds_of_cpu_decode_the_same() {
        if super::super::Avx512::new().is_none() {
            return;
        }
        fn check<T: Lane>() {
            // Runs of one length, windows of short values, and short values with long ones among them.
            let bits = |i: u64| match i / 1000 {
                run @ 0..10 => 7 * run + 1,
                10 | 11 => 1 + i % 8 / 7 * 7,
                12 | 13 => 1 + i % 19 / 18 * 40,
                _ => 1 + i % 5 * 9,
            };
            let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63;
            let values: Vec<T> = (0..16_000).map(|i| T::from_wire(mixed(i) >> (64 - bits(i)))).collect();
            let mut src = std::vec![0; 10 * values.len()];
            let len = scalar::encode(&values, &mut src, Progress::default()).expect("space for all");
            for (canonical, double_pumped) in [(false, false), (false, true), (true, false), (true, true)] {
                let mut dst = std::vec![MaybeUninit::<T>::uninit(); values.len()];
                // SAFETY: the CPU has the kernel.
                let done = unsafe { decode(&src[..len], &mut dst, canonical, double_pumped) };
                assert_eq!(done, Ok(Progress { values: values.len(), bytes: len }));
                // SAFETY: as many values were decoded.
                let decoded = dst.iter().map(|slot| unsafe { slot.assume_init() });
                assert!(decoded.eq(values.iter().copied()), "{}, {double_pumped}", size_of::<T>());
            }
        }
        check::<u64>();
        check::<i64>();
        check::<u32>();
        check::<i32>();
        check::<u16>();
    }
}
