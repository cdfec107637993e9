//! Tables of the encoder, computed by the compiler.

use super::super::shuffle_table::{Aligned, NOTHING};

/// Packs eight words of one or two bytes each: bit k of the index says that word k has two.
pub(super) static PACK_WORDS: Aligned<[[u8; 16]; 256]> = {
    let mut table = [[NOTHING; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut word, mut at) = (0, 0);
        while word < 8 {
            let len = 1 + (mask >> word & 1);
            at = append(&mut table[mask], at, 2 * word, len);
            word += 1;
        }
        mask += 1;
    }
    Aligned(table)
};

/// The length of a dword's encoding by its code in [`PACK_DWORDS`]'s index.
const LEN_BY_CODE: [usize; 4] = [1, 2, 4, 3];

/// Packs four dwords of one to four bytes each: two bits of the index per dword, bit 0 "two or
/// three bytes", bit 1 "three or four bytes".
pub(super) static PACK_DWORDS: Aligned<[[u8; 16]; 256]> = {
    let mut table = [[NOTHING; 16]; 256];
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

/// The bytes that [`PACK_DWORDS`] leaves.
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

/// Writes the indices `first..first + len` at `at`; where they end.
const fn append(row: &mut [u8; 16], at: usize, first: usize, len: usize) -> usize {
    let mut byte = 0;
    while byte < len {
        row[at + byte] = (first + byte) as u8;
        byte += 1;
    }
    at + len
}
