//! Decodes one value of signed LEB128, of up to 64 bits, like [`load`](super::load).

use crate::error::DecodeError;
use crate::scalar::rule::CONTINUE;
use crate::scalar::word::{CONTINUES, GROUPS, GROUPS_BY_LEN};

use super::{error_of, number_of, squeeze};

/// A function that does the same as [`load_signed`] on any machine.
type Decode = fn(&[u8], bool) -> Result<(i64, usize), DecodeError>;

/// Decodes the value at the start of `src`, and returns it with the length of its encoding. What is neither
/// short nor valid is left to `scalar`.
#[inline(always)]
pub(crate) fn load_signed(src: &[u8], canonical: bool, scalar: Decode) -> Result<(i64, usize), DecodeError> {
    if let Some(&first) = src.first() {
        if first < CONTINUE {
            return Ok((extended(first.into(), 7), 1));
        }
        if let Some(&second) = src.get(1) {
            let value = extended(u64::from(first & !CONTINUE) | u64::from(second) << 7, 14);
            if second < CONTINUE && !(canonical && is_overlong(value, 2)) {
                return Ok((value, 2));
            }
        }
    }
    let (value, len) = load_longer(src, canonical, scalar);
    if len <= 10 { Ok((value, len)) } else { Err(error_of(len)) }
}

/// Does the same, without a branch on lengths up to eight, nor one between nine and ten. An error is a number
/// for [`error_of`].
#[inline(never)]
fn load_longer(src: &[u8], canonical: bool, scalar: Decode) -> (i64, usize) {
    if let Some(bytes @ [head @ .., ninth, _]) = src.first_chunk::<10>() {
        let head = u64::from_le_bytes(*head);
        let ends = !head & CONTINUES;
        let (value, len, doubt) = if ends != 0 {
            let len = 1 + ends.trailing_zeros() as usize / 8;
            (extended(squeeze(head, GROUPS_BY_LEN[len % 16]), 7 * len as u32), len, 0)
        } else {
            let more = ninth >> 7;
            // Bit 63 is the sign, which is bit 6 of the last byte. Of a tenth one, the other bits equal it.
            let last = bytes[8 + usize::from(more)];
            let sign = u64::from(last & 0x40) << 57;
            let value = squeeze(head, GROUPS) | u64::from(*ninth & !CONTINUE) << 56 | sign;
            (value as i64, 9 + usize::from(more), (last ^ last >> 1) & 0xbf & more.wrapping_neg())
        };
        if doubt == 0 && !(canonical && is_overlong(value, len)) {
            return (value, len);
        }
    }
    scalar(src, canonical).unwrap_or_else(|error| (0, number_of(error)))
}

/// Extends the sign of a number of that many bits.
#[inline(always)]
fn extended(number: u64, bits: u32) -> i64 {
    (number << (64 - bits)) as i64 >> (64 - bits)
}

/// Returns whether the value fits into fewer bytes than `len`, which is at least two.
#[inline(always)]
fn is_overlong(value: i64, len: usize) -> bool {
    let sign_and_above = value >> (7 * (len - 1) - 1);
    sign_and_above == 0 || sign_and_above == -1
}
