//! The table of the decoder, computed at compile time.

use super::super::shuffle_table::{Aligned, ZERO};

/// Shuffles that spread the values which start in eight bytes to dwords, at most four bytes of
/// each. Bit k of the index is set if a value starts at byte k.
///
/// The order of the dwords is 0 1 4 5 2 3 6 7, as [`store_dwords`](super::squeeze::store_dwords)
/// needs it.
pub(super) static UNPACK: Aligned<[[u8; 32]; 256]> = {
    const PLACES: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
    let mut table = [[ZERO; 32]; 256];
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
