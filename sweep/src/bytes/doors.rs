//! The doors of this crate, by name.

use std::io;

use crate::Integer;
use crate::{
    DecodeError, Decoder, ErrorKind, Kernel, ReadVarint, Reader, decode_canonical_i8, decode_canonical_i16,
    decode_canonical_i32, decode_canonical_i64, decode_canonical_u8, decode_canonical_u16,
    decode_canonical_u32, decode_canonical_u64, decode_i8, decode_i16, decode_i32, decode_i64, decode_slice,
    decode_slice_canonical, decode_u8, decode_u16, decode_u32, decode_u64,
};

use super::door::Door;
use super::run::ByteSweep;
use super::verdict::{Ended, Fault, Verdict};

/// A door that can be had by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedDoor {
    /// Its name.
    pub name: &'static str,
    /// What is called, in a line.
    pub about: &'static str,
    /// Whether it runs on a [`Kernel`] of one's choice.
    pub has_kernels: bool,
}

/// All of them.
pub const DOORS: &[NamedDoor] = &[
    NamedDoor::new("single", "VarInt::decode"),
    NamedDoor::new("const", "decode_u64 and its twins"),
    NamedDoor { has_kernels: true, ..NamedDoor::new("bulk", "Kernel::decode_slice, on each kernel") },
    NamedDoor::new("free", "decode_slice, which chooses by itself"),
    NamedDoor::new("reader", "Reader::read and Reader::values"),
    NamedDoor::new("decoder", "Decoder::push, byte by byte"),
    NamedDoor::new("pieces", "Decoder::push_slice, in pieces of three bytes"),
    NamedDoor::new("io", "ReadVarint::read_varint and next_varint"),
];

impl NamedDoor {
    const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, has_kernels: false }
    }

    /// The door of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        DOORS.iter().copied().find(|door| door.name == name)
    }

    /// Adds the door to a sweep: once, or once for each of `kernels`.
    pub fn add_to<T: ConstDecode>(self, sweep: ByteSweep<T>, kernels: &[Kernel]) -> ByteSweep<T> {
        match self.name {
            "single" => sweep.door(Single),
            "const" => sweep.door(Const),
            "bulk" => kernels.iter().fold(sweep, |sweep, &kernel| sweep.door(Bulk(kernel))),
            "free" => sweep.door(Free),
            "reader" => sweep.door(ByReader),
            "decoder" => sweep.door(Bytewise),
            "pieces" => sweep.door(Piecewise),
            "io" => sweep.door(Io),
            _ => sweep,
        }
    }
}

