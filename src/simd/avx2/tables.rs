//! The table of shuffles of this kernel alone, computed at compile time.

use crate::simd::shuffles::{Aligned, ZERO, append};

/// The length of a dword's encoding by its code in [`PACK_DWORDS`]'s index.
const LEN_BY_CODE: [usize; 4] = [1, 2, 4, 3];

/// Shuffles that pack four dwords of one to four bytes each. The index has two bits for each dword:
/// the lower one is set for two or three bytes, the upper one for three or four.
pub(super) static PACK_DWORDS: Aligned<[[u8; 16]; 256]> = {
    let mut table = [[ZERO; 16]; 256];
    let mut codes = 0;
    while codes < 256 {
        let (mut dword, mut at) = (0, 0);
        while dword < 4 {
            at = append(&mut table[codes], at, 4 * dword, LEN_BY_CODE[codes >> (2 * dword) & 3]);
            dword += 1;
        }
        codes += 1;
    }
    Aligned(table)
};

/// The number of bytes in the four dwords after [`PACK_DWORDS`].
pub(super) static PACKED_DWORDS_LEN: [u8; 256] = {
    let mut table = [0; 256];
    let mut codes = 0;
    while codes < 256 {
        let mut dword = 0;
        while dword < 4 {
            table[codes] += LEN_BY_CODE[codes >> (2 * dword) & 3] as u8;
            dword += 1;
        }
        codes += 1;
    }
    table
};
