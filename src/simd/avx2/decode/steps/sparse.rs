//! Decodes long values, in turns of a fixed number of values that two chains make at the same time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::at::At;
use super::squeeze::{gather, squeeze_dwords, squeeze_qwords, store_pairs, store_qwords};
use super::window::{OVERHANG, WINDOW, Window};
use crate::simd::lane::Lane;

/// The most windows in a span, which is a power of two: the bytes of a span and its values stay in the
/// L1 cache.
const MOST_WINDOWS: usize = 128;

/// Decodes the values that end in one span, unless these are many and therefore short.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn sparse<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    canonical: bool,
) -> At {
    let (src, dst) = (&src[from.bytes..], &mut dst[from.values..]);
    let Some(windows) = (src.len().saturating_sub(OVERHANG) / WINDOW).checked_ilog2() else { return from };
    let windows = MOST_WINDOWS.min(1 << windows);
    let mut ends = Ends([MaybeUninit::uninit(); MOST_WINDOWS + 2]);
    ends.0[0].write(u64::MAX);
    ends.0[windows + 1].write(u64::MAX);
    let mut marked = Marked { windows: 0, values: 0 };
    // SAFETY: the span is in `src`.
    while unsafe { marked.step(&mut ends, windows / 2, src.as_ptr(), canonical) } {}
    let middle = marked.values;
    // SAFETY: as above.
    while unsafe { marked.step(&mut ends, windows, src.as_ptr(), canonical) } {}
    let values = marked.values;
    let turns = middle.max(values - middle).div_ceil(values_per_turn::<T>()).max(1);
    if marked.windows < windows
        || ends.next(windows) <= WINDOW * (windows - 1)
        || values > windows * WINDOW / 2
        || middle + turns * values_per_turn::<T>() > dst.len()
    {
        return from;
    }
    let mut chains = Chains {
        at: [0, ends.next(windows / 2)],
        to: dst.as_mut_ptr().cast::<T>(),
        middle,
        turns,
        bad: _mm256_setzero_si256(),
    };
    // SAFETY: `src` has the bytes of the span and OVERHANG more. Each chain writes `turns` times, and
    // `dst` has space for what the second one writes, before which the first one does.
    while unsafe { chains.step(&ends, windows * WINDOW - 1, src.as_ptr()) } {}
    if chains.is_bad() {
        return from;
    }
    At { values: from.values + values, bytes: from.bytes + ends.next(windows) }
}

/// The number of values that a chain decodes in a turn: together, they have at most 40 bytes.
const fn values_per_turn<T: Lane>() -> usize {
    if T::MAX_BYTES > 5 { 4 } else { 8 }
}

/// The bytes of a span that end values: whole windows, of which the first begins with a value. Bit k
/// of a word is set if byte k of the window ends one. There is a word before the first window and
/// one after the last, and all of their bytes end values.
struct Ends([MaybeUninit<u64>; MOST_WINDOWS + 2]);

impl Ends {
    /// Returns the start of the first value that ends in this window or after it. If none ends in the
    /// window before, this is not known, and the result is where that window begins.
    #[inline]
    #[target_feature(enable = "lzcnt")]
    fn next(&self, window: usize) -> usize {
        // SAFETY: the caller has marked the window before.
        let before = unsafe { self.0[window].assume_init() };
        WINDOW * window - before.leading_zeros() as usize
    }

    /// Returns the ends from this position on, of at least 57 bytes.
    ///
    /// # Safety
    ///
    /// The position is in the span, all windows of which are marked.
    #[inline]
    unsafe fn from(&self, at: usize) -> u64 {
        let word = self.0.as_ptr().wrapping_add(1).cast::<u8>().wrapping_add(at / 8);
        // SAFETY: there is a word after those of the span's windows.
        unsafe { word.cast::<u64>().read_unaligned() >> (at % 8) }
    }
}

/// The windows of a span that are marked in its `Ends`, and the number of values that end in them.
#[repr(C)]
struct Marked {
    windows: usize,
    values: usize,
}

impl Marked {
    /// Marks the next window of the span at `src`, if it is before window `until` and, in canonical
    /// decoding, has no value that may be overlong. Returns whether it did.
    ///
    /// # Safety
    ///
    /// The span has `until` windows or more, and their bytes can be read.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn step(&mut self, ends: &mut Ends, until: usize, src: *const u8, canonical: bool) -> bool {
        if self.windows >= until {
            return false;
        }
        // SAFETY: the caller ensures it.
        let window = unsafe { Window::load_from(src.wrapping_add(WINDOW * self.windows)) };
        // SAFETY: there is a word before the first window, and one for each window.
        let word = unsafe { ends.0.as_mut_ptr().add(self.windows) };
        if canonical {
            // SAFETY: the words up to that of the window before are initialized.
            let carried = unsafe { (*word).assume_init() } >> 63 == 0;
            if window.has_overlong() || carried && window.zeros() & 1 == 1 {
                return false;
            }
        }
        // SAFETY: as above.
        unsafe { (*word.add(1)).write(window.ends()) };
        self.values += window.ends().count_ones() as usize;
        self.windows += 1;
        true
    }
}

