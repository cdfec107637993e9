//! Decodes long values: first lists where they start in a span of windows, then decodes a whole
//! vector of them at a time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::vector::{BYTES, lane_count, load, load_at, store_lanes};
use super::fixed_stride::Pause;
use super::gather::{Lanes, cut};
use super::window::Window;
use crate::error::Progress;
use crate::simd::lane::Lane;

/// The most windows in a span.
const MOST_WINDOWS: usize = 128;
/// The most values of a window in it. A window writes 32 entries to the list, so that at least eight
/// follow those of its values.
const MOST_VALUES: usize = 24;
/// The number of bytes that a vector may read from its start on: the second load begins up to 63
/// bytes after the first.
const REACH: usize = 63 + BYTES;
/// The number of vectors that are checked together.
const UNROLL: usize = 2;

/// Decodes the values of one span from `done` on, where a value begins.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn listed<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    canonical: bool,
) -> Pause {
    let (src, dst) = (&src[done.bytes..], &mut dst[done.values..]);
    let mut starts = Starts([MaybeUninit::uninit(); _]);
    starts.0[0].write(0);
    let mut listing = Listing { windows: 0, values: 0, more: 0 };
    let windows = MOST_WINDOWS.min(src.len() / BYTES);
    // SAFETY: `src` has these windows.
    while unsafe { listing.step(&mut starts, windows, src, canonical) } {}
    let end = listing.values.min(dst.len());
    let lanes = Lanes::new::<T>();
    let mut listed = Listed { at: 0, values: 0, doubt: false };
    // SAFETY: the starts of `end` values are listed, and `dst` has space for them.
    while unsafe { listed.step::<T, UNROLL>(&starts, end, lanes, src, dst) } {}
    // SAFETY: as above.
    while unsafe { listed.step::<T, 1>(&starts, end, lanes, src, dst) } {}
    done.values += listed.values;
    done.bytes += listed.at;
    if listed.doubt { Pause::Doubt } else { Pause::Other }
}

/// The positions in a span at which its values start, and the one at which the last value ends. Only
/// the low byte of each is kept, because a value starts fewer than 256 bytes after the one before.
struct Starts([MaybeUninit<u8>; MOST_WINDOWS * MOST_VALUES + 9]);

/// The low bytes of the positions after each byte of four windows. A table in memory, because
/// `vpcompressb` waits for what was in its destination, which is then loaded before.
#[repr(align(64))]
struct After([[u8; BYTES]; 4]);

static AFTER: After = {
    let mut after = [[0; BYTES]; 4];
    let mut at = 0;
    while at < 256 {
        after[at / BYTES][at % BYTES] = (at + 1) as u8;
        at += 1;
    }
    After(after)
};

/// The windows of a span whose values are listed, and the number of these values.
#[repr(C)]
struct Listing {
    windows: usize,
    values: usize,
    /// The continuation bits of the window before, in canonical decoding.
    more: u64,
}

impl Listing {
    /// Lists the values that end in the next window, and returns whether it did. It does not if they
    /// are too many or, in canonical decoding, one may be overlong.
    ///
    /// # Safety
    ///
    /// `src` has `until` windows, which is at most [`MOST_WINDOWS`].
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,popcnt")]
    unsafe fn step(&mut self, starts: &mut Starts, until: usize, src: &[u8], canonical: bool) -> bool {
        if self.windows >= until {
            return false;
        }
        // SAFETY: the caller ensures that `src` has the window.
        let data = unsafe { load_at(src, self.windows * BYTES) };
        let ends = Window::new(data).ends();
        let values = ends.count_ones() as usize;
        if values > MOST_VALUES {
            return false;
        }
        if canonical {
            let follows = !ends << 1 | self.more >> 63;
            if _mm512_testn_epi8_mask(data, data) & follows != 0 {
                return false;
            }
            self.more = !ends;
        }
        let after = _mm512_maskz_compress_epi8(ends, load(&AFTER.0[self.windows % AFTER.0.len()]));
        // SAFETY: at most `MOST_VALUES` entries of each window before this one precede the 32 that are
        // written.
        unsafe {
            let to = starts.0.as_mut_ptr().add(self.values + 1);
            _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(after));
        }
        self.values += values;
        self.windows += 1;
        true
    }
}

/// The tables, which depend only on the width of `T`. A vector is made of two loads, one from the
/// first value of each half on.
struct Tables<T>(T);

impl<T: Lane> Tables<T> {
    /// For each value of a vector, the first one of its half.
    const FIRST: [u8; BYTES] = {
        let (mut table, half) = ([0; BYTES], lane_count::<T>() / 2);
        let mut value = 0;
        while value < 2 * half {
            table[value] = (value / half * half) as u8;
            value += 1;
        }
        table
    };

    /// For each byte of a vector, the number of its lane.
    const LANE: [u8; BYTES] = {
        let mut table = [0; BYTES];
        let mut byte = 0;
        while byte < BYTES {
            table[byte] = (byte / size_of::<T>()) as u8;
            byte += 1;
        }
        table
    };

