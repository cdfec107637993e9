//! The decoders of the codec that `sweep bytes` can check.

use std::io;

use clap::ValueEnum;
use varint_sweep::Integer;
use varint_sweep::bytes::{BulkOutcome, ByteDecoder, ByteSweep, ErrorKind, Fault, Outcome};
use zigzag_varint::{
    BulkError, DecodeError, Decoder, Kernel, Progress, ReadVarint, Reader, VarInt, decode_slice,
    decode_slice_canonical,
};

/// A decoder of the codec.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltinDecoder {
    /// VarInt::decode
    Single,
    /// decode_u64 and its twins
    Const,
    /// Kernel::decode_slice, on each kernel
    Bulk,
    /// decode_slice, which chooses by itself
    Free,
    /// Reader::read and Reader::values
    Reader,
    /// Decoder::push, byte by byte
    Decoder,
    /// Decoder::push_slice, in pieces of three bytes
    Pieces,
    /// ReadVarint::read_varint and next_varint
    Io,
}

impl BuiltinDecoder {
    /// Returns whether the decoder runs on a [`Kernel`] of the user's choice.
    pub(crate) fn has_kernels(self) -> bool {
        self == Self::Bulk
    }

    /// Adds the decoder to a sweep: once, or once for each of `kernels`.
    pub(crate) fn add_to<T: ConstDecode>(self, sweep: ByteSweep<T>, kernels: &[Kernel]) -> ByteSweep<T> {
        match self {
            Self::Single => sweep.decoder(One { name: "single", first: [T::decode, T::decode_canonical] }),
            Self::Const => sweep.decoder(One { name: "const", first: T::CONST_DECODE }),
            Self::Bulk => kernels.iter().fold(sweep, |sweep, &kernel| {
                sweep.decoder(Many {
                    name: "bulk",
                    kernel: Some(kernel.name()),
                    is_bulk: true,
                    all: move |src: &[u8], values: &mut [T], canonical| match canonical {
                        false => bulk(kernel.decode_slice(src, values)),
                        true => bulk(kernel.decode_slice_canonical(src, values)),
                    },
                })
            }),
            Self::Free => sweep.decoder(Many {
                name: "free",
                kernel: None,
                is_bulk: true,
                all: |src: &[u8], values: &mut [T], canonical| match canonical {
                    false => bulk(decode_slice(src, values)),
                    true => bulk(decode_slice_canonical(src, values)),
                },
            }),
            Self::Reader => sweep.decoder(OnReader),
            Self::Decoder => {
                sweep.decoder(Many { name: "decoder", kernel: None, is_bulk: false, all: bytewise::<T> })
            }
            Self::Pieces => {
                sweep.decoder(Many { name: "pieces", kernel: None, is_bulk: false, all: piecewise::<T> })
            }
            Self::Io => sweep.decoder(OnIo),
        }
    }
}

/// A function that decodes one value.
type DecodeOne<T> = fn(&[u8]) -> Result<(T, usize), DecodeError>;

/// The integer types with `const` functions for one value.
pub(crate) trait ConstDecode: Integer + VarInt {
    /// The lenient and the canonical one.
    const CONST_DECODE: [DecodeOne<Self>; 2];
}

macro_rules! const_decode {
    ($($int:ident $decode:ident $decode_canonical:ident)*) => {$(
        impl ConstDecode for $int {
            const CONST_DECODE: [DecodeOne<Self>; 2] =
                [zigzag_varint::$decode, zigzag_varint::$decode_canonical];
        }
    )*};
}

const_decode! {
    u8 decode_u8 decode_canonical_u8
    u16 decode_u16 decode_canonical_u16
    u32 decode_u32 decode_canonical_u32
    u64 decode_u64 decode_canonical_u64
    i8 decode_i8 decode_canonical_i8
    i16 decode_i16 decode_canonical_i16
    i32 decode_i32 decode_canonical_i32
    i64 decode_i64 decode_canonical_i64
}

/// Converts an error of the codec.
fn fault(error: DecodeError) -> Fault {
    let kind = match error.kind() {
        zigzag_varint::ErrorKind::Truncated => ErrorKind::Truncated,
        zigzag_varint::ErrorKind::Overflow => ErrorKind::Overflow,
        zigzag_varint::ErrorKind::NonCanonical => ErrorKind::NonCanonical,
        other => panic!("an unknown kind of error: {other:?}"),
    };
    Fault { kind, offset: error.offset() }
}

/// Converts the outcome of a bulk decoding.
fn bulk(result: Result<Progress, BulkError>) -> BulkOutcome {
    let (progress, error) = match result {
        Ok(progress) => (progress, None),
        Err(failed) => (failed.progress, Some(failed.error)),
    };
    BulkOutcome { values: progress.values, bytes: progress.bytes, fault: error.map(fault) }
}

/// A decoder of one value: the lenient and the canonical function.
struct One<T> {
    name: &'static str,
    first: [DecodeOne<T>; 2],
}

