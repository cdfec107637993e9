//! One value at a time.
//!
//! The instructions stand in inline assembly: a function with `#[target_feature]` is not inlined into its caller, and
//! the call would take longer than the work.

#[cfg(target_arch = "x86_64")]
pub(super) mod level;

use crate::scalar::word::{self, BY_LENGTH, LENGTHS};
use crate::zigzag;

#[cfg(target_arch = "x86_64")]
use self::level::{Level, has};

/// The encoding of `value` and its length, without a branch. What stands behind it is of no meaning.
#[inline(always)]
pub(crate) fn encode<const N: usize>(value: u64) -> ([u8; N], usize) {
    ten_bytes::<N, false>(value)
}

/// `encode` in signed LEB128.
#[inline(always)]
pub(crate) fn encode_signed<const N: usize>(value: i64) -> ([u8; N], usize) {
    ten_bytes::<N, true>(value as u64)
}

/// As many of the ten bytes as the type has.
#[inline(always)]
fn ten_bytes<const N: usize, const SIGNED: bool>(value: u64) -> ([u8; N], usize) {
    let (low, len) = first_eight::<SIGNED>(value);
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(low.to_le_bytes()) {
        *to = from;
    }
    if let Some(last @ [_, _]) = bytes.get_mut(8..) {
        last.copy_from_slice(&last_two::<SIGNED>(value, len));
    }
    (bytes, len)
}

