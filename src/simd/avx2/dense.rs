//! Windows of short values: eight bytes of input at a time, by table.

use core::arch::x86_64::*;

use super::lanes::Lane;
use super::squeeze::{squeeze_dwords, store_dwords};
use super::tables::UNPACK;
use super::window::{REACH, SLACK, WINDOW};

/// The 7 value bits of each byte.
const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Decodes the values that end in a window which begins with a value.
///
/// # Safety
///
/// `out` has room for those values and [`SLACK`] more.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn dense<T: Lane>(bytes: &[u8; REACH], ends: u64, out: *mut T) {
    let starts = ends << 1 | 1;
    let mut to = out;
    for group in 0..WINDOW / 8 {
        let starts = (starts >> (8 * group)) as u8;
        let from = bytes[8 * group..][..16].as_ptr();
        // SAFETY: 16 bytes of the input, and a row of the table.
        let spread = unsafe {
            let input = _mm256_broadcastsi128_si256(_mm_loadu_si128(from.cast()));
            _mm256_shuffle_epi8(input, _mm256_load_si256(UNPACK.0[usize::from(starts)].as_ptr().cast()))
        };
        // Ones from each dword's bottom up to the continuation bit of its value's last byte.
        let filled = _mm256_or_si256(spread, _mm256_set1_epi8(0x7f));
        let value = _mm256_xor_si256(filled, _mm256_add_epi32(filled, _mm256_set1_epi32(1)));
        let groups = _mm256_and_si256(_mm256_and_si256(spread, _mm256_set1_epi8(0x7f)), value);
        unsafe {
            store_dwords(squeeze_dwords(groups), to);
            to = to.add(starts.count_ones() as usize);
        }
    }
    if T::MAX_LEN > 4 {
        let continues = !ends;
        let two = continues & continues >> 1;
        let four = two & two >> 2;
        let complete = u64::MAX.unbounded_shr(ends.leading_zeros());
        let mut long = four & starts & complete;
        let mut patch = || {
            let start = long.trailing_zeros() as usize;
            long &= long.wrapping_sub(1);
            let index = _bzhi_u64(starts, start as u32).count_ones() as usize;
            unsafe { *out.add(index) = long_value(bytes, start) };
            long
        };
        patch();
        patch();
        while patch() != 0 {}
    }
    let _ = SLACK;
}

#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn long_value<T: Lane>(bytes: &[u8; REACH], start: usize) -> T {
    // volatile-ish
    let p = unsafe { bytes.as_ptr().add(start) };
    let eight = unsafe { p.cast::<u64>().read_volatile() };
    let last = !eight & !GROUPS;
    let mut wire = _pext_u64(eight, GROUPS & (last ^ last.wrapping_sub(1)));
    if T::MAX_LEN > 8 {
        let ninth = unsafe { p.add(1).cast::<u64>().read_volatile() } & 0xff << 56;
        wire |= if last == 0 { ninth } else { 0 };
    }
    T::from_wire(wire)
}
