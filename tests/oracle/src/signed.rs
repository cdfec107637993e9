//! Signed LEB128: the productions of WebAssembly's grammar of signed integers.

use alloc::vec;
use alloc::vec::Vec;

use zigzag_varint::ErrorKind;

use crate::{ErrorAt, Outcome};

/// Decodes an `sN`, as specified in WebAssembly Core, section "Integers" of the binary format.
/// `src` is the rest of the input from `offset` on. Returns the integer and its encoded length.
fn integer(n_bits: u32, src: &[u8], offset: usize) -> Outcome<i128> {
    let Some((&byte, rest)) = src.split_first() else {
        return Err(ErrorAt { kind: ErrorKind::Truncated, offset });
    };
    let n = i128::from(byte);
    // 2^(N-1), limited because powers above 2^7 make no difference for one byte.
    let half = 1 << (n_bits - 1).min(20);
    if n < 1 << 6 && n < half {
        Ok((n, offset + 1))
    } else if (1 << 6..1 << 7).contains(&n) && n >= (1 << 7) - half {
        Ok((n - (1 << 7), offset + 1))
    } else if n >= 1 << 7 && n_bits > 7 {
        let (m, len) = integer(n_bits - 7, rest, offset + 1)?;
        Ok(((1 << 7) * m + (n - (1 << 7)), len))
    } else {
        let kind = if n >= 1 << 7 { ErrorKind::TooLong } else { ErrorKind::Overflow };
        Err(ErrorAt { kind, offset })
    }
}

/// Returns the encodings of an integer in every length that the type allows, the shortest first.
/// They are calculated by division that rounds down.
pub fn forms(n_bits: u32, integer: i128) -> Vec<Vec<u8>> {
    let longest = n_bits.div_ceil(7) as usize;
    let of_length = |len: usize| {
        let mut rest = integer;
        let mut digits = Vec::new();
        for _ in 1..len {
            digits.push(rest.rem_euclid(128) as u8 + 128);
            rest = rest.div_euclid(128);
        }
        let last = (-64..64).contains(&rest).then(|| rest.rem_euclid(128) as u8)?;
        Some([digits, vec![last]].concat())
    };
    (1..=longest).filter_map(of_length).collect()
}

/// Decodes an integer of `n_bits` bits. An encoding is canonical if no shorter one has the same
/// value.
pub fn decode(n_bits: u32, src: &[u8], canonical: bool) -> Outcome<i128> {
    let (integer, len) = integer(n_bits, src, 0)?;
    if canonical && forms(n_bits, integer)[0].len() < len {
        return Err(ErrorAt { kind: ErrorKind::NonCanonical, offset: len - 1 });
    }
    Ok((integer, len))
}
