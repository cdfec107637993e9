//! Zigzag: a mapping of signed to unsigned integers that makes small magnitudes small numbers.
//!
//! 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ... The mapping is that of Protocol Buffers
//! ("Encoding", section "Signed Integers"): `(v << 1) ^ (v >> (BITS - 1))`. It is a bijection at
//! every width, so no function of this module can fail.
//!
//! These functions turn integers into integers. A smaller type is extended to 64 bits first, as its
//! number is the same. Bytes come from [`Varint::encode`](crate::Varint::encode), which applies
//! zigzag to signed types by itself.
//!
//! ```
//! use zigzag_varint::zigzag;
//!
//! assert_eq!(zigzag::i64_to_u64(-1), 1);
//! assert_eq!(zigzag::i64_to_u64(i64::MIN), u64::MAX);
//! assert_eq!(zigzag::u64_to_i64(u64::MAX), i64::MIN);
//! ```

/// The mapping to an unsigned type of the same width.
macro_rules! to_unsigned {
    ($value:expr, $signed:ident $unsigned:ident) => {
        (($value << 1) ^ ($value >> ($signed::BITS - 1))) as $unsigned
    };
}

/// The mapping back.
macro_rules! to_signed {
    ($number:expr, $signed:ident) => {
        ($number >> 1) as $signed ^ -(($number & 1) as $signed)
    };
}

pub(crate) use {to_signed, to_unsigned};

macro_rules! functions {
    ($($signed:ident $unsigned:ident $to_unsigned:ident $to_signed:ident)*) => {$(
        #[doc = concat!("Maps an `", stringify!($signed), "` to its zigzag number.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::zigzag::", stringify!($to_unsigned), ";\n")]
        #[doc = concat!("assert_eq!([0, -1, 1, ", stringify!($signed), "::MIN].map(", stringify!($to_unsigned), "), [0, 1, 2, ", stringify!($unsigned), "::MAX]);\n```")]
        #[doc(alias = "zigzag_encode")]
        #[must_use]
        #[inline]
        pub const fn $to_unsigned(value: $signed) -> $unsigned {
            to_unsigned!(value, $signed $unsigned)
        }

        #[doc = concat!("Maps a zigzag number to its `", stringify!($signed), "`.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::zigzag::", stringify!($to_signed), ";\n")]
        #[doc = concat!("assert_eq!([0, 1, 2, ", stringify!($unsigned), "::MAX].map(", stringify!($to_signed), "), [0, -1, 1, ", stringify!($signed), "::MIN]);\n```")]
        #[doc(alias = "zigzag_decode")]
        #[must_use]
        #[inline]
        pub const fn $to_signed(number: $unsigned) -> $signed {
            to_signed!(number, $signed)
        }
    )*};
}

functions! {
    i64 u64 i64_to_u64 u64_to_i64
    i128 u128 i128_to_u128 u128_to_i128
}
