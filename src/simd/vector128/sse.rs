//! The SSE kernel, for x86-64 with SSSE3, SSE4.1 and POPCNT. It is chosen on CPUs without AVX2, and
//! on those whose `pext` and `pdep` are microcode (AMD before Zen 3).
//!
//! It has not been measured on such a CPU. On a Zen 4, for new values of 32 and 64 bits, 4096 in a
//! slice, it takes .25 to .85 of the SWAR kernel's time in encoding, and .23 to .75 in decoding. The
//! time is the same for signed values of one byte among which a few are long in encoding, and for u32
//! of one byte in decoding. In encoding 35 to 47 values of two bytes, or 64 of which a few are long, it
//! can take up to 1.15 of that time.

use core::arch::x86_64::*;

use super::machine::{Machine, Packing, operations};
use super::{decode, encode};
use crate::simd::detect::has;
use crate::simd::scalar;
use crate::simd::slices::slices;

/// A value proves that the CPU has every instruction in this module: only [`Sse::new`] returns one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sse(());

impl Sse {
    /// Returns the kernel, or `None` if the CPU does not support it.
    pub(crate) fn new() -> Option<Self> {
        has!("ssse3" "sse4.1" "popcnt").then_some(Self(()))
    }
}

slices!(Sse "sse" scalar {
    encode(src, dst) => encode::encode(Sse(()), src, dst),
    decode(self, src, dst, canonical) => decode::decode(Sse(()), src, dst, canonical),
});

type V = __m128i;

impl Machine for Sse {
    type V = V;

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> V {
        // SAFETY: the caller ensures that 16 bytes can be read.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, x: V) {
        // SAFETY: the caller ensures that 16 bytes can be written.
        unsafe { _mm_storeu_si128(to.cast(), x) }
    }

    #[inline(always)]
    unsafe fn store_low(self, to: *mut u8, x: V) {
        // SAFETY: the caller ensures that 8 bytes can be written.
        unsafe { _mm_storel_epi64(to.cast(), x) }
    }

