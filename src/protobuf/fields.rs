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
use super::{int32_to_wire, int64_to_wire};
#[cfg(feature = "bytes")]
use crate::bulk::encode_slice;
#[cfg(feature = "bytes")]
use crate::integrations::bytes::BufMutVarint;
#[cfg(feature = "bytes")]
use crate::varint_trait::Varint;

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
fn put_varints<T: Varint>(src: &[T], dst: &mut (impl BufMut + ?Sized)) -> usize {
    if src.len() < FEW {
        return src.iter().map(|&value| dst.put_varint(value)).sum();
    }
    dst.put_varints(src)
}

/// Values that are not negative have the same encoding in 32 bits, which takes less time.
#[cfg(feature = "bytes")]
fn put_int32s(src: &[i32], dst: &mut (impl BufMut + ?Sized)) -> usize {
    match src.iter().fold(0, |any, value| any | value) < 0 {
        true => put(src, dst, int32_to_wire),
        false => put(src, dst, |value| value as u32),
    }
}

#[cfg(feature = "bytes")]
fn put_int64s(src: &[i64], dst: &mut (impl BufMut + ?Sized)) -> usize {
    put(src, dst, int64_to_wire)
}

#[cfg(feature = "bytes")]
fn put_bools(src: &[::core::primitive::bool], dst: &mut (impl BufMut + ?Sized)) -> usize {
    let mut bytes = [0; LONG];
    for values in src.chunks(LONG) {
        for (byte, &value) in bytes.iter_mut().zip(values) {
            *byte = u8::from(value);
        }
        dst.put_slice(&bytes[..values.len()]);
    }
    src.len()
}

/// Below this number of values, no block is worth its zeros.
#[cfg(feature = "bytes")]
const FEW: usize = 3;
/// The numbers of values that are converted at a time, on the stack: a field of few values would spend
/// most of the time on a longer block, which is filled with zeros first.
#[cfg(feature = "bytes")]
const SHORT: usize = 16;
#[cfg(feature = "bytes")]
const LONG: usize = 256;

/// Appends the encodings of the numbers that `to_wire` returns.
#[cfg(feature = "bytes")]
fn put<V: Copy, T: Varint>(src: &[V], dst: &mut (impl BufMut + ?Sized), to_wire: impl Fn(V) -> T) -> usize {
    if src.len() < FEW {
        src.iter().map(|&value| dst.put_varint(to_wire(value))).sum()
    } else if src.len() <= SHORT {
        put_blocks::<SHORT, V, T>(src, dst, to_wire)
    } else {
        put_blocks::<LONG, V, T>(src, dst, to_wire)
    }
}

#[cfg(feature = "bytes")]
fn put_blocks<const N: usize, V: Copy, T: Varint>(
    src: &[V],
    dst: &mut (impl BufMut + ?Sized),
    to_wire: impl Fn(V) -> T,
) -> usize {
    let mut numbers = [T::default(); N];
    let mut bytes = [[0; MAX_LEN]; N];
    let bytes = bytes.as_flattened_mut();
    let mut total = 0;
    for values in src.chunks(N) {
        for (number, &value) in numbers.iter_mut().zip(values) {
            *number = to_wire(value);
        }
        // The longest encodings fit.
        let len = encode_slice(&numbers[..values.len()], bytes).unwrap_or_default();
        dst.put_slice(&bytes[..len]);
        total += len;
    }
    total
}

/// The length of the longest encoding of a number.
#[cfg(feature = "bytes")]
const MAX_LEN: usize = <u64 as Varint>::MAX_LEN;
