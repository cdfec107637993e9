//! The table of the decoder, computed by the compiler.

use super::super::shuffle_table::{Aligned, NOTHING};

/// Spreads the values that start in eight bytes, at most four bytes of each, to dwords: bit k of
/// the index says that a value starts at byte k. In memory the dwords lie as 0 1 4 5, 2 3 6 7,
/// ready for `unpack`.
pub(super) static UNPACK: Aligned<[[u8; 32]; 256]> = {
    const PLACES: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
    let mut table = [[NOTHING; 32]; 256];
    let mut starts = 0;
    while starts < 256 {
        let (mut start, mut value) = (0, 0);
        while start < 8 {
            if starts >> start & 1 == 1 {
                let mut byte = 0;
                while byte < 4 {
                    table[starts][4 * PLACES[value] + byte] = (start + byte) as u8;
                    byte += 1;
                }
                value += 1;
            }
            start += 1;
        }
        starts += 1;
    }
    Aligned(table)
};
