//! The built-in codecs by name: every API of the crate, and the decoder of the 2015 article.

use std::any::Any;

use super::article2015;
use varint_sweep::{Codec, CodecError, Integer, one_by_one};
use zigzag_varint::{Decoder, ErrorKind, Kernel, ReadVarint, Reader, VarInt, WriteVarint};

/// A codec that can be had by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// Whether it runs on a [`Kernel`] of one's choice.
    pub(crate) has_kernels: bool,
    /// The one type it is for, where it is not for all.
    pub(crate) only: Option<&'static str>,
}

/// All of them; the first is the default.
pub(crate) const CODECS: &[Named] = &[
    Named::new("bulk", "encode_slice and decode_slice").on_kernels(),
    Named::new("canonical", "encode_slice and decode_slice_canonical").on_kernels(),
    Named::new("single", "VarInt::encode_to_slice and VarInt::decode, value by value"),
    Named::new("encoded", "VarInt::encode and VarInt::decode_canonical, value by value"),
    Named::new("reader", "encode_slice and Reader::read"),
    Named::new("decoder", "encode_slice and Decoder::push, byte by byte"),
    Named::new("io", "WriteVarint::write_varint and ReadVarint::read_varint"),
    Named {
        only: Some("i64"),
        ..Named::new("article2015", "the decoder of the 2015 article, kept as a specimen with its bug")
    },
];

impl Named {
    const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, has_kernels: false, only: None }
    }

    const fn on_kernels(self) -> Self {
        Self { has_kernels: true, ..self }
    }

    /// The codec itself, for one type; `None` where it is not for that type. The kernel matters to those
    /// that have kernels.
    pub(crate) fn codec<T: Integer + VarInt>(&self, kernel: Kernel) -> Option<Box<dyn Codec<T>>> {
        if self.only.is_some_and(|only| only != T::NAME) {
            return None;
        }
        Some(match self.name {
            "bulk" => Box::new(Bulk { kernel, canonical: false }),
            "canonical" => Box::new(Bulk { kernel, canonical: true }),
            "single" => Box::new(one_by_one(
                self.name,
                |value: T, dst: &mut [u8]| Ok(value.encode_to_slice(dst)?),
                |src: &[u8]| Ok(T::decode(src)?),
            )),
            "encoded" => {
                Box::new(one_by_one(self.name, encode_inline, |src: &[u8]| Ok(T::decode_canonical(src)?)))
            }
            "reader" => Box::new(Streamed { name: self.name, decode: by_reader }),
            "decoder" => Box::new(Streamed { name: self.name, decode: by_decoder }),
            "io" => Box::new(Io),
            "article2015" => {
                let codec: Box<dyn Codec<i64>> = Box::new(article2015::codec());
                // `only` says that T is i64.
                *(Box::new(codec) as Box<dyn Any>).downcast().ok()?
            }
            _ => return None,
        })
    }
}

struct Bulk {
    kernel: Kernel,
    canonical: bool,
}

impl<T: Integer + VarInt> Codec<T> for Bulk {
    fn name(&self) -> &str {
        if self.canonical { "canonical" } else { "bulk" }
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.kernel.name())
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(self.kernel.encode_slice(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let progress = if self.canonical {
            self.kernel.decode_slice_canonical(src, values)?
        } else {
            self.kernel.decode_slice(src, values)?
        };
        if progress.values < values.len() {
            return Err(format!("{} values instead of {}", progress.values, values.len()).into());
        }
        Ok(progress.bytes)
    }
}

fn encode_inline<T: Integer + VarInt>(value: T, dst: &mut [u8]) -> Result<usize, CodecError> {
    let encoded = value.encode();
    dst.get_mut(..encoded.len()).ok_or("too long an encoding")?.copy_from_slice(&encoded);
    Ok(encoded.len())
}

/// Encoded in bulk, decoded by one of the doors for streams.
struct Streamed<T> {
    name: &'static str,
    decode: fn(&[u8], &mut [T]) -> Result<usize, CodecError>,
}

impl<T: Integer + VarInt> Codec<T> for Streamed<T> {
    fn name(&self) -> &str {
        self.name
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        Ok(zigzag_varint::encode_slice(values, dst)?)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        (self.decode)(src, values)
    }
}

fn by_reader<T: Integer + VarInt>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut reader = Reader::new(src);
    for slot in values {
        *slot = reader.read()?;
    }
    Ok(reader.position())
}

fn by_decoder<T: Integer + VarInt>(src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
    let mut decoder = Decoder::new();
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

struct Io;

impl<T: Integer + VarInt> Codec<T> for Io {
    fn name(&self) -> &str {
        "io"
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
            *slot = src.read_varint()?;
        }
        Ok(before - src.len())
    }
}
