//! The published crates for the same wire format, one small adapter each, used as its own documentation says for streams.

mod bytes_varint;
mod integer_encoding;
mod leb128;
mod leb128fmt;
mod plain;
mod prost;
mod unsigned_varint;
mod varing;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // the peer's fast door is unsafe
mod varint_simd;

use crate::contender::{Decode, Decoder, Encode, Encoder};
use crate::corpus::Int;

pub(crate) use self::integer_encoding::IntegerEncoding;
pub(crate) use self::plain::Plain;
pub(crate) use self::prost::Prost;

/// The peers that have a type. A peer without it, or with another wire format for it, is left out.
pub(crate) trait Peers: Int {
    fn encoders() -> Vec<Encoder<Self>>;
    fn decoders() -> Vec<Decoder<Self>>;
}

macro_rules! peers {
    ($int:ty: $($name:literal $peer:expr),*; x86_64: $($x86_name:literal $x86_peer:expr),*; decode only: $($decode_name:literal $decode_peer:expr),*) => {
        impl Peers for $int {
            fn encoders() -> Vec<Encoder<Self>> {
                vec![
                    $(($name.into(), Box::new($peer) as Box<dyn Encode<$int>>),)*
                    $(#[cfg(target_arch = "x86_64")] ($x86_name.into(), Box::new($x86_peer) as Box<dyn Encode<$int>>),)*
                ]
            }

            fn decoders() -> Vec<Decoder<Self>> {
                vec![
                    $(($name.into(), Box::new($peer) as Box<dyn Decode<$int>>),)*
                    $(#[cfg(target_arch = "x86_64")] ($x86_name.into(), Box::new($x86_peer) as Box<dyn Decode<$int>>),)*
                    $(#[cfg(target_arch = "x86_64")] ($decode_name.into(), Box::new($decode_peer) as Box<dyn Decode<$int>>),)*
                ]
            }
        }
    };
}

peers! {
    u64:
    "plain" Plain,
    "integer-encoding" IntegerEncoding,
    "leb128" leb128::Leb128,
    "leb128fmt" leb128fmt::Leb128fmt,
    "unsigned-varint" unsigned_varint::UnsignedVarint,
    "prost" Prost,
    "bytes-varint" bytes_varint::BytesVarint,
    "varing" varing::Varing;
    x86_64: "varint-simd" varint_simd::Safe;
    decode only: "varint-simd-unsafe" varint_simd::Unsafe
}

peers! {
    u32:
    "plain" Plain,
    "integer-encoding" IntegerEncoding,
    "leb128fmt" leb128fmt::Leb128fmt,
    "unsigned-varint" unsigned_varint::UnsignedVarint,
    "prost" Prost,
    "bytes-varint" bytes_varint::BytesVarint,
    "varing" varing::Varing;
    x86_64: "varint-simd" varint_simd::Safe;
    decode only: "varint-simd-unsafe" varint_simd::Unsafe
}

// The signed LEB128 of leb128 and leb128fmt is another format, and unsigned-varint has no signed one.
peers! {
    i64:
    "plain" Plain,
    "integer-encoding" IntegerEncoding,
    "prost" Prost,
    "bytes-varint" bytes_varint::BytesVarint,
    "varing" varing::Varing;
    x86_64: "varint-simd" varint_simd::Safe;
    decode only: "varint-simd-unsafe" varint_simd::Unsafe
}