impl<T> ByteDecoder<T> for One<T> {
    fn name(&self) -> &str {
        self.name
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        self.first[usize::from(canonical)](src).map_err(fault)
    }
}

/// A decoder of many values, which decodes one value into a slice of one.
struct Many<F> {
    name: &'static str,
    kernel: Option<&'static str>,
    is_bulk: bool,
    all: F,
}

impl<T: Integer, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome + Sync> ByteDecoder<T> for Many<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.kernel
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        let mut slot = [T::from_i128(0)];
        match (self.all)(src, &mut slot, canonical) {
            BulkOutcome { fault: Some(fault), .. } => Err(fault),
            BulkOutcome { values: 0, .. } => Err(Fault::EMPTY),
            BulkOutcome { bytes, .. } => Ok((slot[0], bytes)),
        }
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        (self.all)(src, values, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}

struct OnReader;

impl<T: Integer + VarInt> ByteDecoder<T> for OnReader {
    fn name(&self) -> &str {
        "reader"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        let mut reader = Reader::new(src);
        let read = if canonical { reader.read_canonical() } else { reader.read() };
        Ok((read.map_err(fault)?, reader.position()))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        let mut reader = Reader::new(src);
        let (count, error) = match canonical {
            false => collect(reader.values(), values),
            true => collect(reader.values_canonical(), values),
        };
        BulkOutcome { values: count, bytes: reader.position(), fault: error.map(fault) }
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

/// Takes values until `to` is full or an error occurs.
#[inline]
fn collect<T, E>(mut from: impl Iterator<Item = Result<T, E>>, to: &mut [T]) -> (usize, Option<E>) {
    for (count, slot) in to.iter_mut().enumerate() {
        match from.next() {
            Some(Ok(value)) => *slot = value,
            Some(Err(error)) => return (count, Some(error)),
            None => return (count, None),
        }
    }
    (to.len(), None)
}

fn decoder<T: VarInt>(canonical: bool) -> Decoder<T> {
    if canonical { Decoder::canonical() } else { Decoder::new() }
}

fn bytewise<T: VarInt>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let mut decoder = decoder(canonical);
    let mut outcome = BulkOutcome { values: 0, bytes: 0, fault: None };
    for (at, &byte) in src.iter().enumerate() {
        match decoder.push(byte) {
            Ok(None) => {}
            Ok(Some(value)) => {
                values[outcome.values] = value;
                outcome = BulkOutcome { values: outcome.values + 1, bytes: at + 1, fault: None };
                if outcome.values == values.len() {
                    return outcome;
                }
            }
            Err(error) => return BulkOutcome { fault: Some(fault(error)), ..outcome },
        }
    }
    BulkOutcome { fault: decoder.finish().err().map(fault), ..outcome }
}

fn piecewise<T: VarInt>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let mut decoder = decoder(canonical);
    let mut outcome = BulkOutcome { values: 0, bytes: 0, fault: None };
    for (index, piece) in src.chunks(3).enumerate() {
        let mut taken = 0;
        while taken < piece.len() {
            match decoder.push_slice(&piece[taken..]) {
                Ok((None, len)) => taken += len,
                Ok((Some(value), len)) => {
                    taken += len;
                    values[outcome.values] = value;
                    let bytes = 3 * index + taken;
                    outcome = BulkOutcome { values: outcome.values + 1, bytes, fault: None };
                    if outcome.values == values.len() {
                        return outcome;
                    }
                }
                Err(error) => return BulkOutcome { fault: Some(fault(error)), ..outcome },
            }
        }
    }
    BulkOutcome { fault: decoder.finish().err().map(fault), ..outcome }
}

struct OnIo;

impl<T: Integer + VarInt> ByteDecoder<T> for OnIo {
    fn name(&self) -> &str {
        "io"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        let mut input = src;
        let read = if canonical { input.read_varint_canonical() } else { input.read_varint() };
        Ok((read.map_err(io_fault)?, src.len() - input.len()))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        let mut input = src;
        let mut bytes = 0;
        for (count, slot) in values.iter_mut().enumerate() {
            let next = if canonical { input.next_varint_canonical() } else { input.next_varint() };
            match next {
                Ok(Some(value)) => *slot = value,
                Ok(None) => return BulkOutcome { values: count, bytes, fault: None },
                Err(error) => {
                    let fault = Some(io_fault(error).after(bytes));
                    return BulkOutcome { values: count, bytes, fault };
                }
            }
            bytes = src.len() - input.len();
        }
        BulkOutcome { values: values.len(), bytes, fault: None }
    }
}

/// Converts the decoding error inside an I/O error. If there is none, or the I/O error is of the wrong kind, the offset
/// is one that no correct decoder returns.
fn io_fault(error: io::Error) -> Fault {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<DecodeError>());
    let fault = inner.map_or(Fault::EMPTY, |&error| fault(error));
    let expected = match fault.kind {
        ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
        _ => io::ErrorKind::InvalidData,
    };
    if inner.is_some() && error.kind() == expected { fault } else { Fault { offset: usize::MAX, ..fault } }
}