/// The state between two turns of both chains. A turn takes some 15 cycles from one position to the
/// next, in which the CPU makes the turns of the other chain.
#[repr(C)]
struct Chains<T> {
    /// Where the next value of each chain starts in the span.
    at: [usize; 2],
    /// The slot for the next value of the first chain.
    to: *mut T,
    /// The distance of the second chain's slot from it.
    middle: usize,
    /// The number of turns that are left.
    turns: usize,
    /// The bits in which the values so far are not as they must be.
    bad: __m256i,
}

impl<T: Lane> Chains<T> {
    /// Makes a turn of each chain, and returns whether one is left.
    ///
    /// If the first chain has fewer values than the second, it decodes the second one's first values
    /// too, which are the same there. If the second has fewer, it decodes what begins with any bytes
    /// of the span, to slots after the last value.
    ///
    /// # Safety
    ///
    /// `src` has the bytes of the span, of which `last` is the last, and OVERHANG more. There is space
    /// for a turn of each chain.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    unsafe fn step(&mut self, ends: &Ends, last: usize, src: *const u8) -> bool {
        let [a, b] = self.at;
        // SAFETY: the positions are in the span. If there is no end after one, it is at least 57 bytes
        // before the end of the span, and 16 bytes are loaded from 65 bytes after it. The caller
        // ensures the rest.
        let [a, b] = unsafe {
            [
                a + turn(src.wrapping_add(a), ends.from(a), self.to, &mut self.bad),
                b + turn(src.wrapping_add(b), ends.from(b), self.to.wrapping_add(self.middle), &mut self.bad),
            ]
        };
        // Only invalid values and what follows the last one lead out of the span. Any position in it
        // will do for them.
        self.at = [a & last, b & last];
        self.to = self.to.wrapping_add(values_per_turn::<T>());
        self.turns -= 1;
        self.turns != 0
    }

    /// Returns whether a value was invalid, or valid but not one that a turn can decode.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn is_bad(&self) -> bool {
        let bits = if T::MAX_BYTES > 5 { 0xff00 } else { 0xf0 << 32 };
        _mm256_testz_si256(self.bad, _mm256_set1_epi64x(bits)) == 0
    }
}

/// Decodes as many values as one turn of a chain has, and returns the length of their encodings.
///
/// # Safety
///
/// 16 bytes can be read from each start, and `to` has space for the values.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi1")]
unsafe fn turn<T: Lane>(first: *const u8, mut ends: u64, to: *mut T, bad: &mut __m256i) -> usize {
    let mut len = 0;
    let mut next = || {
        let start = first.wrapping_add(len);
        len = ends.trailing_zeros() as usize + 1;
        ends &= ends.wrapping_sub(1);
        start
    };
    // SAFETY: the caller ensures it.
    unsafe {
        if T::MAX_BYTES > 5 {
            store_qwords(up_to_ten_bytes_each([next(), next(), next(), next()], bad), to);
        } else {
            let [a, b, c, d] = [next(), next(), next(), next()];
            let [e, f, g, h] = [next(), next(), next(), next()];
            let (x, y) = (up_to_five_bytes_each([a, b, e, f], bad), up_to_five_bytes_each([c, d, g, h], bad));
            store_pairs(x, y, to);
        }
    }
    len
}

/// Decodes four values to qwords.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_ten_bytes_each(starts: [*const u8; 4], bad: &mut __m256i) -> __m256i {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [low, high] = unsafe { gather(starts) };
    let (value, carried) = up_to_last(low);
    let nine = _mm256_cmpeq_epi64(carried, _mm256_setzero_si256());
    let ninth = _mm256_and_si256(_mm256_slli_epi64::<56>(high), nine);
    // If the ninth byte has its continuation bit set, the tenth must be 1.
    let ten = _mm256_cmpgt_epi64(_mm256_setzero_si256(), ninth);
    *bad = _mm256_or_si256(*bad, _mm256_and_si256(ten, _mm256_xor_si256(high, _mm256_set1_epi64x(0x100))));
    _mm256_or_si256(squeeze_qwords(groups(value)), ninth)
}

/// Decodes four values to qwords, with 28 bits in the low dword and the rest in the high one.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_five_bytes_each(starts: [*const u8; 4], bad: &mut __m256i) -> __m256i {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [low, _] = unsafe { gather(starts) };
    let (value, _) = up_to_last(low);
    // A fifth byte must not have one of its four top bits set.
    *bad = _mm256_or_si256(*bad, value);
    squeeze_dwords(groups(value))
}

/// Returns the value at the start of each qword, without the bytes after it, and zero where all eight
/// bytes continue it.
#[inline]
#[target_feature(enable = "avx2")]
fn up_to_last(bytes: __m256i) -> (__m256i, __m256i) {
    // With all bits of the groups set, an addition of one carries through the continuation bytes
    // and stops at the last byte.
    let full = _mm256_or_si256(bytes, _mm256_set1_epi8(0x7f));
    let carried = _mm256_sub_epi64(full, _mm256_set1_epi64x(-1));
    (_mm256_andnot_si256(carried, bytes), carried)
}

/// Clears the continuation bits.
#[inline]
#[target_feature(enable = "avx2")]
fn groups(bytes: __m256i) -> __m256i {
    _mm256_and_si256(bytes, _mm256_set1_epi8(0x7f))
}
