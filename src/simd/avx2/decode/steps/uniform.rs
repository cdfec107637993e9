//! Decodes runs of values of one length, which are common in sorted keys, timestamps and counters.

use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::super::super::block::swap_middle;
use super::at::At;
use super::squeeze::{gather, squeeze_dwords, squeeze_qwords, store_dwords, store_pairs, store_qwords};
use super::window::{last_bits, last_mask};
#[cfg(kernel = "avx512")]
use crate::error::Progress;
use crate::scalar::word::GROUPS;
use crate::simd::lane::Lane;

/// The number of bytes that are loaded for one turn of the loop.
const REACH: usize = 96;

/// The pattern of the bytes in values of `LEN` bytes.
struct Pattern<T, const LEN: usize>(PhantomData<T>);

impl<T: Lane, const LEN: usize> Pattern<T, LEN> {
    /// The number of values in a turn.
    const VALUES: usize = match LEN {
        1 => 64,
        2 => 32,
        3 | 4 => 16,
        _ => 8,
    };
    /// The number of registers that they fill; the last may be filled in part.
    const REGISTERS: usize = (Self::VALUES * LEN).div_ceil(32);
    /// The bits that determine the length.
    const MASK: [u8; REACH] = Self::table(0x80, if LEN < T::MAX_BYTES { 0x80 } else { last_mask::<T>() });
    /// The expected values of these bits.
    const BITS: [u8; REACH] = Self::table(0x80, if LEN < T::MAX_BYTES { 0 } else { last_bits::<T>() });
    /// All bits of the last byte of each value.
    const LAST: [u8; REACH] = Self::table(0, 0xff);

    /// Returns `last` for the last byte of each value, and `before` for the bytes before it.
    const fn table(before: u8, last: u8) -> [u8; REACH] {
        let mut table = [0; REACH];
        let mut at = 0;
        while at < Self::VALUES * LEN {
            table[at] = if at % LEN == LEN - 1 { last } else { before };
            at += 1;
        }
        table
    }

    /// Returns whether `bytes` begins with a turn of values of this length.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn matches<const CANONICAL: bool>(bytes: &[u8; REACH]) -> bool {
        let mut wrong = _mm256_setzero_si256();
        for register in 0..Self::REGISTERS {
            let load = |bytes: &[u8; REACH]| {
                let from = bytes.as_ptr().cast::<__m256i>();
                // SAFETY: `REACH` bytes are three registers.
                unsafe { _mm256_loadu_si256(from.add(register)) }
            };
            let bytes = load(bytes);
            let bits = _mm256_xor_si256(bytes, load(&Self::BITS));
            wrong = _mm256_or_si256(wrong, _mm256_and_si256(bits, load(&Self::MASK)));
            if CANONICAL {
                let zero = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
                wrong = _mm256_or_si256(wrong, _mm256_and_si256(zero, load(&Self::LAST)));
            }
        }
        _mm256_testz_si256(wrong, wrong) != 0
    }
}

/// Decodes values of `len` bytes while whole turns of them follow.
#[inline(never)]
#[target_feature(enable = "avx2")]
pub(in super::super) fn uniform<T: Lane>(
    len: usize,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    canonical: bool,
) -> At {
    match len {
        1 => of_length::<T, 1>(src, dst, from, canonical),
        2 => of_length::<T, 2>(src, dst, from, canonical),
        3 => of_length::<T, 3>(src, dst, from, canonical),
        4 => of_length::<T, 4>(src, dst, from, canonical),
        5 => of_length::<T, 5>(src, dst, from, canonical),
        6 => of_length::<T, 6>(src, dst, from, canonical),
        7 => of_length::<T, 7>(src, dst, from, canonical),
        8 => of_length::<T, 8>(src, dst, from, canonical),
        9 => of_length::<T, 9>(src, dst, from, canonical),
        10 => of_length::<T, 10>(src, dst, from, canonical),
        _ => from,
    }
}

