//! The decoders that `sweep bytes` checks: one for each decoding API of the crate.

mod byte_decoders;
mod functions;
mod outcomes;

use clap::ValueEnum;
use varint_sweep::Integer;
use varint_sweep::byte_strings::Decoders;
use zigzag_varint::{Canonical, Integer as VarintInteger, Kernel, Varint};

use self::byte_decoders::{DecodeOne, Many, One, many};
use self::functions::{
    decode_pieces, free, push_bytes, push_pieces, read, read_all, read_all_buffered, read_all_io,
    read_buffered, read_io,
};
use self::outcomes::bulk;

/// A decoder of many values by a function of the wire type: of `$T`, or of `Canonical<$T>`.
macro_rules! by_rule {
    ($name:literal, $function:ident, $T:ident) => {
        many($name, |src: &[u8], values: &mut [$T], canonical| match canonical {
            false => $function::<$T>(src, values),
            true => $function::<Canonical<$T>>(src, values),
        })
    };
}

/// A built-in decoder.
///
/// The command line takes the names from the variants and their descriptions from the comments.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltinDecoder {
    /// Varint::decode
    Single,
    /// varint::decode_u64 and its counterparts for the other types
    Const,
    /// Kernel::decode_slice, once for each kernel
    Bulk,
    /// decode_slice, which chooses the kernel
    Free,
    /// Reader::read and Reader::values
    Reader,
    /// Decoder::push, byte by byte
    Decoder,
    /// Decoder::push_slice, in pieces of three bytes
    Pieces,
    /// Decoder::decode_slice, in pieces of three bytes
    Chunks,
    /// ReadVarint::read_varint and next_varint
    Io,
    /// BufReadVarint::read_varints and read_buffered_varint, with a buffer that ends after three bytes
    BulkIo,
}

impl BuiltinDecoder {
    /// Returns whether the user can choose the decoder's [`Kernel`].
    pub(crate) fn has_kernels(self) -> bool {
        self == Self::Bulk
    }

    /// Adds the decoder to `all`: once for each of `kernels` if it runs on kernels, and once
    /// otherwise.
    pub(crate) fn add_to<T: ConstDecode>(self, all: Decoders, kernels: &[Kernel]) -> Decoders {
        match self {
            Self::Single => all.with::<T>(One { name: "single", first: [T::decode, Canonical::<T>::decode] }),
            Self::Const => all.with::<T>(One { name: "const", first: T::CONST_DECODE }),
            Self::Bulk => kernels.iter().fold(all, |all, &kernel| {
                let decode = move |src: &[u8], values: &mut [T], canonical| match canonical {
                    false => bulk(kernel.decode_slice::<T>(src, values)),
                    true => bulk(kernel.decode_slice::<Canonical<T>>(src, values)),
                };
                all.with::<T>(Many { kernel: Some(kernel.name()), is_bulk: true, ..many("bulk", decode) })
            }),
            Self::Free => all.with::<T>(Many { is_bulk: true, ..by_rule!("free", free, T) }),
            Self::Reader => all.with::<T>(Many {
                first: Some([read::<T>, read::<Canonical<T>>]),
                is_bulk: true,
                ..by_rule!("reader", read_all, T)
            }),
            Self::Decoder => all.with::<T>(by_rule!("decoder", push_bytes, T)),
            Self::Pieces => all.with::<T>(by_rule!("pieces", push_pieces, T)),
            Self::Chunks => all.with::<T>(by_rule!("chunks", decode_pieces, T)),
            Self::BulkIo => all.with::<T>(Many {
                first: Some([read_buffered::<T>, read_buffered::<Canonical<T>>]),
                is_bulk: true,
                ..by_rule!("bulk-io", read_all_buffered, T)
            }),
            Self::Io => all.with::<T>(Many {
                first: Some([read_io::<T>, read_io::<Canonical<T>>]),
                ..by_rule!("io", read_all_io, T)
            }),
        }
    }
}

/// An integer type with `const` functions that decode one value.
pub(crate) trait ConstDecode: Integer + VarintInteger {
    /// The lenient and the canonical function.
    const CONST_DECODE: [DecodeOne<Self>; 2];
}

macro_rules! const_decode {
    ($($int:ident $decode:ident $decode_canonical:ident)*) => {$(
        impl ConstDecode for $int {
            const CONST_DECODE: [DecodeOne<Self>; 2] =
                [zigzag_varint::varint::$decode, zigzag_varint::varint::$decode_canonical];
        }
    )*};
}

const_decode! {
    u8 decode_u8 decode_u8_canonical
    u16 decode_u16 decode_u16_canonical
    u32 decode_u32 decode_u32_canonical
    u64 decode_u64 decode_u64_canonical
    i8 decode_i8 decode_i8_canonical
    i16 decode_i16 decode_i16_canonical
    i32 decode_i32 decode_i32_canonical
    i64 decode_i64 decode_i64_canonical
}
