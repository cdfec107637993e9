//! The integer types, and their values as numbers on the wire, which the oracle knows. Needs only
//! `core`, and therefore runs on bare metal too.

use zigzag_varint::Integer;
use zigzag_varint_oracle::{self as oracle, Outcome};

/// An integer type, with the properties that the oracle needs.
pub(crate) trait Int: Integer {
    const BITS: u32;
    /// The length of the longest encoding: one byte for each group of 7 bits.
    const LONGEST: usize = Self::BITS.div_ceil(7) as usize;

    /// Returns the number on the wire: the value itself or, for signed types, its zigzag encoding
    /// (0, 1, 2, 3, 4 for 0, -1, 1, -2, 2).
    fn wire(self) -> u128;
    /// Returns the value of a number on the wire, if it is in the range of the type.
    fn from_wire(wire: u128) -> Option<Self>;
}

macro_rules! int {
    ($($unsigned:ident $signed:ident)*) => {$(
        impl Int for $unsigned {
            const BITS: u32 = <$unsigned>::BITS;

            fn wire(self) -> u128 {
                self as u128
            }

            fn from_wire(wire: u128) -> Option<Self> {
                wire.try_into().ok()
            }
        }

        impl Int for $signed {
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

/// Decodes the first value of `src`.
pub(crate) fn decode<T: Int>(src: &[u8], canonical: bool) -> Outcome<T> {
    oracle::decode(src, T::BITS, canonical).map(|(wire, len)| (value(wire), len))
}

/// Returns the value of a number that the oracle found to be within the type.
pub(crate) fn value<T: Int>(wire: u128) -> T {
    T::from_wire(wire).expect("within the type")
}
