//! The codecs and decoders that are built in: one for each API of the crate, and the decoder of the
//! 2015 article.

mod article2015;
mod functions;

use std::any::Any;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use every_input::byte_strings::{BulkOutcome, ByteDecoder, Decoders, DecodingError, Outcome};
use every_input::{Codec, CodecError, Integer, Number};
use zigzag_varint::{Canonical, Integer as VarintInteger, Kernel, Varint, WriteVarint};

use self::functions::{
    CODEC_PIECE, DECODER_PIECE, convert_error, decode_pieces, free, on_kernel, push_bytes, push_pieces, read,
    read_all, read_all_buffered, read_all_io, read_buffered, read_io,
};

/// An integer type that can be swept.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegerType {
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}

/// A type whose values can be swept: an integer type, or a type of floats for functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    Integer(IntegerType),
    Float(FloatType),
}

/// A type of floats; those of 16 bits are of the crate `half`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FloatType {
    F32,
    F64,
    F16,
    Bf16,
}

impl ValueEnum for ValueType {
    fn value_variants<'a>() -> &'a [Self] {
        use FloatType::{Bf16, F16, F32, F64};
        use IntegerType::{I8, I16, I32, I64, U8, U16, U32, U64};
        use ValueType::{Float, Integer};
        const ALL: [ValueType; 12] = [
            Integer(I64),
            Integer(U64),
            Integer(I32),
            Integer(U32),
            Integer(I16),
            Integer(U16),
            Integer(I8),
            Integer(U8),
            Float(F32),
            Float(F64),
            Float(F16),
            Float(Bf16),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Integer(integer) => integer.to_possible_value(),
            Self::Float(float) => float.to_possible_value(),
        }
    }
}

/// Calls a function that is generic over the integer type with the type of an [`IntegerType`].
macro_rules! with_type {
    ($type:expr, $function:ident($($argument:expr),*)) => {
        match $type {
            $crate::codecs::IntegerType::I64 => $function::<i64>($($argument),*),
            $crate::codecs::IntegerType::U64 => $function::<u64>($($argument),*),
            $crate::codecs::IntegerType::I32 => $function::<i32>($($argument),*),
            $crate::codecs::IntegerType::U32 => $function::<u32>($($argument),*),
            $crate::codecs::IntegerType::I16 => $function::<i16>($($argument),*),
            $crate::codecs::IntegerType::U16 => $function::<u16>($($argument),*),
            $crate::codecs::IntegerType::I8 => $function::<i8>($($argument),*),
            $crate::codecs::IntegerType::U8 => $function::<u8>($($argument),*),
        }
    };
}
pub(crate) use with_type;

/// A built-in codec or decoder. All have the wire format [`Wire::Leb128`](every_input::Wire).
///
/// The command line takes the names from the variants and their descriptions from the comments.
/// Unless a comment names a function that encodes, `encode_slice` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Api {
    /// Kernel::encode_slice and Kernel::decode_slice
    Bulk,
    /// encode_slice and decode_slice, which choose the kernel
    Free,
    /// Varint::encode_to_slice and Varint::decode, value by value
    Single,
    /// Reader::read and Reader::values
    Reader,
    /// Decoder::push, byte by byte
    Decoder,
    /// Decoder::push_slice, in pieces
    Pieces,
    /// Decoder::decode_slice, in pieces
    Chunks,
    /// WriteVarint::write_varint, ReadVarint::read_varint and next_varint
    Io,
    /// WriteVarint::write_varints, ReadVarint::read_varints and read_varint
    BulkIo,
    /// Kernel::encode_slice and Canonical::decode_slice on a kernel (not for sweep bytes)
    Canonical,
    /// the decoder of the 2015 article, with its bug, as an example of a faulty codec (not for sweep
    /// bytes)
    Article2015,
}

impl Api {
    /// Returns the decoders that `sweep bytes` checks, each in the lenient and the canonical mode.
    pub(crate) fn decoders() -> impl Iterator<Item = Self> + Clone {
        let others = [Self::Canonical, Self::Article2015];
        Self::value_variants().iter().copied().filter(move |api| !others.contains(api))
    }

    /// Returns whether the user can choose the [`Kernel`].
    pub(crate) fn has_kernels(self) -> bool {
        matches!(self, Self::Bulk | Self::Canonical)
    }

    /// Adds the decoder to `all`: once for each of `kernels` if it runs on kernels, and once
    /// otherwise.
    pub(crate) fn add_to<T: CodecInteger>(self, all: Decoders, kernels: &[Kernel]) -> Decoders {
        let kernels = if self.has_kernels() { kernels } else { &kernels[..kernels.len().min(1)] };
        kernels.iter().fold(all, |all, &kernel| all.with(self.decoder::<T>(kernel, DECODER_PIECE)))
    }