/// Does the same for the decoder of AVX-512, whose position is `from`.
#[cfg(kernel = "avx512")]
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd) fn uniform_from<T: Lane>(
    len: usize,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Progress {
    let Progress { values, bytes } = from;
    let At { values, bytes } = uniform(len, src, dst, At { values, bytes }, canonical);
    Progress { values, bytes }
}

#[inline]
#[target_feature(enable = "avx2")]
fn of_length<T: Lane, const LEN: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    canonical: bool,
) -> At {
    let mut at = from;
    // A constant, so that nothing is compiled for lengths that the type does not have.
    if const { LEN <= T::MAX_BYTES } {
        // Two loops, because a test of `canonical` in the loop doubles the time of some lengths.
        if canonical && LEN > 1 {
            while turn::<T, LEN, true>(&mut at, src, dst) {}
        } else {
            while turn::<T, LEN, false>(&mut at, src, dst) {}
        }
    }
    at
}

/// Decodes one turn of values, and returns whether it did.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2")]
fn turn<T: Lane, const LEN: usize, const CANONICAL: bool>(
    at: &mut At,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
) -> bool {
    let values = Pattern::<T, LEN>::VALUES;
    let Some(bytes) = src[at.bytes..].first_chunk() else { return false };
    let Some(slots) = dst[at.values..].get_mut(..values) else { return false };
    if !Pattern::<T, LEN>::matches::<CANONICAL>(bytes) {
        return false;
    }
    for value in (0..values).step_by(8) {
        // SAFETY: the eight values are in `bytes`, past whose end no load reads, and `slots` has
        // space for them.
        unsafe {
            let (from, to) = (bytes.as_ptr().add(LEN * value), slots.as_mut_ptr().add(value));
            eight::<T, LEN>(from, to.cast::<T>());
        }
    }
    *at = At { values: at.values + values, bytes: at.bytes + LEN * values };
    true
}

/// Decodes eight values.
///
/// # Safety
///
/// 16 bytes can be read from the start of each value, and `to` has space for eight values.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn eight<T: Lane, const LEN: usize>(from: *const u8, to: *mut T) {
    let groups = _mm256_set1_epi8(0x7f);
    let start = |value| from.wrapping_add(LEN * value);
    // SAFETY: no load ends more than 16 bytes after the start of one of the values.
    unsafe {
        match LEN {
            1 if size_of::<T>() == 8 => {
                store_qwords(_mm256_cvtepu8_epi64(_mm_loadu_si32(from)), to);
                store_qwords(_mm256_cvtepu8_epi64(_mm_loadu_si32(from.add(4))), to.add(4));
            }
            1 => {
                let dwords = _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast()));
                store_dwords(swap_middle(dwords), to);
            }
            2 => {
                let bytes = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()));
                let dwords = squeeze_dwords(_mm256_and_si256(bytes, groups));
                store_dwords(swap_middle(dwords), to);
            }
            3 => {
                let bytes = _mm256_loadu2_m128i(from.add(12).cast(), from.cast());
                #[rustfmt::skip]
                let index = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
                let dwords = squeeze_dwords(_mm256_and_si256(_mm256_shuffle_epi8(bytes, index), groups));
                store_dwords(swap_middle(dwords), to);
            }
            4 => {
                let bytes = swap_middle(_mm256_loadu_si256(from.cast()));
                store_dwords(squeeze_dwords(_mm256_and_si256(bytes, groups)), to);
            }
            5 if T::MAX_BYTES == 5 => {
                let [x, _] = gather([start(0), start(1), start(4), start(5)]);
                let [y, _] = gather([start(2), start(3), start(6), start(7)]);
                let groups = _mm256_set1_epi64x(first_groups(LEN));
                let [x, y] = [x, y].map(|bytes| squeeze_dwords(_mm256_and_si256(bytes, groups)));
                store_pairs(x, y, to);
            }
            _ => {
                for value in [0, 4] {
                    let [low, high] = gather([value, value + 1, value + 2, value + 3].map(start));
                    let groups = _mm256_and_si256(low, _mm256_set1_epi64x(first_groups(LEN)));
                    let mut qwords = squeeze_qwords(groups);
                    if LEN > 8 {
                        qwords = _mm256_or_si256(qwords, _mm256_slli_epi64::<56>(high));
                    }
                    store_qwords(qwords, to.add(value));
                }
            }
        }
    }
}

/// Returns the mask of the groups in the first eight bytes of a value of `len` bytes.
const fn first_groups(len: usize) -> i64 {
    (if len < 8 { GROUPS & ((1 << (8 * len)) - 1) } else { GROUPS }) as i64
}
