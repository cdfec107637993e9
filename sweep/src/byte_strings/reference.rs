//! The reference decoder: decodes one varint by plain arithmetic.
//!
//! It is written from the description of the format alone and shares no code with any codec. It
//! first finds the last byte. Then it evaluates the digits in base 128 from the most significant
//! one (Horner's rule), and compares the number with the maximum of the type.

use super::outcome::{DecodingError, ErrorKind, Outcome};
use crate::plan::integer::Integer;

/// Decodes the first value of `src`, whether it is overlong or not.
#[inline]
pub(super) fn first<T: Integer>(src: &[u8]) -> Outcome<T> {
    let error = |kind, offset| Err(DecodingError { kind, offset });
    let max_len = max_len::<T>();
    let seen = &src[..src.len().min(max_len)];
    let Some(last) = seen.iter().position(|&byte| byte < 128) else {
        return if seen.len() < max_len {
            error(ErrorKind::Truncated, src.len())
        } else {
            error(ErrorKind::Overflow, max_len - 1)
        };
    };
    let varint = &seen[..=last];
    let number = varint.iter().rev().fold(0u128, |number, byte| number * 128 + u128::from(byte % 128));
    if number > max_number::<T>() {
        return error(ErrorKind::Overflow, overflow_offset::<T>(varint));
    }
    Ok((value(number), last + 1))
}

/// Decodes the first value of `src`. With `canonical`, an overlong encoding is an error.
pub(crate) fn decode<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let (value, len) = first(src)?;
    overlong_error(&src[..len]).filter(|_| canonical).map_or(Ok((value, len)), Err)
}

/// Returns the error of canonical decoders for a varint that is valid otherwise, if it is overlong.
#[inline]
pub(super) fn overlong_error(varint: &[u8]) -> Option<DecodingError> {
    match varint {
        [.., _, 0] => Some(DecodingError { kind: ErrorKind::NonCanonical, offset: varint.len() - 1 }),
        _ => None,
    }
}

/// Returns the longest encoding, which is that of the maximum number.
pub(super) fn longest<T: Integer>() -> Vec<u8> {
    let last = max_len::<T>() - 1;
    let digit = |place: usize| (max_number::<T>() / 128u128.pow(place as u32) % 128) as u8;
    (0..=last).map(|place| digit(place) + if place < last { 128 } else { 0 }).collect()
}

/// Returns the maximum number that a varint of the type encodes, before zigzag decoding.
#[inline]
fn max_number<T: Integer>() -> u128 {
    (T::MAX - T::MIN) as u128
}

/// Returns the number of base-128 digits of the maximum number.
#[inline]
fn max_len<T: Integer>() -> usize {
    (u128::BITS - max_number::<T>().leading_zeros()).div_ceil(7) as usize
}

/// Returns the offset of the first byte with which the number exceeds the maximum.
fn overflow_offset<T: Integer>(varint: &[u8]) -> usize {
    let (mut number, mut weight) = (0, 1u128);
    let exceeds = |byte: &u8| {
        number += u128::from(byte % 128) * weight;
        weight *= 128;
        number > max_number::<T>()
    };
    varint.iter().position(exceeds).unwrap_or(varint.len())
}

/// Returns the value of an encoded number. For signed types, zigzag maps 0, 1, 2, 3, 4 to
/// 0, -1, 1, -2, 2.
#[inline]
fn value<T: Integer>(number: u128) -> T {
    let number = number as i128;
    T::from_i128(match number % 2 {
        _ if !T::SIGNED => number,
        0 => number / 2,
        _ => -(number / 2) - 1,
    })
}

#[cfg(test)]
mod tests {
    use super::super::outcome::ErrorKind::{NonCanonical, Overflow, Truncated};
    use super::*;

    /// Asserts that the lenient and the canonical outcome are equal, and returns it.
    fn both<T: Integer + std::fmt::Debug>(src: &[u8]) -> Result<(T, usize), (ErrorKind, usize)> {
        let outcomes = [decode::<T>(src, false), decode(src, true)];
        assert_eq!(outcomes[0], outcomes[1], "{src:02x?}");
        outcomes[0].map_err(|error| (error.kind, error.offset))
    }

    /// Returns `n` times `byte`, followed by `end`.
    fn repeated(byte: u8, n: usize, end: &[u8]) -> Vec<u8> {
        [&vec![byte; n], end].concat()
    }

    #[test]
    fn u64_has_the_documented_outcomes() {
        assert_eq!(both::<u64>(&[]), Err((Truncated, 0)));
        assert_eq!(both::<u64>(&[0x80]), Err((Truncated, 1)));
        assert_eq!(both::<u64>(&[0x80; 9]), Err((Truncated, 9)));
        for n in 10..14 {
            assert_eq!(both::<u64>(&vec![0x80; n]), Err((Overflow, 9)));
        }
        assert_eq!(both::<u64>(&repeated(0xff, 9, &[0x01])), Ok((u64::MAX, 10)));
        assert_eq!(both::<u64>(&repeated(0xff, 9, &[0x02])), Err((Overflow, 9)));
        assert_eq!(both::<u64>(&repeated(0xff, 9, &[0x7f])), Err((Overflow, 9)));
        assert_eq!(both::<u64>(&[0x00]), Ok((0, 1)));
        assert_eq!(both::<u64>(&[0xac, 0x02, 0x80]), Ok((300, 2)));
    }

    #[test]
    fn overlong_encodings_are_errors_in_canonical_mode_only() {
        for string in [repeated(0x80, 1, &[0x00]), repeated(0x80, 9, &[0x00])] {
            let len = string.len();
            assert_eq!(decode::<u64>(&string, false), Ok((0, len)));
            assert_eq!(
                decode::<u64>(&string, true),
                Err(DecodingError { kind: NonCanonical, offset: len - 1 })
            );
        }
    }

    #[test]
    fn the_last_byte_has_a_limit_for_each_type() {
        assert_eq!(both::<u32>(&repeated(0xff, 4, &[0x0f])), Ok((u32::MAX, 5)));
        assert_eq!(both::<u32>(&repeated(0xff, 4, &[0x10])), Err((Overflow, 4)));
        assert_eq!(both::<u16>(&repeated(0xff, 2, &[0x03])), Ok((u16::MAX, 3)));
        assert_eq!(both::<u16>(&repeated(0xff, 2, &[0x04])), Err((Overflow, 2)));
        assert_eq!(both::<u8>(&repeated(0xff, 1, &[0x01])), Ok((u8::MAX, 2)));
        assert_eq!(both::<u8>(&repeated(0xff, 1, &[0x02])), Err((Overflow, 1)));
        assert_eq!(both::<i8>(&repeated(0x80, 1, &[0x80])), Err((Overflow, 1)));
    }

    #[test]
    fn the_longest_encoding_is_that_of_the_maximum_number() {
        assert_eq!(longest::<u32>(), [0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(longest::<i64>(), repeated(0xff, 9, &[0x01]));
    }

    #[test]
    fn zigzag_alternates_between_signs() {
        assert_eq!([0, 1, 2, 3, 4].map(value::<i8>), [0, -1, 1, -2, 2]);
        assert_eq!(value::<i64>(u64::MAX.into()), i64::MIN);
        assert_eq!(value::<u64>(u64::MAX.into()), u64::MAX);
    }
}
