//! Adapters to published crates for the same wire format. Each uses its crate as that crate's
//! documentation recommends for streams.

mod buffa;
mod bytes_varint;
mod integer_encoding;
mod leb128;
mod leb128fmt;
mod plain;
mod prost;
mod protobuf;
mod unsigned_varint;
mod varing;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // the fastest function of this peer is unsafe
mod varint_simd;

use crate::contender::{Decode, Decoder, Encode, Encoder};
use crate::corpus::Int;

pub(crate) use self::buffa::Buffa;
pub(crate) use self::integer_encoding::IntegerEncoding;
pub(crate) use self::plain::Plain;
pub(crate) use self::prost::Prost;
pub(crate) use self::protobuf::Protobuf;

/// The peers for a type. A peer that lacks the type, or has another wire format for it, is left
/// out.
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

// The signed integers of leb128 and leb128fmt have another format, and unsigned-varint has none.
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
