//! The part of the oracle that needs only `core`, and therefore runs on bare metal too. It decodes
//! varints by plain arithmetic (powers of 128 in `u128`), written from the formats' specifications.

use zigzag_varint::{DecodeError, ErrorKind, Varint};

/// An integer type, with the properties that the oracle needs.
pub trait Int: Varint + Default + Eq + core::fmt::Debug {
    const NAME: &'static str;
    const BITS: u32;
    /// The length of the longest encoding: one byte for each group of 7 bits.
    const LONGEST: usize = Self::BITS.div_ceil(7) as usize;
    /// The largest number on the wire.
    const WIRE_MAX: u128 = u128::MAX >> (128 - Self::BITS);

    /// Returns the number on the wire: the value itself or, for signed types, its zigzag encoding
    /// (0, 1, 2, 3, 4 for 0, -1, 1, -2, 2).
    fn wire(self) -> u128;
    /// Returns the value of a number on the wire, if it is in the range of the type.
    fn from_wire(wire: u128) -> Option<Self>;
}

macro_rules! int {
    ($($unsigned:ident $signed:ident)*) => {$(
        impl Int for $unsigned {
            const NAME: &'static str = stringify!($unsigned);
            const BITS: u32 = <$unsigned>::BITS;

            fn wire(self) -> u128 {
                self as u128
            }

            fn from_wire(wire: u128) -> Option<Self> {
                wire.try_into().ok()
            }
        }

        impl Int for $signed {
            const NAME: &'static str = stringify!($signed);
            const BITS: u32 = <$signed>::BITS;

            fn wire(self) -> u128 {
                if self >= 0 { 2 * self as u128 } else { 2 * (-(self + 1)) as u128 + 1 }
            }

            fn from_wire(wire: u128) -> Option<Self> {
                let half: Self = (wire / 2).try_into().ok()?;
                Some(if wire % 2 == 0 { half } else { -half - 1 })
            }
        }
    )*};
}

int!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

/// The kind and offset of an error. Unlike [`DecodeError`], tests can construct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorAt {
    pub kind: ErrorKind,
    pub offset: usize,
}

impl From<DecodeError> for ErrorAt {
    fn from(error: DecodeError) -> Self {
        Self { kind: error.kind(), offset: error.offset() }
    }
}

impl ErrorAt {
    /// Returns the same error for an input that begins `bytes` earlier.
    pub fn shifted(self, bytes: usize) -> Self {
        Self { offset: self.offset + bytes, ..self }
    }
}

/// The value and its encoded length, or the error.
pub type Outcome<T> = Result<(T, usize), ErrorAt>;

/// Decodes the first value of `src`.
pub fn decode<T: Int>(src: &[u8], canonical: bool) -> Outcome<T> {
    let mut sum = 0u128;
    for (offset, &byte) in src.iter().enumerate() {
        let (last, digit) = (byte < 128, u128::from(byte % 128));
        // `offset` stays below LONGEST, so the power of 128 fits in a u128. The product may not.
        let grown = digit.checked_mul(1 << (7 * offset)).and_then(|group| sum.checked_add(group));
        match grown.and_then(|grown| Some((grown, T::from_wire(grown)?))) {
            Some((_, value)) if last => {
                let overlong = canonical && byte == 0 && offset > 0;
                let error = ErrorAt { kind: ErrorKind::NonCanonical, offset };
                return if overlong { Err(error) } else { Ok((value, offset + 1)) };
            }
            Some((grown, _)) if offset + 1 < T::LONGEST => sum = grown,
            _ => return Err(ErrorAt { kind: ErrorKind::Overflow, offset }),
        }
    }
    Err(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() })
}

/// Counts the complete varints in `src`: each has one byte below 128.
pub fn count(src: &[u8]) -> usize {
    src.iter().map(|&byte| usize::from(byte / 128 == 0)).sum()
}

/// Returns the length of the first `n` varints in bytes.
pub fn skip(src: &[u8], n: usize) -> Result<usize, ErrorAt> {
    let mut at = 0;
    for _ in 0..n {
        while *src.get(at).ok_or(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() })? >= 128 {
            at += 1;
        }
        at += 1;
    }
    Ok(at)
}
