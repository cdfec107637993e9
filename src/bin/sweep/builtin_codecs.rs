//! The built-in codecs: one for each API of the crate, and the decoder of the 2015 article.

use std::any::Any;
use std::io::BufReader;

use clap::ValueEnum;
use varint_sweep::{Codec, CodecError, Integer, codec_from_fns};
use zigzag_varint::{
    BufReadVarint, Canonical, Decoder, ErrorKind, Integer as VarintInteger, Kernel, ReadVarint, Reader,
    Varint, WriteVarint,
};

use super::article2015;
use super::value_parsers::name_of;

/// A built-in codec.
///
/// The command line takes the names from the variants and their descriptions from the comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltinCodec {
    /// encode_slice and decode_slice
    Bulk,
    /// encode_slice and Canonical::decode_slice
    Canonical,
    /// Varint::encode_to_slice and Varint::decode, value by value
    Single,
    /// Varint::encode and Canonical::decode, value by value
    Encoded,
    /// encode_slice and Reader::read
    Reader,
    /// encode_slice and Decoder::push, byte by byte
    Decoder,
    /// encode_slice and Decoder::decode_slice, in chunks of 100 bytes
    Chunks,
    /// WriteVarint::write_varint and ReadVarint::read_varint
    Io,
    /// WriteVarint::write_varints and BufReadVarint::read_varints, with a buffer of 100 bytes
    BulkIo,
    /// the decoder of the 2015 article, with its bug, as an example of a faulty codec
    Article2015,
}

impl BuiltinCodec {
    /// Returns the codec for one type. If it has kernels, it runs on `kernel`, or on the fastest
    /// one if that is `None`.
    ///
    /// # Errors
    ///
    /// Returns a message if the codec does not support the type.
    pub(crate) fn codec<T: Integer + VarintInteger>(
        self,
        kernel: Option<Kernel>,
    ) -> Result<Box<dyn Codec<T>>, String> {
        let name = name_of(&self);
        let kernel = kernel.unwrap_or_else(Kernel::detect);
        Ok(match self {
            Self::Bulk => Box::new(Bulk { name, kernel, canonical: false }),
            Self::Canonical => Box::new(Bulk { name, kernel, canonical: true }),
            Self::Single => Box::new(codec_from_fns(
                name,
                |value: T, dst: &mut [u8]| Ok(value.encode_to_slice(dst)?),
                |src: &[u8]| Ok(T::decode(src)?),
            )),
            Self::Encoded => {
                Box::new(codec_from_fns(name, encode_inline, |src: &[u8]| Ok(Canonical::<T>::decode(src)?)))
            }
            Self::Reader => Box::new(Streamed { name, decode: by_reader }),
            Self::Decoder => Box::new(Streamed { name, decode: by_decoder }),
            Self::Chunks => Box::new(Streamed { name, decode: by_chunks }),
            Self::Io => Box::new(Io { name }),
            Self::BulkIo => Box::new(BulkIo { name }),
            Self::Article2015 => for_type(article2015::codec()).ok_or_else(|| {
                let (supported, given) = (<i64 as Integer>::NAME, T::NAME);
                format!("--codec {name}: this codec supports {supported} only, not {given}; remove --type")
            })?,
        })
    }

    /// Returns whether the codec has several kernels to choose from.
    pub(crate) fn has_kernels(self) -> bool {
        matches!(self, Self::Bulk | Self::Canonical)
    }
}

/// Returns `codec` as a codec for the type `T`, if `T` and `U` are the same type.
fn for_type<T: 'static, U: 'static>(codec: impl Codec<U> + 'static) -> Option<Box<dyn Codec<T>>> {
    let codec: Box<dyn Codec<U>> = Box::new(codec);
    let codec: Box<dyn Any> = Box::new(codec);
    codec.downcast().ok().map(|codec| *codec)
}

/// The bulk functions, on one kernel.
struct Bulk {
    name: String,
    kernel: Kernel,
    canonical: bool,
}

impl<T: Integer + VarintInteger> Codec<T> for Bulk {
    fn name(&self) -> &str {
        &self.name
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.kernel.name())
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(self.kernel.encode_slice::<T>(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let progress = if self.canonical {
            self.kernel.decode_slice::<Canonical<T>>(src, values)?
        } else {
            self.kernel.decode_slice::<T>(src, values)?
        };
        all_decoded(progress.values, values)?;
        Ok(progress.bytes)
    }
}

fn encode_inline<T: Integer + VarintInteger>(value: T, dst: &mut [u8]) -> Result<usize, CodecError> {
    let encoded = value.encode();
    dst.get_mut(..encoded.len()).ok_or("the encoding is too long")?.copy_from_slice(&encoded);
    Ok(encoded.len())
}

/// Encodes with the bulk function and decodes with one of the APIs for streams.
struct Streamed<T> {
    name: String,
    decode: fn(&[u8], &mut [T]) -> Result<usize, CodecError>,
}

impl<T: Integer + VarintInteger> Codec<T> for Streamed<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(zigzag_varint::encode_slice(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        (self.decode)(src, values)
    }
}

fn by_reader<T: Integer + VarintInteger>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut reader = Reader::new(src);
    for slot in values {
        *slot = reader.read::<T>()?;
    }
    Ok(reader.position())
}

fn by_decoder<T: Integer + VarintInteger>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut decoder = Decoder::<T>::new();
    let mut slots = values.iter_mut();
    let mut slot = slots.next();
    for (at, &byte) in src.iter().enumerate() {
        if let Some(value) = decoder.push(byte)? {
            *slot.ok_or("more values than were encoded")? = value;
            slot = slots.next();
            if slot.is_none() {
                return Ok(at + 1);
            }
        }
    }
    decoder.finish()?;
    if slot.is_some() {
        Err(format!("{:?} before the last value", ErrorKind::Truncated).into())
    } else {
        Ok(0)
    }
}

/// The length of the chunks and of the buffer in bytes. Most end inside a value.
const CHUNK: usize = 100;

fn by_chunks<T: Integer + VarintInteger>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut decoder = Decoder::<T>::new();
    let (mut decoded, mut bytes) = (0, 0);
    for chunk in src.chunks(CHUNK) {
        let progress = decoder.decode_slice(chunk, &mut values[decoded..])?;
        decoded += progress.values;
        bytes += progress.bytes;
    }
    decoder.finish()?;
    all_decoded(decoded, values)?;
    Ok(bytes)
}

/// Returns an error if fewer values were decoded than `values` has.
fn all_decoded<T>(decoded: usize, values: &[T]) -> Result<(), CodecError> {
    if decoded < values.len() {
        return Err(format!("decoded {decoded} values instead of {}", values.len()).into());
    }
    Ok(())
}

/// The extension traits of `std::io`.
struct Io {
    name: String,
}

impl<T: Integer + VarintInteger> Codec<T> for Io {
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], mut dst: &mut [u8]) -> Result<usize, CodecError> {
        let mut used = 0;
        for &value in values {
            used += dst.write_varint(value)?;
        }
        Ok(used)
    }

    fn decode(&self, mut src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let before = src.len();
        for slot in values {
            *slot = src.read_varint::<T>()?;
        }
        Ok(before - src.len())
    }
}

/// The extension traits of `std::io` that pass many values in a call.
struct BulkIo {
    name: String,
}

impl<T: Integer + VarintInteger> Codec<T> for BulkIo {
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], mut dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(dst.write_varints::<T>(values)?)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let mut input = BufReader::with_capacity(CHUNK, src);
        all_decoded(input.read_varints::<T>(values)?, values)?;
        Ok(src.len() - input.get_ref().len() - input.buffer().len())
    }
}
