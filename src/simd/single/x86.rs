//! The x86-64 instructions for single values, as inline assembly.

use core::arch::asm;
use core::arch::x86_64::__m128i;
use core::mem::transmute;

use crate::scalar::word::{GROUPS, LENGTHS};

/// Does the same as `word::spread`.
///
/// # Safety
///
/// The CPU has BMI2.
#[inline(always)]
pub(super) unsafe fn spread(value: u64) -> u64 {
    let groups;
    // SAFETY: the caller ensures that the CPU has the instruction, which only computes.
    unsafe {
        asm!("pdep {groups}, {value}, {GROUPS}", groups = lateout(reg) groups, value = in(reg) value,
            GROUPS = in(reg) GROUPS, options(pure, nomem, nostack, preserves_flags));
    }
    groups
}

/// Does the same as `word::squeeze`.
///
/// # Safety
///
/// The CPU has BMI2.
#[inline(always)]
pub(super) unsafe fn squeeze(groups: u64) -> u64 {
    let value;
    // SAFETY: the caller ensures that the CPU has the instruction, which only computes.
    unsafe {
        asm!("pext {value}, {groups}, {GROUPS}", value = lateout(reg) value, groups = in(reg) groups,
            GROUPS = in(reg) GROUPS, options(pure, nomem, nostack, preserves_flags));
    }
    value
}

/// Returns the length of the encoding in bytes.
///
/// # Safety
///
/// The CPU has LZCNT.
#[inline(always)]
pub(super) unsafe fn len(value: u64) -> usize {
    let zeros: usize;
    // SAFETY: the caller ensures that the CPU has the instruction, which only computes. It counts
    // at most 64 zeros, so that the index is within the table, and no entry of the table is above
    // 10.
    unsafe {
        asm!("lzcnt {zeros}, {value}", zeros = lateout(reg) zeros, value = in(reg) value,
            options(pure, nomem, nostack));
        let len = *LENGTHS.get_unchecked(zeros) as usize;
        core::hint::assert_unchecked(len <= 10);
        len
    }
}

/// For each byte, the bit of the value at which its group begins.
const SHIFTS: [u8; 16] = [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 0, 0, 0, 0, 0, 0];
/// The bits of each byte that belong to its group. Only one is left for the tenth byte.
const GROUP_BITS: [u8; 16] = [0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0, 0, 0, 0, 0, 0];
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

/// Writes the encoding of `value` to the start of `dst`, without a branch on its length. Returns
/// the length, or `None` if it does not fit.
///
/// # Safety
///
/// The CPU has LZCNT and AVX-512 BW, VL and VBMI.
#[inline(always)]
pub(super) unsafe fn store(value: u64, dst: &mut [u8]) -> Option<usize> {
    // SAFETY: the CPU has LZCNT.
    let len = unsafe { len(value) };
    let dst = dst.get_mut(..len)?;
    // SAFETY: the CPU has the instructions. They read one entry of each table. They write only the
    // `len` bytes of `dst`, because the mask has a bit for each of them and no other. Any 16 bytes
    // are a valid __m128i.
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
