//! The decoders that `sweep bytes` checks: one for each decoding API of the crate.

mod byte_decoders;
mod functions;
mod outcomes;

use clap::ValueEnum;
use varint_sweep::Integer;
use varint_sweep::byte_strings::Decoders;
use zigzag_varint::{
    Canonical, Decoder, Integer as VarintInteger, Kernel, Varint, decode_slice, decode_slice_canonical,
};

use self::byte_decoders::{DecodeOne, Many, One, many};
use self::functions::{
    decode_pieces, push_all, read, read_all, read_all_buffered, read_all_io, read_buffered, read_io,
};
use self::outcomes::bulk;

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
            Self::Free => {
                let decode = |src: &[u8], values: &mut [T], canonical| match canonical {
                    false => bulk(decode_slice(src, values)),
                    true => bulk(decode_slice_canonical(src, values)),
                };
                all.with::<T>(Many { is_bulk: true, ..many("free", decode) })
            }
            Self::Reader => {
                all.with::<T>(Many { first: Some(read), is_bulk: true, ..many("reader", read_all::<T>) })
            }
            Self::Decoder => all.with::<T>(many("decoder", |src: &[u8], values: &mut [T], canonical| {
                push_all(src, values, canonical, |decoder, piece| Ok((decoder.push(piece[0])?, 1)))
            })),
            Self::Pieces => all.with::<T>(many("pieces", |src: &[u8], values: &mut [T], canonical| {
                push_all(src, values, canonical, Decoder::push_slice)
            })),
            Self::Chunks => all.with::<T>(many("chunks", decode_pieces::<T>)),
            Self::BulkIo => all.with::<T>(Many {
                first: Some(read_buffered),
                is_bulk: true,
                ..many("bulk-io", read_all_buffered::<T>)
            }),
            Self::Io => all.with::<T>(Many { first: Some(read_io), ..many("io", read_all_io::<T>) }),
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
