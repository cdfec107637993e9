//! AVX-512 for single values, as inline assembly. Its vectors have 128 bits.

use core::arch::asm;
use core::arch::x86_64::__m128i;
use core::mem::transmute;

use super::bmi2;

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
    let len = unsafe { bmi2::len(value) };
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
