//! Constant tables, computed at compile time.

use crate::simd::shuffles::{ZERO, append};

/// Packs four lanes of 32 bits. The key has two bits for each lane: the number of unused bytes at its
/// end.
pub(super) static PACK_DWORDS: [[u8; 16]; 256] = {
    let mut table = [[ZERO; 16]; 256];
    let mut key = 0;
    while key < 256 {
        let (mut lane, mut out) = (0, 0);
        while lane < 4 {
            out = append(&mut table[key], out, 4 * lane, 4 - (key >> (2 * lane) & 3));
            lane += 1;
        }
        key += 1;
    }
    table
};

/// For values of one length, 3 to 8 bytes: the indices that bring them from 16 bytes to four lanes
/// of 32 bits or, from 5 bytes on, to two lanes of 64 bits. The rest of each lane is zero.
pub(super) static UNIFORM: [[u8; 16]; 9] = {
    let mut table = [[ZERO; 16]; 9];
    let mut len = 3;
    while len <= 8 {
        let width = if len <= 4 { 4 } else { 8 };
        let mut lane = 0;
        while lane < 16 / width {
            let mut byte = 0;
            while byte < len {
                table[len][width * lane + byte] = (len * lane + byte) as u8;
                byte += 1;
            }
            lane += 1;
        }
        len += 1;
    }
    table
};

/// By length, from 2 to 8: a mask of its multiples, at which values of that length start if one
/// starts at 0.
pub(super) static MULTIPLES: [u64; 9] = {
    let mut table = [0; 9];
    let mut len = 2;
    while len < table.len() {
        let mut at = 0;
        while at < 64 {
            table[len] |= 1 << at;
            at += len;
        }
        len += 1;
    }
    table
};

/// The indices that bring the top byte of two lanes of 64 bits to the bottom.
pub(super) static TOP_BYTES: [u8; 16] = {
    let mut table = [ZERO; 16];
    (table[0], table[8]) = (7, 15);
    table
};
