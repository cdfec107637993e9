//! Constant tables, computed at compile time.

/// An index for which `swizzle` writes a zero.
const ZERO: u8 = 0xff;

/// By the mask of the starts in eight bytes: the indices that bring the four bytes from each start
/// on to a lane of 32 bits, in order.
pub(super) static STARTS: [[[u8; 16]; 2]; 256] = {
    let mut table = [[[ZERO; 16]; 2]; 256];
    let mut key = 0;
    while key < 256 {
        let (mut at, mut lane) = (0, 0);
        while at < 8 {
            if key >> at & 1 == 1 {
                let mut byte = 0;
                while byte < 4 {
                    table[key][lane / 4][lane % 4 * 4 + byte] = (at + byte) as u8;
                    byte += 1;
                }
                lane += 1;
            }
            at += 1;
        }
        key += 1;
    }
    table
};

/// Returns the indices that pack `values` lanes of 16 bytes in all. The key has `8 / values` bits
/// for each lane: the number of unused bytes at its end.
const fn packing(values: usize) -> [[u8; 16]; 256] {
    let width = 16 / values;
    let bits = 8 / values;
    let mut table = [[ZERO; 16]; 256];
    let mut key = 0;
    while key < 256 {
        let (mut lane, mut out) = (0, 0);
        while lane < values {
            let len = width - (key >> (bits * lane) & (width - 1));
            let mut byte = 0;
            while byte < len {
                table[key][out] = (width * lane + byte) as u8;
                out += 1;
                byte += 1;
            }
            lane += 1;
        }
        key += 1;
    }
    table
}

/// Packs eight lanes of 16 bits. A bit of the key is set if the value takes one byte.
pub(super) static PACK_8: [[u8; 16]; 256] = packing(8);

/// Packs four lanes of 32 bits. Two bits of the key are the number of bytes by which the value is
/// shorter than four.
pub(super) static PACK_4: [[u8; 16]; 256] = packing(4);

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