    /// Returns the codec for one type. If it has kernels, it runs on `kernel`, or on the fastest
    /// one if that is `None`.
    pub(crate) fn codec<T: CodecInteger>(self, kernel: Option<Kernel>) -> Result<Box<dyn Codec<T>>, String> {
        let name = name_of(&self);
        if self == Self::Article2015 {
            let codec: Box<dyn Codec<i64>> = Box::new(article2015::codec());
            let codec: Box<dyn Any> = Box::new(codec);
            return codec.downcast().map(|codec| *codec).map_err(|_| {
                let (supported, given) = (<i64 as Number>::NAME, T::NAME);
                format!("--codec {name}: this codec supports {supported} only, not {given}; remove --type")
            });
        }
        let kernel = kernel.unwrap_or_else(Kernel::detect);
        let encode: Encode<T> = match self {
            Self::Bulk | Self::Canonical => {
                Box::new(move |values, dst| Ok(kernel.encode_slice::<T>(values, dst)?))
            }
            Self::Single => one_by_one(|value: T, dst| Ok(T::encode_to_slice(value, dst)?)),
            Self::Io => one_by_one(|value: T, mut dst| Ok(dst.write_varint(value)?)),
            Self::BulkIo => Box::new(|values, mut dst| Ok(dst.write_varints::<T>(values)?)),
            _ => Box::new(|values, dst| Ok(zigzag_varint::encode_slice(values, dst)?)),
        };
        let (canonical, decoder) = (self == Self::Canonical, self.decoder(kernel, CODEC_PIECE));
        Ok(Box::new(DecoderCodec { name, encode, canonical, decoder }))
    }

    fn decoder<T: CodecInteger>(self, kernel: Kernel, piece: usize) -> Box<dyn ByteDecoder<T>> {
        /// A decoder by a function of the wire type: of `T`, or of `Canonical<T>`.
        macro_rules! many {
            ($name:literal, $function:ident $(, $argument:ident)?) => {
                Many {
                    name: $name,
                    kernel: None,
                    is_bulk: false,
                    first: None,
                    all: move |src: &[u8], values: &mut [T], canonical| match canonical {
                        false => $function::<T>(src, values $(, $argument)?),
                        true => $function::<Canonical<T>>(src, values $(, $argument)?),
                    },
                }
            };
        }
        match self {
            Self::Bulk | Self::Canonical | Self::Article2015 => Box::new(Many {
                kernel: Some(kernel.name()),
                is_bulk: true,
                ..many!("bulk", on_kernel, kernel)
            }),
            Self::Free => Box::new(Many { is_bulk: true, ..many!("free", free) }),
            Self::Single => Box::new(Single),
            Self::Reader => Box::new(Many {
                first: Some([read::<T>, read::<Canonical<T>>]),
                is_bulk: true,
                ..many!("reader", read_all)
            }),
            Self::Decoder => Box::new(many!("decoder", push_bytes)),
            Self::Pieces => Box::new(many!("pieces", push_pieces, piece)),
            Self::Chunks => Box::new(many!("chunks", decode_pieces, piece)),
            Self::Io => Box::new(Many {
                first: Some([read_io::<T>, read_io::<Canonical<T>>]),
                ..many!("io", read_all_io)
            }),
            Self::BulkIo => Box::new(Many {
                first: Some([read_buffered::<T>, read_buffered::<Canonical<T>>]),
                is_bulk: true,
                ..many!("bulk-io", read_all_buffered, piece)
            }),
        }
    }
}

/// Returns the name of a value on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|named| named.get_name().to_owned()).unwrap_or_default()
}

type Encode<T> = Box<dyn Fn(&[T], &mut [u8]) -> Result<usize, CodecError> + Sync>;

fn one_by_one<T: Copy + 'static>(
    encode: impl Fn(T, &mut [u8]) -> Result<usize, CodecError> + Sync + 'static,
) -> Encode<T> {
    Box::new(move |values, dst| {
        values.iter().try_fold(0, |used, &value| Ok(used + encode(value, &mut dst[used..])?))
    })
}

/// A decoder that is a codec with an encoder.
struct DecoderCodec<T> {
    name: String,
    encode: Encode<T>,
    canonical: bool,
    decoder: Box<dyn ByteDecoder<T>>,
}

impl<T: Integer> Codec<T> for DecoderCodec<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.decoder.kernel()
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        (self.encode)(values, dst)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        match self.decoder.decode_all(src, values, self.canonical) {
            BulkOutcome { error: Some(error), .. } => Err(error.into()),
            BulkOutcome { values: decoded, .. } if decoded < values.len() => {
                Err(format!("decoded {decoded} values instead of {}", values.len()).into())
            }
            BulkOutcome { bytes, .. } => Ok(bytes),
        }
    }
}

/// `Varint::decode`, for one value. Not behind a pointer, so that the calls are inlined.
struct Single;

impl<T: CodecInteger> ByteDecoder<T> for Single {
    fn name(&self) -> &str {
        "single"
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        let decoded = if canonical { Canonical::<T>::decode(src) } else { T::decode(src) };
        decoded.map_err(convert_error)
    }
}

/// A function that decodes one value, with the errors of the engine.
type First<T> = fn(&[u8]) -> Outcome<T>;

struct Many<T, F> {
    name: &'static str,
    kernel: Option<&'static str>,
    is_bulk: bool,
    /// Decode one value, leniently and canonically. If this is `None`, `all` decodes it into a
    /// slice of length one.
    first: Option<[First<T>; 2]>,
    all: F,
}

impl<T: Integer, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome + Sync> ByteDecoder<T> for Many<T, F> {
    fn name(&self) -> &str {
        self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.kernel
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        if let Some(first) = self.first {
            return first[usize::from(canonical)](src);
        }
        let mut slot = [T::from_i128(0)];
        match (self.all)(src, &mut slot, canonical) {
            BulkOutcome { error: Some(error), .. } => Err(error),
            BulkOutcome { values: 0, .. } => Err(DecodingError::EMPTY_INPUT),
            BulkOutcome { bytes, .. } => Ok((slot[0], bytes)),
        }
    }

    #[inline]
    fn decode_all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        (self.all)(src, values, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}

/// An integer type of both the engine and the codec.
pub(crate) trait CodecInteger: Integer + VarintInteger {}

impl<T: Integer + VarintInteger> CodecInteger for T {}
