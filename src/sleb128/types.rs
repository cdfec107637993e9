//! The functions for each type, usable in `const` context: the reference implementation.

use crate::error::{DecodeError, ErrorKind, PaddedWidthError};
use crate::scalar::padding::pad;
use crate::scalar::value::CONTINUE;
use crate::varint;
use crate::varint_trait::{Encoded, Varint};

macro_rules! sleb128 {
    ($($int:ident $encode:ident $encoded_len:ident $encode_padded:ident $decode:ident $decode_canonical:ident $parse:ident)*) => {$(
        #[doc = concat!("Encodes, as [`encode`](super::encode) does, for `", stringify!($int), "`. Usable in `const` context.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::sleb128;\n")]
        #[doc = concat!("assert_eq!(*sleb128::", stringify!($encode), "(-100), [0x9c, 0x7f]);\n```")]
        #[must_use]
        #[inline]
        pub const fn $encode(value: $int) -> Encoded<$int> {
            const MAX_LEN: usize = <$int as Varint>::MAX_LEN;
            let len = varint::$encoded_len(value);
            let mut buffer = [0; MAX_LEN];
            let mut rest = value;
            let mut index = 0;
            while index < MAX_LEN {
                if index + 1 == len {
                    buffer[index] = rest as u8 & !CONTINUE;
                    break;
                }
                buffer[index] = rest as u8 | CONTINUE;
                rest >>= 7;
                index += 1;
            }
            Encoded::new(buffer, len)
        }

        #[doc = concat!("Returns the length of the encoding, as [`encoded_len`](super::encoded_len) does, for `", stringify!($int), "`. Usable in `const` context.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::sleb128;\n")]
        #[doc = concat!("assert_eq!(sleb128::", stringify!($encoded_len), "(-100), 2);\n```")]
        #[must_use]
        #[inline]
        pub const fn $encoded_len(value: $int) -> usize {
            varint::$encoded_len(value)
        }

        #[doc = concat!("Encodes in exactly `WIDTH` bytes, as [`encode_padded`](super::encode_padded) does, for `", stringify!($int), "`. Usable in `const` context.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "[`PaddedWidthError`] if the encoding is longer than `WIDTH`, or if no encoding of the type is that long."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::sleb128;\n")]
        #[doc = concat!("assert_eq!(sleb128::", stringify!($encode_padded), "(-1), Ok([0xff, 0x7f]));\n```")]
        #[inline]
        pub const fn $encode_padded<const WIDTH: usize>(value: $int) -> Result<[u8; WIDTH], PaddedWidthError> {
            let mut bytes = [0; WIDTH];
            match pad($encode(value).as_bytes(), &mut bytes, <$int as Varint>::MAX_LEN, true) {
                Ok(()) => Ok(bytes),
                Err(error) => Err(error),
            }
        }

        #[doc = concat!("Decodes, as [`decode`](super::decode) does, for `", stringify!($int), "`. Usable in `const` context.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`decode`](super::decode)."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::sleb128;\n")]
        #[doc = concat!("assert_eq!(sleb128::", stringify!($decode), "(&[0x9c, 0x7f, 0x07]), Ok((-100, 2)));\n```")]
        #[inline]
        pub const fn $decode(src: &[u8]) -> Result<($int, usize), DecodeError> {
            $parse::<false>(src)
        }

        #[doc = concat!("Decodes and rejects overlong encodings, as [`decode_canonical`](super::decode_canonical) does, for `", stringify!($int), "`. Usable in `const` context.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`decode_canonical`](super::decode_canonical)."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::sleb128;\n")]
        #[doc = concat!("assert!(sleb128::", stringify!($decode_canonical), "(&[0xfe, 0x7f]).is_err());\n```")]
        #[inline]
        pub const fn $decode_canonical(src: &[u8]) -> Result<($int, usize), DecodeError> {
            $parse::<true>(src)
        }

        #[inline(always)]
        pub(super) const fn $parse<const CANONICAL: bool>(src: &[u8]) -> Result<($int, usize), DecodeError> {
            const LAST: usize = <$int as Varint>::MAX_LEN - 1;
            // The number of bits in the last byte, including the sign.
            const LAST_BITS: u32 = <$int>::BITS - 7 * LAST as u32;

            let mut value: $int = 0;
            let mut previous = 0;
            let mut index = 0;
            while index <= LAST {
                if index == src.len() {
                    return Err(DecodeError::new(ErrorKind::Truncated, index));
                }
                let byte = src[index];
                value |= ((byte & !CONTINUE) as $int) << (7 * index);
                if byte < CONTINUE {
                    if index < LAST {
                        // The sign fills all bits above the group.
                        value |= -((byte >> 6) as $int) << (7 * index + 7);
                    } else if (((byte << 1) as i8) >> LAST_BITS) as u8 != 0u8.wrapping_sub(byte >> 6) {
                        return Err(DecodeError::new(ErrorKind::Overflow, index));
                    }
                    if CANONICAL && index > 0 && byte == repeats_sign_of(previous) {
                        return Err(DecodeError::new(ErrorKind::NonCanonical, index));
                    }
                    return Ok((value, index + 1));
                }
                previous = byte;
                index += 1;
            }
            Err(DecodeError::new(ErrorKind::Overflow, LAST))
        }
    )*};
}

/// Returns the last byte that is redundant after `previous`, whose bit 6 is the sign.
const fn repeats_sign_of(previous: u8) -> u8 {
    if previous & 0x40 == 0 { 0x00 } else { 0x7f }
}

sleb128! {
    i8 encode_i8 encoded_len_i8 encode_i8_padded decode_i8 decode_i8_canonical parse_i8
    i16 encode_i16 encoded_len_i16 encode_i16_padded decode_i16 decode_i16_canonical parse_i16
    i32 encode_i32 encoded_len_i32 encode_i32_padded decode_i32 decode_i32_canonical parse_i32
    i64 encode_i64 encoded_len_i64 encode_i64_padded decode_i64 decode_i64_canonical parse_i64
    i128 encode_i128 encoded_len_i128 encode_i128_padded decode_i128 decode_i128_canonical parse_i128
    isize encode_isize encoded_len_isize encode_isize_padded decode_isize decode_isize_canonical parse_isize
}
