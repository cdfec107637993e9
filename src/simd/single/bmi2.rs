//! BMI2 and LZCNT for single values, as inline assembly.

use core::arch::asm;

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

/// Returns the bits of `bytes` that `mask` selects, side by side.
///
/// # Safety
///
/// The CPU has BMI2.
#[inline(always)]
pub(super) unsafe fn squeeze(bytes: u64, mask: u64) -> u64 {
    let value;
    // SAFETY: the caller ensures that the CPU has the instruction, which only computes.
    unsafe {
        asm!("pext {value}, {bytes}, {mask}", value = lateout(reg) value, bytes = in(reg) bytes,
            mask = in(reg) mask, options(pure, nomem, nostack, preserves_flags));
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
