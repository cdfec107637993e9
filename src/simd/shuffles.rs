//! Tables of indices for shuffles of 16 bytes that the kernels share, computed at compile time.

/// A table that is aligned to cache lines.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// An index for which a shuffle writes a zero.
pub(super) const ZERO: u8 = 0xff;

/// Shuffles that spread the values which start in eight bytes to dwords, at most four bytes of
/// each. Bit k of the index is set if a value starts at byte k.
///
/// The order of the dwords is 0 1 4 5 2 3 6 7, as it is best for AVX2. Where a half has its own
/// register, joining the low and the high halves of both gives the order of the values.
pub(super) static UNPACK: Aligned<[[[u8; 16]; 2]; 256]> = {
    const PLACES: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
    let mut table = [[[ZERO; 16]; 2]; 256];
    let mut starts = 0;
    while starts < 256 {
        let (mut start, mut value) = (0, 0);
        while start < 8 {
            if starts >> start & 1 == 1 {
                let place = PLACES[value];
                append(&mut table[starts][place / 4], place % 4 * 4, start, 4);
                value += 1;
            }
            start += 1;
        }
        starts += 1;
    }
    Aligned(table)
};

/// Shuffles that pack eight words of one or two bytes each. Bit k of the index is set if word k has
/// two bytes.
pub(super) static PACK_WORDS: Aligned<[[u8; 16]; 256]> = {
    let mut table = [[ZERO; 16]; 256];
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

/// Writes the indices `first..first + len` to `row[at..]`, and returns the position after them.
pub(super) const fn append(row: &mut [u8; 16], at: usize, first: usize, len: usize) -> usize {
    let mut byte = 0;
    while byte < len {
        row[at + byte] = (first + byte) as u8;
        byte += 1;
    }
    at + len
}
