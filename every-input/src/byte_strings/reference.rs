//! The reference decoder: decodes one varint by plain arithmetic.
//!
//! It is written from the description of the format alone and shares no code with any codec. It
//! first finds the last byte. Then it evaluates the digits in base 128 from the most significant
//! one (Horner's rule), and compares the number with the maximum of the type.

use super::decoder::{DecodingError, ErrorKind, Outcome};
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
    use super::*;

    #[test]
    fn the_longest_encoding_is_that_of_the_maximum_number() {
        assert_eq!(longest::<u32>(), [0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(longest::<i64>(), [&[0xff; 9][..], &[0x01]].concat());
    }
}
