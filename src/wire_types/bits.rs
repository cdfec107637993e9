//! Integers of any number of bits, such as the 33-bit integers of WebAssembly.

use core::fmt::Debug;

use super::Signed;
use super::adapter::writes_as_inner;
use super::integers::{Integer, Primitive};
use super::max_len::{at_most, push_at_most};
use super::signed::SignedInteger;
use crate::encoded::Encoded;
use crate::error::{DecodeError, ErrorKind};
use crate::kernel::Kernel;
use crate::varint_trait::{Varint, encoded};
use crate::wire::{Sealed, Wire};

/// An `N`-bit integer in the format of `W`, which is an integer or [`Signed`] of one.
///
/// The rule is that of WebAssembly for an integer of `N` bits: an encoding has at most `ceil(N / 7)`
/// bytes, and the bits of the last byte past the width are zero, or repeat the sign. Otherwise the error is
/// `TooLong` or `Overflow`, at offset `ceil(N / 7) - 1`.
///
/// Only a value of `N` bits can be written: [`new`](Self::new) checks it.
///
/// ```
/// use zigzag_varint::{Bits, Signed, Varint};
///
/// type U36 = Bits<u64, 36>;
/// type I12 = Bits<Signed<i16>, 12>;
///
/// assert_eq!((I12::MIN, I12::MAX, U36::MAX), (-2048, 2047, 0xf_ffff_ffff));
/// assert_eq!(U36::decode(&[0xac, 0x02]), Ok((300, 2)));
/// assert!(U36::decode(&u64::encode(1 << 36)).is_err());
///
/// let written = I12::new(-129).map(I12::encode);
/// assert_eq!(written, Some(Signed::encode(-129i16)));
/// assert_eq!(I12::new(2048), None);
/// ```
///
/// `N` is at least 1 and at most the width of the type. Other numbers do not compile: "Bits: the number of
/// bits must be 1 to the width of the type".
///
/// ```compile_fail,E0080
/// use zigzag_varint::{Bits, Varint};
///
/// Bits::<u32, 33>::decode(&[0x07]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<W: Varint, const N: u32>(W::Value);

/// The 33-bit integers of WebAssembly: signed LEB128 of at most five bytes, whose value is an `i64`.
///
/// Block types are written like this, so that a type index of 32 bits differs from the negative
/// codes of value types (WebAssembly Core, section 5.4.1 "Control Instructions").
///
/// ```
/// use zigzag_varint::{Reader, S33};
///
/// // Block types: a value type is negative, a type index is not.
/// let mut reader = Reader::new(&[0x7f, 0x05]);
/// assert_eq!((reader.read::<S33>()?, reader.read::<S33>()?), (-1, 5));
///
/// assert_eq!(S33::new(-64).map(S33::encode).as_deref(), Some(&[0x40][..])); // no result
/// assert_eq!((S33::MIN, S33::MAX), (-1 << 32, (1 << 32) - 1));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
pub type S33 = Bits<Signed<i64>, 33>;

impl<W: Leb128, const N: u32> Bits<W, N> {
    /// The least value: zero, or -2<sup>`N` - 1</sup> if the type is signed.
    pub const MIN: W::Value = W::RANGES[Self::WIDTH].0;

    /// The greatest value: 2<sup>`N`</sup> - 1, or 2<sup>`N` - 1</sup> - 1 if the type is signed.
    pub const MAX: W::Value = W::RANGES[Self::WIDTH].1;

    const WIDTH: usize = {
        assert!(
            0 < N && N as usize <= 8 * size_of::<W::Value>(),
            "Bits: the number of bits must be 1 to the width of the type"
        );
        N as usize
    };

    /// Returns the value as one that can be written, or `None` if it has more than `N` bits.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, S33};
    ///
    /// let mut code = vec![0x02]; // block
    /// code.put_varint(S33::new(7).expect("a type index has 32 bits"));
    /// assert_eq!(code, [0x02, 0x07]);
    /// assert_eq!(S33::new(1 << 32), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn new(value: W::Value) -> Option<Self> {
        Self::fits(value).then_some(Self(value))
    }

    /// Returns the value.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::S33::new(-1).map(|value| value.get()), Some(-1));
    /// ```
    #[must_use]
    #[inline]
    pub fn get(self) -> W::Value {
        self.0
    }

    /// Encodes the value into an inline buffer.
    ///
    /// ```
    /// use zigzag_varint::Bits;
    ///
    /// let value = Bits::<u32, 28>::new(300).expect("28 bits");
    /// assert_eq!(value.encode(), [0xac, 0x02]);
    /// ```
    #[must_use]
    #[inline]
    pub fn encode(self) -> Encoded<W::Buffer> {
        encoded::<Self>(self.0)
    }

    #[inline(always)]
    fn fits(value: W::Value) -> bool {
        Self::MIN <= value && value <= Self::MAX
    }

    #[inline(always)]
    fn fitting(value: W::Value) -> Result<W::Value, DecodeError> {
        let offset = Self::ENCODED_MAX - 1;
        if Self::fits(value) { Ok(value) } else { Err(DecodeError::new(ErrorKind::Overflow, offset)) }
    }
}

impl<W: Leb128, const N: u32> Varint for Bits<W, N> {
    type Value = W::Value;
    type Buffer = W::Buffer;
    type Format = Self;

    #[inline(always)]
    fn value(wrapped: Self) -> W::Value {
        wrapped.0
    }
}

impl<W: Leb128, const N: u32> Sealed for Bits<W, N> {}

impl<W: Leb128, const N: u32> Wire for Bits<W, N> {
    const ENCODED_MAX: usize = Self::WIDTH.div_ceil(7);

    writes_as_inner!();

    #[inline]
    fn push(
        partial: &mut Self::Partial,
        index: usize,
        byte: u8,
        canonical: bool,
    ) -> Result<Option<W::Value>, DecodeError> {
        let pushed = W::Format::push(partial, index, byte, canonical)?;
        push_at_most(Self::ENCODED_MAX, index, pushed)?.map(Self::fitting).transpose()
    }

    #[inline(always)]
    fn accepts(value: W::Value) -> bool {
        Self::fits(value)
    }

    #[inline]
    fn load(src: &[u8], canonical: bool) -> Result<(W::Value, usize), DecodeError> {
        let (value, len) = at_most(Self::ENCODED_MAX, src, W::Format::load(src, canonical))?;
        Ok((Self::fitting(value)?, len))
    }
}

/// A wire type that is LEB128 of an integer: the types that [`Bits`] can restrict. Every [`Integer`] is one.
/// The module is private, so no other crate can implement the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have another number of bits",
    label = "this is neither an integer nor `Signed` of one",
    note = "for both rules, put `Bits` inside: `Canonical<Bits<u64, 36>>`"
)]
pub trait Leb128: Varint<Value: Ord> {
    /// The least and the greatest value, by the number of bits.
    const RANGES: [(Self::Value, Self::Value); 129];
}

impl<T: Integer> Leb128 for T {
    const RANGES: [(T, T); 129] = T::Format::RANGES;
}

impl<T: SignedInteger> Leb128 for Signed<T> {
    const RANGES: [(T, T); 129] = T::Format::RANGES;
}