    operations! {
        splat(x: u64) -> V = _mm_set1_epi64x(x as i64);
        halves(x: V) -> [u64; 2] = [_mm_cvtsi128_si64(x) as u64, _mm_extract_epi64::<1>(x) as u64];
        and(a: V, b: V) -> V = _mm_and_si128(a, b);
        or(a: V, b: V) -> V = _mm_or_si128(a, b);
        and_not(a: V, b: V) -> V = _mm_andnot_si128(b, a);
        minus_one32(x: V) -> V = _mm_add_epi32(x, _mm_set1_epi32(-1));
        minus_one64(x: V) -> V = _mm_add_epi64(x, _mm_set1_epi64x(-1));
        is_zero64(x: V) -> V = _mm_cmpeq_epi64(x, _mm_setzero_si128());
        equal8(x: V, byte: u8) -> V = _mm_cmpeq_epi8(x, _mm_set1_epi8(byte as i8));
        above8(x: V, byte: u8) -> V = {
            let limited = _mm_min_epu8(x, _mm_set1_epi8(byte as i8));
            _mm_xor_si128(_mm_cmpeq_epi8(limited, x), _mm_set1_epi8(-1))
        };
        mask([a, b, c, d]: [V; 4]) -> u64 = {
            let (a, b) = (_mm_movemask_epi8(a) as u32, _mm_movemask_epi8(b) as u32);
            let (c, d) = (_mm_movemask_epi8(c) as u32, _mm_movemask_epi8(d) as u32);
            u64::from(a | b << 16) | u64::from(c | d << 16) << 32
        };
        swizzle(bytes: V, indices: V) -> V = _mm_shuffle_epi8(bytes, indices);
        zip64(a: V, b: V) -> [V; 2] = [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)];
        widen8(x: V) -> V = _mm_cvtepu8_epi16(x);
        widen16(x: V) -> [V; 2] = [_mm_cvtepu16_epi32(x), _mm_unpackhi_epi16(x, _mm_setzero_si128())];
        <const SIGNED: bool> widen32(x: V) -> [V; 2] = {
            let high = if SIGNED { _mm_srai_epi32::<31>(x) } else { _mm_setzero_si128() };
            [_mm_unpacklo_epi32(x, high), _mm_unpackhi_epi32(x, high)]
        };
        narrow64(a: V, b: V) -> V =
            _mm_castps_si128(_mm_shuffle_ps::<0x88>(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));
        narrow32(a: V, b: V) -> V = _mm_packus_epi32(a, b);
        narrow32_twice([a, b, c, d]: [V; 4]) -> V =
            _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        <const BYTES: usize> zigzag(x: V) -> V = match BYTES {
            4 => _mm_xor_si128(_mm_add_epi32(x, x), _mm_srai_epi32::<31>(x)),
            _ => _mm_xor_si128(_mm_add_epi64(x, x), _mm_shuffle_epi32::<0xf5>(_mm_srai_epi32::<31>(x))),
        };
        <const BYTES: usize> unzigzag(x: V) -> V = match BYTES {
            4 => _mm_xor_si128(_mm_srli_epi32::<1>(x), _mm_srai_epi32::<31>(_mm_slli_epi32::<31>(x))),
            _ => {
                let sign = _mm_sub_epi64(_mm_setzero_si128(), _mm_and_si128(x, _mm_set1_epi64x(1)));
                _mm_xor_si128(_mm_srli_epi64::<1>(x), sign)
            }
        };
        squeeze2(x: V) -> V =
            _mm_maddubs_epi16(_mm_set1_epi16(0x8001_u16 as i16), _mm_and_si128(x, _mm_set1_epi8(0x7f)));
        // The sum of the lower 14 bits and 2^14 times the upper ones.
        squeeze4(x: V) -> V = _mm_madd_epi16(Sse(()).squeeze2(x), _mm_set1_epi32(1 << 30 | 1));
        squeeze8(x: V) -> V = {
            let x = Sse(()).squeeze4(x);
            let high = _mm_and_si128(_mm_srli_epi64::<4>(x), _mm_set1_epi64x(0x00ff_ffff_f000_0000));
            _mm_or_si128(_mm_and_si128(x, _mm_set1_epi64x(0x0fff_ffff)), high)
        };
        with_ninth(low: V, ninth: V) -> V = _mm_or_si128(low, _mm_slli_epi64::<56>(ninth));
        spread8(x: V) -> V = {
            let high = _mm_and_si128(_mm_slli_epi64::<4>(x), _mm_set1_epi64x(0x0fff_ffff_0000_0000));
            spread4(_mm_or_si128(_mm_and_si128(x, _mm_set1_epi64x(0x0fff_ffff)), high))
        };
        encode_words(x: V) -> (V, Packing) = {
            let two = _mm_cmpgt_epi16(x, _mm_set1_epi16(0x7f));
            let key = _mm_movemask_epi8(_mm_packs_epi16(two, _mm_setzero_si128())) as u8;
            let bytes = _mm_or_si128(spread2(x), _mm_and_si128(two, _mm_set1_epi16(0x80)));
            (bytes, Packing { key, len: 8 + key.count_ones() as usize })
        };
        encode_dwords([a, b]: [V; 2]) -> [(V, Packing); 2] = {
            let ((a, a_unused), (b, b_unused)) = (spread_and_unused(a), spread_and_unused(b));
            // One sum computes two numbers for each vector: the key in the low byte, and the number of
            // unused bytes in the next one.
            let weights = _mm_setr_epi16(-0x101, -0x104, -0x110, -0x140, -0x101, -0x104, -0x110, -0x140);
            let sums = _mm_madd_epi16(_mm_packs_epi32(a_unused, b_unused), weights);
            let sums = Sse(()).halves(sums).map(|halves| (halves + (halves >> 32)) as u32);
            let [a_packing, b_packing] = sums.map(|sum| Packing { key: sum as u8, len: 16 - (sum >> 8) as usize });
            [(a, a_packing), (b, b_packing)]
        };
    }
}

/// Spreads two groups in each 16 bits.
#[target_feature(enable = "sse2")]
#[inline]
fn spread2(x: V) -> V {
    // Adding the upper group moves it up by one bit.
    _mm_add_epi16(x, _mm_and_si128(x, _mm_set1_epi16(0x3f80)))
}

/// Spreads four groups in each 32 bits.
#[target_feature(enable = "sse2")]
#[inline]
fn spread4(x: V) -> V {
    let high = _mm_slli_epi32::<2>(_mm_and_si128(x, _mm_set1_epi32(0x0fff_c000)));
    spread2(_mm_or_si128(_mm_and_si128(x, _mm_set1_epi32(0x3fff)), high))
}

/// Returns the bytes of four values below 2^28, with continuation bits, and minus the number of
/// unused bytes of each.
#[target_feature(enable = "sse2")]
#[inline]
fn spread_and_unused(x: V) -> (V, V) {
    let [one, two, three] =
        [1 << 7, 1 << 14, 1 << 21].map(|longer| _mm_cmplt_epi32(x, _mm_set1_epi32(longer)));
    let [first, second, third] = [(0x80, one), (0x8000, two), (0x80_0000, three)]
        .map(|(continuation, short)| _mm_andnot_si128(short, _mm_set1_epi32(continuation)));
    let bytes = _mm_or_si128(_mm_or_si128(spread4(x), first), _mm_or_si128(second, third));
    // Each comparison that is true adds -1.
    (bytes, _mm_add_epi32(_mm_add_epi32(one, two), three))
}
