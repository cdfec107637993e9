//! The oracle of the codec's tests. It encodes and decodes by plain arithmetic (powers of 128 in
//! `u128`), written from the formats' specifications, and shares no code with the codec.
//!
//! Numbers are those on the wire: an unsigned value itself, the zigzag encoding of a signed one. A
//! type is its number of bits, so that nothing here is compiled again for each type.

#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
mod rule;
#[cfg(feature = "alloc")]
pub mod signed;
#[cfg(feature = "alloc")]
mod slices;

#[cfg(feature = "alloc")]
pub use rule::{Format, Rule};
#[cfg(feature = "alloc")]
pub use slices::{BulkOutcome, decode_all, encode_all};
use zigzag_varint::{DecodeError, ErrorKind};

/// The kind and offset of an error. Unlike [`DecodeError`], tests can construct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorAt {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the input.
    pub offset: usize,
}

impl From<DecodeError> for ErrorAt {
    fn from(error: DecodeError) -> Self {
        Self { kind: error.kind(), offset: error.offset() }
    }
}

impl ErrorAt {
    /// Returns the same error for an input that begins `bytes` earlier.
    pub fn shifted(self, bytes: usize) -> Self {
        Self { offset: self.offset + bytes, ..self }
    }
}

/// The value and its encoded length, or the error.
pub type Outcome<T> = Result<(T, usize), ErrorAt>;

/// Encodes a number by repeated division by 128: the remainders are the groups of 7 bits. Returns the
/// encoding, at the start of an array for the longest one, and its length.
pub fn encode(mut rest: u128) -> ([u8; 19], usize) {
    let (mut bytes, mut len) = ([0; 19], 0);
    while rest >= 128 {
        bytes[len] = (rest % 128) as u8 + 128;
        rest /= 128;
        len += 1;
    }
    bytes[len] = rest as u8;
    (bytes, len + 1)
}

/// Decodes the first number of `src`, for a type of `bits` bits.
pub fn decode(src: &[u8], bits: u32, canonical: bool) -> Outcome<u128> {
    let longest = bits.div_ceil(7) as usize;
    let greatest = u128::MAX >> (128 - bits);
    let mut sum = 0u128;
    for (offset, &byte) in src.iter().enumerate() {
        let (last, digit) = (byte < 128, u128::from(byte % 128));
        // `offset` stays below `longest`, so the power of 128 fits in a u128. The product may not.
        let group = digit.checked_mul(1 << (7 * offset));
        let grown = group.and_then(|group| sum.checked_add(group)).filter(|&grown| grown <= greatest);
        match grown {
            Some(_) if last && canonical && byte == 0 && offset > 0 => {
                return Err(ErrorAt { kind: ErrorKind::NonCanonical, offset });
            }
            Some(number) if last => return Ok((number, offset + 1)),
            Some(grown) if offset + 1 < longest => sum = grown,
            _ if last => return Err(ErrorAt { kind: ErrorKind::Overflow, offset }),
            _ => return Err(ErrorAt { kind: ErrorKind::TooLong, offset }),
        }
    }
    Err(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() })
}

/// Counts the complete varints in `src`: each has one byte below 128.
pub fn count(src: &[u8]) -> usize {
    src.iter().map(|&byte| usize::from(byte / 128 == 0)).sum()
}

/// Returns the length of the first `n` varints in bytes.
pub fn skip(src: &[u8], n: usize) -> Result<usize, ErrorAt> {
    let mut at = 0;
    for _ in 0..n {
        while *src.get(at).ok_or(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() })? >= 128 {
            at += 1;
        }
        at += 1;
    }
    Ok(at)
}