/// Writes the encoding of `value` to the front of `dst`, and nothing behind it; its length, or `None` where it does not
/// fit.
#[inline(always)]
pub(crate) fn store(value: u64, dst: &mut [u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if has(Level::Avx512) {
        // SAFETY: the CPU has the level.
        return unsafe { x86::store(value, dst) };
    }
    store_groups::<false>(value, dst)
}

/// `store` in signed LEB128.
#[inline(always)]
pub(crate) fn store_signed(value: i64, dst: &mut [u8]) -> Option<usize> {
    store_groups::<true>(value as u64, dst)
}

#[inline(always)]
fn store_groups<const SIGNED: bool>(value: u64, dst: &mut [u8]) -> Option<usize> {
    // Where short lengths repeat, branches are predicted and nothing is faster.
    let more = |group: u32| (value >> (7 * group)) as u8 | 0x80;
    let last = |group: u32| (value >> (7 * group)) as u8 & 0x7f;
    let measure = measure::<SIGNED>(value);
    if measure < 1 << 7 {
        *dst.first_chunk_mut()? = [last(0)];
        Some(1)
    } else if measure < 1 << 14 {
        *dst.first_chunk_mut()? = [more(0), last(1)];
        Some(2)
    } else if measure < 1 << 21 {
        *dst.first_chunk_mut()? = [more(0), more(1), last(2)];
        Some(3)
    } else if measure < 1 << 28 {
        *dst.first_chunk_mut()? = [more(0), more(1), more(2), last(3)];
        Some(4)
    } else {
        store_long::<SIGNED>(value, dst)
    }
}

/// `store_groups` for five bytes and more.
fn store_long<const SIGNED: bool>(value: u64, dst: &mut [u8]) -> Option<usize> {
    let (low, len) = first_eight::<SIGNED>(value);
    let dst = dst.get_mut(..len)?;
    // Two pieces that may overlap cover every length from that of one to that of both.
    if len <= 8 {
        *dst.first_chunk_mut()? = (low as u32).to_le_bytes();
        *dst.last_chunk_mut()? = ((low >> (8 * (len - 4))) as u32).to_le_bytes();
    } else {
        let [ninth, tenth] = last_two::<SIGNED>(value, len);
        let last = if len == 9 { [(low >> 56) as u8, ninth] } else { [ninth, tenth] };
        *dst.first_chunk_mut()? = low.to_le_bytes();
        *dst.last_chunk_mut()? = last;
    }
    Some(len)
}

/// What has as many bits as the encoding has room for: in signed LEB128 the sign takes one, as it does in zigzag.
#[inline(always)]
fn measure<const SIGNED: bool>(value: u64) -> u64 {
    if SIGNED { zigzag::encode_i64(value as i64) } else { value }
}

/// The first eight bytes of the encoding as a little-endian word, and the length of the whole.
#[inline(always)]
fn first_eight<const SIGNED: bool>(value: u64) -> (u64, usize) {
    let measure = measure::<SIGNED>(value);
    #[cfg(target_arch = "x86_64")]
    if has(Level::Bmi2) {
        // SAFETY: the CPU has the level.
        let (groups, len) = unsafe { (x86::spread(value), x86::len(measure)) };
        return (groups | BY_LENGTH.continuations[len], len);
    }
    let len = LENGTHS[(measure | 1).leading_zeros() as usize] as usize;
    (word::spread(value) | BY_LENGTH.continuations[len], len)
}

/// Bytes nine and ten of an encoding that long.
#[inline(always)]
fn last_two<const SIGNED: bool>(value: u64, len: usize) -> [u8; 2] {
    if SIGNED {
        // The tenth byte holds nothing but the sign.
        let more = if len == 10 { 0x80 } else { 0 };
        [(value >> 56) as u8 & 0x7f | more, (value as i64 >> 63) as u8 & 0x7f]
    } else {
        // Bit 63 of the value is the continuation bit of the ninth.
        [(value >> 56) as u8, 1]
    }
}

/// The groups of ten bytes, eight in `head` and two in `tail`: 56 bits and 14.
#[inline(always)]
pub(super) fn squeeze(head: u64, tail: u64) -> (u64, u64) {
    #[cfg(target_arch = "x86_64")]
    if has(Level::Bmi2) {
        // SAFETY: the CPU has the level.
        return unsafe { (x86::squeeze(head), x86::squeeze(tail)) };
    }
    word::squeeze_ten(head, tail)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::asm;
    use core::arch::x86_64::__m128i;
    use core::mem::transmute;

    use crate::scalar::word::{GROUPS, LENGTHS};

    /// `word::spread`.
    ///
    /// # Safety
    ///
    /// The CPU has BMI2.
    #[inline(always)]
    pub(super) unsafe fn spread(value: u64) -> u64 {
        let groups;
        // SAFETY: the caller vouches for the instruction, and it only computes.
        unsafe {
            asm!("pdep {groups}, {value}, {GROUPS}", groups = lateout(reg) groups, value = in(reg) value,
                GROUPS = in(reg) GROUPS, options(pure, nomem, nostack, preserves_flags));
        }
        groups
    }

    /// `word::squeeze`.
    ///
    /// # Safety
    ///
    /// The CPU has BMI2.
    #[inline(always)]
    pub(super) unsafe fn squeeze(groups: u64) -> u64 {
        let value;
        // SAFETY: the caller vouches for the instruction, and it only computes.
        unsafe {
            asm!("pext {value}, {groups}, {GROUPS}", value = lateout(reg) value, groups = in(reg) groups,
                GROUPS = in(reg) GROUPS, options(pure, nomem, nostack, preserves_flags));
        }
        value
    }

    /// Bytes of the encoding.
    ///
    /// # Safety
    ///
    /// The CPU has LZCNT.
    #[inline(always)]
    pub(super) unsafe fn len(value: u64) -> usize {
        let zeros: usize;
        // SAFETY: the caller vouches for the instruction, and it only computes. A 64-bit value has 64 bits, and no entry of
        // the table is beyond 10.
        unsafe {
            asm!("lzcnt {zeros}, {value}", zeros = lateout(reg) zeros, value = in(reg) value,
                options(pure, nomem, nostack));
            let len = *LENGTHS.get_unchecked(zeros) as usize;
            core::hint::assert_unchecked(len <= 10);
            len
        }
    }

    /// Where in the value each byte's group begins.
    const SHIFTS: [u8; 16] = [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 0, 0, 0, 0, 0, 0];
    /// The bits of each byte that belong to its group. The tenth has one left.
    const GROUP_BITS: [u8; 16] =
        [0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0, 0, 0, 0, 0, 0];
    /// The continuation bits, by length.
    const CONTINUATIONS: &[[u8; 16]; 11] = &{
        let mut continuations = [[0; 16]; 11];
        let mut len = 2;
        while len <= 10 {
            continuations[len] = continuations[len - 1];
            continuations[len][len - 2] = 0x80;
            len += 1;
        }
        continuations
    };
    /// A bit for each byte of the encoding, by length.
    const MASKS: &[u16; 11] = &[0, 1, 3, 7, 0xf, 0x1f, 0x3f, 0x7f, 0xff, 0x1ff, 0x3ff];

    /// `super::store`, without a branch on the length.
    ///
    /// # Safety
    ///
    /// The CPU has LZCNT and AVX-512 BW, VL and VBMI.
    #[inline(always)]
    pub(super) unsafe fn store(value: u64, dst: &mut [u8]) -> Option<usize> {
        // SAFETY: the CPU has LZCNT.
        let len = unsafe { len(value) };
        let dst = dst.get_mut(..len)?;
        // SAFETY: the CPU has the instructions. All that is read is an entry of each table. All that is written is the first
        // `len` bytes of `dst`, which has that many: the mask has a bit for each of them and no other.
        // Any 16 bytes make an __m128i.
        unsafe {
            asm!(
                "vpbroadcastq {bytes}, {value}",
                "vpmultishiftqb {bytes}, {shifts}, {bytes}",
                "vpternlogd {bytes}, {group_bits}, xmmword ptr [{continuations}], 0xea", // bytes & group_bits | continuations
                "kmovw k1, word ptr [{masks} + {len} * 2]",
                "vmovdqu8 xmmword ptr [{dst}] {{k1}}, {bytes}",
                value = in(reg) value,
                shifts = in(xmm_reg) transmute::<[u8; 16], __m128i>(SHIFTS),
                group_bits = in(xmm_reg) transmute::<[u8; 16], __m128i>(GROUP_BITS),
                continuations = in(reg) &CONTINUATIONS[len],
                masks = in(reg) MASKS,
                len = in(reg) len,
                dst = in(reg) dst.as_mut_ptr(),
                bytes = out(xmm_reg) _,
                out("k1") _,
                options(nostack, preserves_flags),
            );
        }
        Some(len)
    }
}
