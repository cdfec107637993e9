//! The positions of the values in a window, and the check that finds doubtful ones.

use core::arch::x86_64::*;

use super::super::vector::{BYTES, load};
use crate::simd::lane::Lane;

/// 64 bytes of input.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Window {
    pub(super) data: __m512i,
    /// Bit i is set if byte i has its continuation bit set.
    more: u64,
}

/// The number of values in a window from which on it is one for AVX2's loop; and the same while that loop
/// is used, which goes on for several windows.
const DENSE: [u32; 2] = [52, 44];
/// The same for values of 64 bits on a CPU that executes each operation on 64 bytes as two.
const DENSE_DOUBLE_PUMPED: [u32; 2] = [30, 24];

/// The positions of the values in a window. Byte i of each vector belongs to value i.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Places {
    /// The index of the first byte of the value.
    pub(super) starts: __m512i,
    /// The bits that the value's byte after the first `size_of::<T>()` adds to the top byte of the
    /// lane.
    pub(super) tops: __m512i,
}

impl Window {
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(super) fn new(data: __m512i) -> Self {
        Self { data, more: _mm512_movepi8_mask(data) }
    }

    /// Returns a mask in which bit i is set if byte i ends a value.
    #[inline]
    pub(super) fn ends(self) -> u64 {
        !self.more
    }

    /// Returns a mask in which bit i is set if each of the `n` bytes before byte i has its
    /// continuation bit set.
    #[inline]
    fn follows(self, n: usize) -> u64 {
        let mut runs = self.more;
        let mut len = 1;
        while 2 * len <= n {
            runs &= runs << len;
            len *= 2;
        }
        if len < n {
            runs &= runs << (n - len);
        }
        runs << 1
    }

    /// Returns a mask in which bit i is set if at least `size_of::<T>()` bytes of the same value
    /// precede byte i.
    #[inline]
    pub(super) fn long<T: Lane>(self) -> u64 {
        self.follows(size_of::<T>())
    }

    /// Returns whether AVX2's loop is faster for such windows. `is_used`: whether it decoded the last ones.
    #[inline]
    pub(super) fn is_dense<T: Lane>(self, is_used: bool, double_pumped: bool) -> bool {
        let (is_used, values) = (usize::from(is_used), self.ends().count_ones());
        match size_of::<T>() {
            8 if double_pumped => values >= DENSE_DOUBLE_PUMPED[is_used],
            // That loop mispredicts a branch for the number of values of more than four bytes. Unsigned
            // values of 64 bits need the fewest steps here.
            8 if !T::SIGNED => false,
            4 | 8 => values >= DENSE[is_used] && self.follows(4) == 0,
            // Values of 16 bits have 32 lanes in a vector.
            _ => false,
        }
    }

    /// Returns a mask in which bit i is set if byte i makes its value too large or too long. Bits are
    /// also set for values that are valid but that the vectors would decode wrongly. Without `LONG`, no
    /// value may have more than `size_of::<T>()` bytes.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(super) fn doubts<T: Lane, const LONG: bool>(self) -> u64 {
        if !LONG {
            return 0;
        }
        let last_max = _mm512_set1_epi8(T::LAST_MAX as i8);
        let unfit = match size_of::<T>() {
            // The continuation bit of the ninth byte becomes bit 63 of the value. The tenth byte
            // must therefore be 1.
            8 => _mm512_cmpneq_epu8_mask(self.data, last_max),
            _ => _mm512_cmpgt_epu8_mask(self.data, last_max),
        };
        self.follows(T::MAX_BYTES - 1) & unfit
    }

    /// Returns a mask in which bit i is set if byte i makes its value overlong.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(super) fn overlong(self) -> u64 {
        self.follows(1) & _mm512_testn_epi8_mask(self.data, self.data)
    }

    /// Returns the positions of the values that end at `ends` and begin at `starts`. Without
    /// `LONG`, no value may have more than `size_of::<T>()` bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
    pub(super) fn places<T: Lane, const LONG: bool>(self, starts: u64, ends: u64) -> Places {
        const INDEX: [u8; BYTES] = {
            let mut index = [0; BYTES];
            let mut i = 0;
            while i < BYTES {
                index[i] = i as u8;
                i += 1;
            }
            index
        };
        let starts = _mm512_maskz_compress_epi8(starts, load(&INDEX));
        let tops = if LONG {
            let long = _pext_u64(self.long::<T>(), ends);
            let next = _mm512_add_epi8(starts, _mm512_set1_epi8(size_of::<T>() as i8));
            to_top::<T>(_mm512_maskz_permutexvar_epi8(long, next, self.data))
        } else {
            _mm512_setzero_si512()
        };
        Places { starts, tops }
    }
}

/// Moves the bits of bytes that follow `size_of::<T>()` others of their values to their positions
/// in the top byte of a lane.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn to_top<T: Lane>(bytes: __m512i) -> __m512i {
    // A lane of 2 bytes has 2 bits left after 2 groups, and a lane of 4 bytes has 4. A lane of 8
    // bytes has 8 bits left for the ninth byte, whose continuation bit is bit 63. Bytes of valid
    // values have no other bits set, so that no bit is shifted into the next byte.
    match size_of::<T>() {
        8 => bytes,
        4 => _mm512_slli_epi16::<4>(bytes),
        _ => _mm512_slli_epi16::<6>(bytes),
    }
}

/// Returns the common length of the values that end at `ends`, if they have one. The first value is
/// not considered, because it may begin before the window.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "bmi1,lzcnt")]
pub(super) fn common_len(ends: u64) -> Option<usize> {
    /// Entry n: every n-th bit.
    const PERIODIC: [u64; 11] = {
        let mut masks = [0; 11];
        let mut period = 1;
        while period < masks.len() {
            let mut bit = 0;
            while bit < 64 {
                masks[period] |= 1 << bit;
                bit += period;
            }
            period += 1;
        }
        masks
    };
    let others = _blsr_u64(ends);
    if others == 0 {
        return None;
    }
    let first = ends.trailing_zeros();
    let len = (others.trailing_zeros() - first) as usize;
    let up_to_last = !0 >> ends.leading_zeros();
    (PERIODIC.get(len)? << first & up_to_last == ends).then_some(len)
}