    /// For each byte of a vector, its distance from the start of the value in the bytes of both loads.
    const LOW: [u8; BYTES] = Self::distances(false);
    /// The same for the bytes after those. The top byte of a lane is the first of them, and for 64
    /// bits, the other bytes are the second.
    const HIGH: [u8; BYTES] = Self::distances(true);

    const fn distances(high: bool) -> [u8; BYTES] {
        let (mut table, size) = ([0; BYTES], size_of::<T>());
        let mut byte = 0;
        while byte < BYTES {
            let distance = match byte % size {
                of_lane if !high => of_lane,
                of_lane if size == 8 && of_lane < 7 => 9,
                _ => size,
            };
            table[byte] = (byte / 32 * BYTES + distance) as u8;
            byte += 1;
        }
        table
    }
}

/// The progress in a span whose values are listed.
#[repr(C)]
struct Listed {
    /// Where the next value starts.
    at: usize,
    values: usize,
    /// Whether one of the next values may be invalid, or valid but not decodable by vectors.
    doubt: bool,
}

impl Listed {
    /// Decodes `N` vectors, and returns whether it did.
    ///
    /// # Safety
    ///
    /// The starts of `end` values are listed, and `dst` has space for them.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx512vbmi,bmi2")]
    unsafe fn step<T: Lane, const N: usize>(
        &mut self,
        starts: &Starts,
        end: usize,
        lanes: Lanes,
        src: &[u8],
        dst: &mut [MaybeUninit<T>],
    ) -> bool {
        // Invalid values may be longer than others, but one vector advances by at most 127 bytes.
        let reach = (N - 1) * 127 + REACH;
        if end - self.values < N * lane_count::<T>() || src.len() - self.at < reach {
            return false;
        }
        let (mut at, mut values) = (self.at, self.values);
        let mut wrong = _mm512_setzero_si512();
        for _ in 0..N {
            // SAFETY: the entries of a vector are listed, and 16 bytes follow the first of them. The
            // bytes are volatile, because the compiler would take them from the vector, which is slow.
            let (entries, [first, middle, next]) = unsafe {
                let from = starts.0.as_ptr().cast::<u8>().add(values);
                let at = [0, lane_count::<T>() / 2, lane_count::<T>()];
                (_mm_loadu_si128(from.cast()), at.map(|value| from.add(value).read_volatile()))
            };
            let half = usize::from(middle.wrapping_sub(first)) % BYTES;
            // SAFETY: at least `REACH` bytes follow `at`.
            let [a, b] = unsafe { [load_at(src, at), load_at(src, at + half)] };
            let (vector, bits) = vector::<T>(lanes, entries, a, b);
            wrong = _mm512_max_epi32(wrong, bits);
            // SAFETY: `values` is at least a vector less than `end`.
            unsafe { store_lanes(dst, values, vector) };
            values += lane_count::<T>();
            at += usize::from(next.wrapping_sub(first)) % 128;
        }
        self.doubt = _mm512_cmpgt_epi32_mask(wrong, _mm512_setzero_si512()) != 0;
        if !self.doubt {
            (self.at, self.values) = (at, values);
        }
        !self.doubt
    }
}

/// Returns a vector of values, and a vector that has a positive dword if one of them is in doubt. The
/// first half of the values begins with `a`, and the second one with `b`.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn vector<T: Lane>(lanes: Lanes, entries: __m128i, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let firsts = _mm512_castsi512_si128(load(&Tables::<T>::FIRST));
    let distances = _mm_sub_epi8(entries, _mm_shuffle_epi8(entries, firsts));
    let distances = _mm512_permutexvar_epi8(load(&Tables::<T>::LANE), _mm512_castsi128_si512(distances));
    let gather = |table| _mm512_permutex2var_epi8(a, _mm512_add_epi8(distances, load(table)), b);
    let (groups, long) = cut::<T>(gather(&Tables::<T>::LOW));
    let high = gather(&Tables::<T>::HIGH);
    let (top, wrong) = if size_of::<T>() == 8 {
        // If the ninth byte has its continuation bit set, the tenth must be 1. Otherwise the sign bit
        // is set in what follows.
        let top = _mm512_maskz_mov_epi64(long as u8, high);
        let [expected, checked] = [0x8000_0001, 0x8000_00ff].map(|bits: i64| _mm512_set1_epi64(bits << 32));
        // (top ^ expected) & checked
        (top, _mm512_ternarylogic_epi64::<0x28>(top, expected, checked))
    } else {
        // The fifth byte must not have one of its four top bits set.
        let wrong = _mm512_maskz_and_epi32(long, high, _mm512_set1_epi32(0xf0));
        (_mm512_maskz_slli_epi32::<28>(long, high), wrong)
    };
    (lanes.squeeze::<T>(groups, top), wrong)
}
