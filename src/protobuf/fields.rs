//! The functions for packed fields once more, in a module for each field type, for macros.
//!
//! A macro has the name of a field type, such as `int32`, but cannot make `decode_int32` of it. It
//! can name `fields::int32::decode_packed`:
//!
//! ```
//! use zigzag_varint::protobuf::fields;
//!
//! macro_rules! round_trip {
//!     ($field:ident, $values:expr) => {{
//!         let mut bytes = Vec::new();
//!         fields::$field::encode_packed(&$values, &mut bytes);
//!         let mut values = Vec::new();
//!         fields::$field::decode_packed(&bytes, &mut values).map(|_| values)
//!     }};
//! }
//! assert_eq!(round_trip!(sint64, [3, -2]), Ok(vec![3, -2]));
//! assert_eq!(round_trip!(bool, [true, false]), Ok(vec![true, false]));
//! ```
//!
//! The functions of [`packed`](super::packed) have their documentation. With the feature `bytes` there
//! is `put_packed` too, which appends to any `bytes::BufMut`.

#[cfg(feature = "bytes")]
use ::bytes::BufMut;

#[cfg(feature = "bytes")]
use super::types::{BLOCK, any_negative, with_numbers};
#[cfg(feature = "bytes")]
use crate::integrations::bytes::BufMutVarint;
#[cfg(feature = "bytes")]
use crate::simd::lane::{i32_as_u32, i64_as_u64};
#[cfg(feature = "bytes")]
use crate::varint_trait::Integer;

macro_rules! fields {
    ($($field:ident $int:ident $decode:ident $decode_canonical:ident $encode:ident $encoded_len:ident $put:path;)*) => {$(
        #[doc = concat!("Packed `", stringify!($field), "` fields.")]
        pub mod $field {
            pub use crate::protobuf::packed::{
                $decode as decode_packed, $decode_canonical as decode_packed_canonical,
                $encode as encode_packed, $encoded_len as encoded_len_packed,
            };

            #[doc = concat!("Appends the contents of a packed `", stringify!($field), "` field to `dst`, and returns their length in bytes. O(n).")]
            ///
            /// # Panics
            ///
            /// If the buffer has too little space and cannot grow.
            ///
            /// ```
            /// let mut buf = bytes::BytesMut::new();
            #[doc = concat!("zigzag_varint::protobuf::fields::", stringify!($field), "::put_packed(&[], &mut buf);")]
            /// assert!(buf.is_empty());
            /// ```
            #[cfg(feature = "bytes")]
            pub fn put_packed(src: &[$int], dst: &mut (impl ::bytes::BufMut + ?Sized)) -> usize {
                $put(src, dst)
            }
        }
    )*};
}

fields! {
    int32 i32 decode_int32 decode_int32_canonical encode_int32 encoded_len_int32 super::put_int32s;
    int64 i64 decode_int64 decode_int64_canonical encode_int64 encoded_len_int64 super::put_int64s;
    uint32 u32 decode_uint32 decode_uint32_canonical encode_uint32 encoded_len_uint32 super::put_varints;
    uint64 u64 decode_uint64 decode_uint64_canonical encode_uint64 encoded_len_uint64 super::put_varints;
    sint32 i32 decode_sint32 decode_sint32_canonical encode_sint32 encoded_len_sint32 super::put_varints;
    sint64 i64 decode_sint64 decode_sint64_canonical encode_sint64 encoded_len_sint64 super::put_varints;
    bool bool decode_bool decode_bool_canonical encode_bool encoded_len_bool super::put_bools;
}

#[cfg(feature = "bytes")]
fn put_varints<T: Integer>(src: &[T], dst: &mut (impl BufMut + ?Sized)) -> usize {
    if src.len() < FEW {
        return src.iter().map(|&value| dst.put_varint(value)).sum();
    }
    dst.put_varints::<T>(src)
}

#[cfg(feature = "bytes")]
fn put_int32s(src: &[i32], dst: &mut (impl BufMut + ?Sized)) -> usize {
    let put_block = |block| match any_negative(block) {
        true => with_numbers(block, |numbers| put_varints(numbers, dst)),
        false => put_varints(i32_as_u32(block), dst),
    };
    src.chunks(BLOCK).map(put_block).sum()
}

#[cfg(feature = "bytes")]
fn put_int64s(src: &[i64], dst: &mut (impl BufMut + ?Sized)) -> usize {
    put_varints(i64_as_u64(src), dst)
}

#[cfg(feature = "bytes")]
fn put_bools(src: &[::core::primitive::bool], dst: &mut (impl BufMut + ?Sized)) -> usize {
    let mut bytes = [0; BLOCK];
    for values in src.chunks(BLOCK) {
        for (byte, &value) in bytes.iter_mut().zip(values) {
            *byte = u8::from(value);
        }
        dst.put_slice(&bytes[..values.len()]);
    }
    src.len()
}

/// Below this number of values, no block of bytes is worth its zeros.
#[cfg(feature = "bytes")]
const FEW: usize = 3;