/// The free functions for one value, which are `const` where the trait's methods are not.
pub trait ConstDecode: Integer {
    /// `decode_u64` and its twins.
    ///
    /// # Errors
    ///
    /// Those of [`VarInt::decode`](crate::VarInt::decode).
    fn const_decode(src: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// `decode_canonical_u64` and its twins.
    ///
    /// # Errors
    ///
    /// Those of [`VarInt::decode_canonical`](crate::VarInt::decode_canonical).
    fn const_decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}

macro_rules! const_decode {
    ($($int:ident $decode:ident $decode_canonical:ident)*) => {$(
        impl ConstDecode for $int {
            #[inline]
            fn const_decode(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                $decode(src)
            }

            #[inline]
            fn const_decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                $decode_canonical(src)
            }
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

/// Nothing there where a value was asked for.
const MISSING: Fault = Fault { kind: ErrorKind::Truncated, offset: 0 };

struct Single;

impl<T: Integer> Door<T> for Single {
    fn name(&self) -> &str {
        "single"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        let decoded = if canonical { T::decode_canonical(src) } else { T::decode(src) };
        decoded.map_err(Fault::from)
    }
}

struct Const;

impl<T: ConstDecode> Door<T> for Const {
    fn name(&self) -> &str {
        "const"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        let decoded = if canonical { T::const_decode_canonical(src) } else { T::const_decode(src) };
        decoded.map_err(Fault::from)
    }
}

struct Bulk(Kernel);

impl<T: Integer> Door<T> for Bulk {
    fn name(&self) -> &str {
        "bulk"
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.0.name())
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        into_one_slot(|slot| self.all(src, slot, canonical))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        match canonical {
            false => self.0.decode_slice(src, values),
            true => self.0.decode_slice_canonical(src, values),
        }
        .into()
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

struct Free;

impl<T: Integer> Door<T> for Free {
    fn name(&self) -> &str {
        "free"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        into_one_slot(|slot| self.all(src, slot, canonical))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        match canonical {
            false => decode_slice(src, values),
            true => decode_slice_canonical(src, values),
        }
        .into()
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

#[inline]
fn into_one_slot<T: Integer>(decode: impl FnOnce(&mut [T]) -> Ended) -> Verdict<T> {
    let mut slot = [T::default()];
    let ended = decode(&mut slot);
    match ended.fault {
        None if ended.values == 0 => Err(MISSING),
        None => Ok((slot[0], ended.bytes)),
        Some(fault) => Err(fault),
    }
}

struct ByReader;

impl<T: Integer> Door<T> for ByReader {
    fn name(&self) -> &str {
        "reader"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        let mut reader = Reader::new(src);
        let read = if canonical { reader.read_canonical() } else { reader.read() };
        Ok((read?, reader.position()))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        let mut reader = Reader::new(src);
        let (count, fault) = match canonical {
            false => gather(reader.values(), values),
            true => gather(reader.values_canonical(), values),
        };
        Ended { values: count, bytes: reader.position(), fault: fault.map(Fault::from) }
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

/// Takes values while there is room, up to the first error.
#[inline]
fn gather<T, E>(mut from: impl Iterator<Item = Result<T, E>>, to: &mut [T]) -> (usize, Option<E>) {
    for (count, slot) in to.iter_mut().enumerate() {
        match from.next() {
            Some(Ok(value)) => *slot = value,
            Some(Err(error)) => return (count, Some(error)),
            None => return (count, None),
        }
    }
    (to.len(), None)
}

struct Bytewise;

impl<T: Integer> Door<T> for Bytewise {
    fn name(&self) -> &str {
        "decoder"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        into_one_slot(|slot| self.all(src, slot, canonical))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        let mut decoder = decoder(canonical);
        let mut ended = Ended { values: 0, bytes: 0, fault: None };
        for (at, &byte) in src.iter().enumerate() {
            match decoder.push(byte) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    values[ended.values] = value;
                    ended = Ended { values: ended.values + 1, bytes: at + 1, fault: None };
                    if ended.values == values.len() {
                        return ended;
                    }
                }
                Err(error) => return Ended { fault: Some(error.into()), ..ended },
            }
        }
        Ended { fault: decoder.finish().err().map(Fault::from), ..ended }
    }
}

struct Piecewise;

impl<T: Integer> Door<T> for Piecewise {
    fn name(&self) -> &str {
        "pieces"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        into_one_slot(|slot| self.all(src, slot, canonical))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        let mut decoder = decoder(canonical);
        let mut ended = Ended { values: 0, bytes: 0, fault: None };
        for (index, piece) in src.chunks(3).enumerate() {
            let mut taken = 0;
            while taken < piece.len() {
                match decoder.push_slice(&piece[taken..]) {
                    Ok((None, len)) => taken += len,
                    Ok((Some(value), len)) => {
                        taken += len;
                        values[ended.values] = value;
                        ended = Ended { values: ended.values + 1, bytes: 3 * index + taken, fault: None };
                        if ended.values == values.len() {
                            return ended;
                        }
                    }
                    Err(error) => return Ended { fault: Some(error.into()), ..ended },
                }
            }
        }
        Ended { fault: decoder.finish().err().map(Fault::from), ..ended }
    }
}

fn decoder<T: Integer>(canonical: bool) -> Decoder<T> {
    if canonical { Decoder::canonical() } else { Decoder::new() }
}

struct Io;

impl<T: Integer> Door<T> for Io {
    fn name(&self) -> &str {
        "io"
    }

    #[inline]
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        let mut input = src;
        let read = if canonical { input.read_varint_canonical() } else { input.read_varint() };
        Ok((read.map_err(|error| inner(&error))?, src.len() - input.len()))
    }

    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        let mut input = src;
        let mut bytes = 0;
        for (count, slot) in values.iter_mut().enumerate() {
            let next = if canonical { input.next_varint_canonical() } else { input.next_varint() };
            match next {
                Ok(Some(value)) => *slot = value,
                Ok(None) => return Ended { values: count, bytes, fault: None },
                Err(error) => {
                    let fault = inner(&error);
                    let fault = Fault { offset: bytes.saturating_add(fault.offset), ..fault };
                    return Ended { values: count, bytes, fault: Some(fault) };
                }
            }
            bytes = src.len() - input.len();
        }
        Ended { values: values.len(), bytes, fault: None }
    }
}

/// The verdict inside an I/O error. Without one, or under a kind that does not fit, an offset that nothing agrees with.
fn inner(error: &io::Error) -> Fault {
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<DecodeError>());
    let fault = inside.map_or(MISSING, |&error| Fault::from(error));
    let due = match fault.kind {
        ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
        _ => io::ErrorKind::InvalidData,
    };
    if inside.is_some() && error.kind() == due { fault } else { Fault { offset: usize::MAX, ..fault } }
}
