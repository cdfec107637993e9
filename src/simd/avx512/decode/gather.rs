//! Makes values of bytes: gathers them in lanes, clears those after the last byte of each value,
//! and joins the groups.

use core::arch::x86_64::*;
use core::hint::black_box;

use super::super::vector::{BYTES, from_raw, load, splat};
use super::window::Places;
use crate::scalar::rule::CONTINUE;
use crate::simd::lane::Lane;

/// Makes lanes of values from bytes.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// A mask of the top byte of every lane.
    top: __mmask64,
}

/// The tables, which depend only on the width of `T`.
struct Tables<T>(T);

impl<T: Lane> Tables<T> {
    /// Entry g: for each byte of vector g of results, the number of its lane.
    const LANE: [[u8; BYTES]; 8] = {
        let mut tables = [[0; BYTES]; 8];
        let mut byte = 0;
        while byte < size_of::<T>() * BYTES {
            tables[byte / BYTES][byte % BYTES] = (byte / size_of::<T>()) as u8;
            byte += 1;
        }
        tables
    };

    /// For each byte of a vector, its index in the lane.
    const BYTE: [u8; BYTES] = {
        let mut table = [0; BYTES];
        let mut byte = 0;
        while byte < BYTES {
            table[byte] = (byte % size_of::<T>()) as u8;
            byte += 1;
        }
        table
    };

    /// The mask of the top byte of every lane.
    const TOP: u64 = {
        let mut mask = 0;
        let mut byte = size_of::<T>() - 1;
        while byte < BYTES {
            mask |= 1 << byte;
            byte += size_of::<T>();
        }
        mask
    };
}

impl Lanes {
    #[inline]
    pub(super) fn new<T: Lane>() -> Self {
        // `black_box` hides the constant from the compiler, which would otherwise load it again for
        // each use.
        Self { top: black_box(Tables::<T>::TOP) }
    }

    /// Returns vector number `group` of the values in a window, each of `lane_count::<T>()` lanes.
    /// Without `LONG`, no value may have more than `size_of::<T>()` bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(super) fn gather<T: Lane, const LONG: bool>(
        self,
        data: __m512i,
        places: &Places,
        group: usize,
    ) -> __m512i {
        let lane = load(&Tables::<T>::LANE[group]);
        let starts = _mm512_permutexvar_epi8(lane, places.starts);
        let bytes = _mm512_add_epi8(starts, load(&Tables::<T>::BYTE));
        let (groups, _) = cut::<T>(_mm512_permutexvar_epi8(bytes, data));
        let top = match LONG {
            true => _mm512_maskz_permutexvar_epi8(self.top, lane, places.tops),
            false => _mm512_setzero_si512(),
        };
        self.squeeze::<T>(groups, top)
    }

    /// Joins the groups in each lane to a value, and adds the bits in `top`, which are in the top
    /// byte of each lane.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(super) fn squeeze<T: Lane>(self, groups: __m512i, top: __m512i) -> __m512i {
        from_raw::<T>(match size_of::<T>() {
            8 => {
                // Byte i of the value takes its low bits from group i, and the others from the next
                // group.
                const LOW: u64 = u64::from_le_bytes([0, 9, 18, 27, 36, 45, 54, 0]);
                const HIGH: u64 = u64::from_le_bytes([1, 10, 19, 28, 37, 46, 55, 0]);
                const FROM_LOW: u64 = u64::from_le_bytes([0x7f, 0x3f, 0x1f, 0x0f, 0x07, 0x03, 0x01, 0]);
                let low = _mm512_multishift_epi64_epi8(splat::<8>(LOW), groups);
                let high = _mm512_mask_multishift_epi64_epi8(top, !self.top, splat::<8>(HIGH), groups);
                _mm512_ternarylogic_epi64::<0xca>(splat::<8>(FROM_LOW), low, high)
            }
            size => {
                let groups = _mm512_and_si512(groups, _mm512_set1_epi8(!CONTINUE as i8));
                let pairs = _mm512_maddubs_epi16(_mm512_set1_epi16(i16::from_le_bytes([1, 1 << 7])), groups);
                let low = match size {
                    4 => _mm512_madd_epi16(pairs, _mm512_set1_epi32(1 | 1 << (16 + 14))),
                    _ => pairs,
                };
                _mm512_or_si512(low, top)
            }
        })
    }
}

/// Clears the bytes of each lane after the one that ends its value. Returns also the mask of the
/// lanes in which none does.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn cut<T: Lane>(bytes: __m512i) -> (__m512i, __mmask16) {
    // With all bits of the groups set, an addition of one carries through the continuation bytes
    // and stops at the last byte.
    let full = _mm512_or_si512(bytes, _mm512_set1_epi8(!CONTINUE as i8));
    let minus_one = _mm512_set1_epi8(-1);
    let carried = match size_of::<T>() {
        8 => _mm512_sub_epi64(full, minus_one),
        4 => _mm512_sub_epi32(full, minus_one),
        _ => _mm512_sub_epi16(full, minus_one),
    };
    let long = match size_of::<T>() {
        8 => _mm512_testn_epi64_mask(carried, carried).into(),
        _ => _mm512_testn_epi32_mask(carried, carried),
    };
    // bytes & (full ^ carried)
    (_mm512_ternarylogic_epi64::<0x60>(bytes, full, carried), long)
}
