//! A codec that follows the definitions of zigzag and LEB128. The tests of the engine use it, since
//! they must not depend on another codec.

#![allow(dead_code)] // no test program or fuzz target uses all of it

use every_input::{CodecError, Integer};

/// Writes the encoding of `value` to the start of `dst` and returns its length.
pub(crate) fn encode<T: Integer>(value: T, dst: &mut [u8]) -> Result<usize, CodecError> {
    let number = value.to_i128();
    let mut rest = if T::SIGNED { (number << 1) ^ (number >> 127) } else { number };
    let mut len = 0;
    loop {
        let slot = dst.get_mut(len).ok_or("dst is too small")?;
        len += 1;
        *slot = rest as u8 & 0x7f | u8::from(rest > 0x7f) << 7;
        rest >>= 7;
        if rest == 0 {
            return Ok(len);
        }
    }
}

/// Returns the value at the start of `src` and the length of its encoding.
pub(crate) fn decode<T: Integer>(src: &[u8]) -> Result<(T, usize), CodecError> {
    let len = 1 + src.iter().position(|&byte| byte < 0x80).ok_or("truncated")?;
    let wire = src[..len].iter().rev().fold(0, |wire, &byte| wire << 7 | i128::from(byte & 0x7f));
    let number = if T::SIGNED { (wire >> 1) ^ -(wire & 1) } else { wire };
    Ok((T::from_i128(number), len))
}

/// Writes the encodings of all values to the start of `dst` and returns their length.
pub(crate) fn encode_slice<T: Integer>(values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
    values.iter().try_fold(0, |used, &value| Ok(used + encode(value, &mut dst[used..])?))
}

/// Decodes values until `values` is full and returns the length of their encodings.
pub(crate) fn decode_slice<T: Integer>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut used = 0;
    for slot in values {
        let (value, len) = decode(&src[used..])?;
        *slot = value;
        used += len;
    }
    Ok(used)
}
