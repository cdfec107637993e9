//! Zigzag: signed integers as unsigned ones, small magnitudes first (0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ...).
//!
//! The mapping is that of Protocol Buffers ("Encoding", section "Signed Integers"): `(v << 1) ^ (v >> (BITS - 1))`.
//! It is a bijection at every width, so nothing here can fail.
//!
//! ```
//! use zigzag_varint::zigzag;
//!
//! assert_eq!(zigzag::encode_i64(-1), 1);
//! assert_eq!(zigzag::encode_i64(i64::MIN), u64::MAX);
//! assert_eq!(zigzag::decode_i64(u64::MAX), i64::MIN);
//! ```

macro_rules! zigzag {
    ($($signed:ident $unsigned:ident $encode:ident $decode:ident)*) => {$(
        #[doc = concat!("Zigzag of an `", stringify!($signed), "`.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::zigzag::", stringify!($encode), ";\n")]
        #[doc = concat!("assert_eq!([0, -1, 1, ", stringify!($signed), "::MIN].map(", stringify!($encode), "), [0, 1, 2, ", stringify!($unsigned), "::MAX]);\n```")]
        #[inline]
        pub const fn $encode(value: $signed) -> $unsigned {
            ((value << 1) ^ (value >> ($signed::BITS - 1))) as $unsigned
        }

        #[doc = concat!("The `", stringify!($signed), "` whose zigzag this is.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::zigzag::", stringify!($decode), ";\n")]
        #[doc = concat!("assert_eq!([0, 1, 2, ", stringify!($unsigned), "::MAX].map(", stringify!($decode), "), [0, -1, 1, ", stringify!($signed), "::MIN]);\n```")]
        #[inline]
        pub const fn $decode(value: $unsigned) -> $signed {
            (value >> 1) as $signed ^ -((value & 1) as $signed)
        }
    )*};
}

zigzag! {
    i8 u8 encode_i8 decode_i8
    i16 u16 encode_i16 decode_i16
    i32 u32 encode_i32 decode_i32
    i64 u64 encode_i64 decode_i64
    i128 u128 encode_i128 decode_i128
    isize usize encode_isize decode_isize
}
