//! Moves the 7-bit groups of a value between the bytes of a word by shifts, on any machine and
//! without branches.

use crate::width::Width;

/// The bits of a word that hold a value: 7 in each byte.
pub(crate) const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// The continuation bits of a word.
pub(crate) const CONTINUES: u64 = !GROUPS;

/// Spreads the low 56 bits of `value`, 7 to a byte.
#[inline(always)]
pub(crate) const fn spread(value: u64) -> u64 {
    // Halves of 28 bits, quarters of 14, eighths of 7. Adding the upper part times 2^n - 1 moves it
    // up by n bits.
    let halves = (value & 0x00ff_ffff_ffff_ffff) + (value & 0x00ff_ffff_f000_0000) * 0xf;
    let quarters = halves + (halves & 0x0fff_c000_0fff_c000) * 0x3;
    quarters + (quarters & 0x3f80_3f80_3f80_3f80)
}

/// Returns the 56 bits that `spread` has spread. Continuation bits are ignored.
#[inline(always)]
pub(crate) const fn squeeze(word: u64) -> u64 {
    let eighths = word & GROUPS;
    let quarters = (eighths & 0x007f_007f_007f_007f) | (eighths & 0x7f00_7f00_7f00_7f00) >> 1;
    let halves = (quarters & 0x0000_3fff_0000_3fff) | (quarters & 0x3fff_0000_3fff_0000) >> 2;
    (halves & 0x0fff_ffff) | (halves & 0x0fff_ffff_0000_0000) >> 4
}

/// Decodes a canonical encoding of nine or ten bytes: returns the value and the length, or `None`
/// for any other bytes.
///
/// There is no branch on the length: random 64-bit values have either with the same probability.
#[inline(always)]
pub(crate) const fn nine_or_ten(src: &[u8; 10]) -> Option<(u64, usize)> {
    let [head @ .., ninth, tenth] = *src;
    let word = u64::from_le_bytes(head);
    let more = ninth >> 7;
    if word & CONTINUES == CONTINUES && ninth != 0 && tenth * more == more {
        // The ninth byte is the top byte of the value unchanged: its continuation bit equals bit
        // 63.
        Some((squeeze(word) | (ninth as u64) << 56, 9 + more as usize))
    } else {
        None
    }
}

/// Decodes the value of `len` bytes whose first eight are in `head` and whose next two are in
/// `tail`, both with any bytes after it. Returns `None` if it is longer than ten bytes or not
/// valid. `squeeze` joins the groups of the bytes that a mask selects.
#[inline(always)]
pub(crate) fn value<T: Width>(
    (head, tail): (u64, u16),
    len: usize,
    canonical: bool,
    squeeze: impl FnOnce(u64, u64) -> u64,
) -> Option<T> {
    if len > T::MAX_BYTES.min(10) {
        return None;
    }
    let mut raw = squeeze(head, GROUPS_BY_LEN[len % 16]);
    if T::MAX_BYTES > 8 {
        let tail = u64::from(tail) & TAIL_BY_LEN[len % 16];
        // The ninth byte is the top byte of the value unchanged: its continuation bit equals bit
        // 63, so that a tenth byte must be 1. In all other cases the sum has one of these bits.
        if (tail + 0x80) & 0xfd00 != 0 {
            return None;
        }
        raw |= tail << 56;
    }
    if canonical && raw < *LEAST_BY_LEN.get(len)? {
        return None;
    }
    Some(T::from_raw(raw.try_into().ok()?))
}

/// The least value that needs a length.
pub(crate) const LEAST_BY_LEN: &[u64; 11] = &{
    let mut least = [0; 11];
    let mut len = 2;
    while len <= 10 {
        least[len] = 1 << (7 * (len - 1));
        len += 1;
    }
    least
};

// Masks by the length of an encoding, which is at most ten. They are looked up, because a branch on
// the length would often be mispredicted. An index of `len % 16` needs no check.

/// By length, the bits of the first eight bytes that belong to the value.
pub(crate) static GROUPS_BY_LEN: [u64; 16] = {
    let mut table = [GROUPS; 16];
    let mut len = 0;
    while len < 8 {
        table[len] = GROUPS & first_bytes(len);
        len += 1;
    }
    table
};

/// By length, the bits of the ninth and the tenth byte that belong to the encoding.
pub(crate) static TAIL_BY_LEN: [u64; 16] = {
    let mut table = [0; 16];
    table[9] = 0xff;
    table[10] = 0xffff;
    table
};

/// The continuation bits of the first eight bytes, by the length of the encoding. The encoders
/// do not use the tables above, so that a program without a decoder does not contain them.
pub(crate) const CONTINUATIONS: &[u64; 11] = &{
    let mut continuations = [0; 11];
    let mut len = 1;
    while len <= 10 {
        continuations[len] = CONTINUES & first_bytes(len - 1);
        len += 1;
    }
    continuations
};

/// The length of the encoding by the number of leading zeros of the 64-bit value.
pub(crate) const LENGTHS: &[u8; 65] = &{
    let mut lengths = [1; 65];
    let mut zeros = 0;
    while zeros < 64 {
        lengths[zeros] = (64 - zeros).div_ceil(7) as u8;
        zeros += 1;
    }
    lengths
};

/// Returns a mask of the first `n` bytes of a little-endian word, or of all if `n` is 8 or more.
const fn first_bytes(n: usize) -> u64 {
    if n < 8 { (1 << (8 * n)) - 1 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_moves_to_its_position() {
        for bit in 0..64 {
            let spread_to = if bit < 56 { 1 << (bit + bit / 7) } else { 0 };
            assert_eq!(spread(1 << bit), spread_to, "bit {bit}");
            let squeezed_to = if bit % 8 < 7 { 1 << (bit - bit / 8) } else { 0 };
            assert_eq!(squeeze(1 << bit), squeezed_to, "bit {bit}");
        }
        assert_eq!(spread(u64::MAX), GROUPS);
    }
}
