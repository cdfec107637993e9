//! Tables of indices for `pshufb`, computed at compile time.

/// A table that is aligned to cache lines.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// An index for which `pshufb` writes a zero, because its bit 7 is set.
const ZERO: u8 = 0x80;

/// Shuffles that spread the values which start in eight bytes to dwords, at most four bytes of
/// each. Bit k of the index is set if a value starts at byte k.
///
/// The order of the dwords is 0 1 4 5 2 3 6 7, as the decoder's `store_dwords` needs it.
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

/// Writes the indices `first..first + len` to `row[at..]`, and returns the position after them.
const fn append(row: &mut [u8; 16], at: usize, first: usize, len: usize) -> usize {
    let mut byte = 0;
    while byte < len {
        row[at + byte] = (first + byte) as u8;
        byte += 1;
    }
    at + len
}
