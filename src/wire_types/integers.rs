//! The integers as their own wire types: unsigned LEB128, of the zigzag form for signed types.

use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::mem::MaybeUninit;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::error::{BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
use crate::scalar::rule::{CONTINUE, check_byte};
use crate::scalar::value::Scalar;
use crate::simd::cursor::Cursor;
use crate::simd::lane::SameLayout;
use crate::simd::single;
use crate::simd::slices::Slices;
use crate::varint_trait::{Unlimited, Varint};
use crate::width::Width;
use crate::wire::{Sealed, Wire};

/// An integer: its own wire type.
///
/// Functions that take slices or vectors of integers infer the wire type from them. The trait is
/// sealed: it is implemented for the twelve integer types.
///
/// ```
/// use zigzag_varint::{Integer, encode_to_vec};
///
/// fn column<T: Integer>(values: &[T]) -> Vec<u8> {
///     encode_to_vec(values)
/// }
/// assert_eq!(column(&[1u8, 2]), [1, 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer, so the wire type cannot be inferred",
    label = "name the wire type: `Signed::decode_slice(..)`, `Canonical::<u32>::decode_slice(..)`"
)]
pub trait Integer:
    Unlimited<Value = Self, Format: Primitive>
    + Default
    + Debug
    + Ord
    + Hash
    + Display
    + UnwindSafe
    + RefUnwindSafe
{
}

/// A primitive integer as the `Format` of an `Integer`, which is the type itself: what code that is generic
/// over integers needs of them.
pub trait Primitive: Wire + Width + Ord + SameLayout<<Self as Wire>::Value> {
    /// The type of the same width without a sign.
    type Unsigned: Primitive + SameLayout<Self>;
    /// The type of the same width with a sign.
    type Signed: Primitive + SameLayout<Self>;
    /// The least and the greatest value, by the number of bits.
    const RANGES: [(Self::Value, Self::Value); 129];

    /// Returns the kernel's methods for this type.
    fn slices(kernel: Kernel) -> impl Slices<Self>;
}

macro_rules! integers {
    ($($int:ident $unsigned:ident $signed:ident $encode:expr, $store:expr;)*) => {$(
        impl Wire for $int {
            type Value = Self;
            type Buffer = [u8; <Self as Width>::MAX_BYTES];
            const ENCODED_MAX: usize = <Self as Width>::MAX_BYTES;
            type Partial = <Self as Width>::Raw;
            const EMPTY: Self::Partial = Self::NO_BITS;

            #[inline(always)]
            fn push(
                partial: &mut Self::Partial,
                index: usize,
                byte: u8,
                canonical: bool,
            ) -> Result<Option<Self>, DecodeError> {
                check_byte::<Self>(byte, index, canonical)?;
                let raw = Self::with_group(*partial, byte, index);
                if byte >= CONTINUE {
                    *partial = raw;
                    return Ok(None);
                }
                Ok(Some(Self::from_raw(raw)))
            }

            #[inline(always)]
            fn len_on_wire(value: Self) -> usize {
                value.wire_len()
            }

            #[inline(always)]
            fn to_array(value: Self) -> (Self::Buffer, usize) {
                $encode(value.to_raw())
            }

            #[inline(always)]
            fn one_byte(value: Self) -> Option<u8> {
                let raw = value.to_raw();
                (raw < CONTINUE.into()).then_some(raw as u8)
            }

            #[inline(always)]
            fn store(value: Self, dst: &mut [u8]) -> Option<usize> {
                $store(value, dst)
            }

            #[inline(always)]
            fn load(src: &[u8], canonical: bool) -> Result<(Self, usize), DecodeError> {
                single::load(src, canonical)
            }

            #[inline(always)]
            fn read(cursor: &mut Cursor<'_>, canonical: bool) -> Result<Self, DecodeError> {
                cursor.read(canonical)
            }

            #[inline(always)]
            fn store_all(kernel: Option<Kernel>, src: &[Self], dst: &mut [u8]) -> Option<usize> {
                kernel.encode(src, dst)
            }

            #[inline(always)]
            fn len_of_all(kernel: Option<Kernel>, src: &[Self]) -> usize {
                kernel.encoded_len(src)
            }

            #[inline(always)]
            fn load_all(
                kernel: Option<Kernel>,
                src: &[u8],
                dst: &mut [MaybeUninit<Self>],
                canonical: bool,
            ) -> Result<Progress, BulkError> {
                kernel.decode(src, dst, canonical)
            }
        }

        impl Varint for $int {
            type Value = Self;
            type Buffer = [u8; <Self as Width>::MAX_BYTES];
            type Format = Self;

            #[inline(always)]
            fn value(wrapped: Self) -> Self {
                wrapped
            }
        }

        impl Primitive for $int {
            type Unsigned = $unsigned;
            type Signed = $signed;
            const RANGES: [(Self, Self); 129] = {
                let mut ranges = [(0, 0); 129];
                let mut bits = 1;
                while bits <= $int::BITS {
                    let unused = $int::BITS - bits;
                    ranges[bits as usize] = ($int::MIN >> unused, $int::MAX >> unused);
                    bits += 1;
                }
                ranges
            };

            #[inline]
            fn slices(kernel: Kernel) -> impl Slices<Self> {
                kernel
            }
        }

        impl Sealed for $int {}
        impl Unlimited for $int {}
        impl Integer for $int {}
    )*};
}

/// Types of 16 to 64 bits: the encoding is made in a word.
macro_rules! in_a_word {
    ($($int:ident: $unsigned:ident $signed:ident;)*) => { integers! {$(
        $int $unsigned $signed
            |raw| single::encode(raw as u64),
            |value: $int, dst| single::store(value.to_raw() as u64, dst);
    )*} };
}

in_a_word! {
    u16: u16 i16; u32: u32 i32; u64: u64 i64; usize: usize isize;
    i16: u16 i16; i32: u32 i32; i64: u64 i64; isize: usize isize;
}

// Eight bits are little work, and 128 bits are rare: the scalar loop.
integers! {
    u8 u8 i8 Scalar::<u8>::encode, u8::put_wire;
    i8 u8 i8 Scalar::<u8>::encode, i8::put_wire;
    u128 u128 i128 Scalar::<u128>::encode, u128::put_wire;
    i128 u128 i128 Scalar::<u128>::encode, i128::put_wire;
}
