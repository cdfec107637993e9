//! Functions for `const` context, which the methods of the trait [`Varint`](crate::Varint) cannot be.
//!
//! An encoding does not depend on the width of its type: `encode_u64` encodes smaller types too. For
//! a signed type, apply [`zigzag`](crate::zigzag) first. Outside of `const` context the methods of
//! the trait are faster.
//!
//! ```
//! use zigzag_varint::{Encoded, varint, zigzag};
//!
//! const TAG: Encoded<[u8; 10]> = varint::encode_u64(300);
//! const BYTES: &[u8] = TAG.as_bytes();
//! assert_eq!(BYTES, [0xac, 0x02]);
//!
//! const DECODED: u64 = match varint::decode_u64(BYTES) {
//!     Ok((value, _)) => value,
//!     Err(_) => panic!("not a varint"),
//! };
//! assert_eq!(DECODED, 300);
//!
//! const MINUS_150: Encoded<[u8; 10]> = varint::encode_u64(zigzag::i64_to_u64(-150));
//! assert_eq!(MINUS_150, [0xab, 0x02]);
//! ```

use crate::encoded::Encoded;
use crate::error::DecodeError;
use crate::scalar::value;
use crate::wire::Wire;

macro_rules! functions {
    ($($int:ident $encode:ident $decode:ident $parse:ident)*) => {$(
        #[doc = concat!("Encodes a `", stringify!($int), "`.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($encode), "(200), [0xc8, 0x01]);\n```")]
        #[must_use]
        #[inline]
        pub const fn $encode(value: $int) -> Encoded<<$int as Wire>::Buffer> {
            let (bytes, len) = value::$encode(value);
            Encoded::new(bytes, len)
        }

        #[doc = concat!("Decodes the `", stringify!($int), "` at the start of `src`, and returns it with the length of its encoding in bytes.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`Varint::decode`](crate::Varint::decode)."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($decode), "(&[0xc8, 0x01, 0x07]), Ok((200, 2)));\n```")]
        #[inline]
        pub const fn $decode(src: &[u8]) -> Result<($int, usize), DecodeError> {
            value::$parse(src, false)
        }
    )*};
}

functions! {
    u64 encode_u64 decode_u64 parse_u64
    u128 encode_u128 decode_u128 parse_u128
}
