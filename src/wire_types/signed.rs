//! Signed LEB128.

use super::integers::Integer;
use crate::error::{DecodeError, ErrorKind};
use crate::scalar::rule::CONTINUE;
use crate::scalar::value::Scalar;
use crate::simd::single;
use crate::varint_trait::{Unlimited, Varint};
use crate::width::Width;
use crate::wire::{Sealed, Wire};

/// Signed LEB128: the signed integers of WebAssembly and DWARF.
///
/// This is another wire format than zigzag. A value is written in two's complement, in groups of 7
/// bits, the least significant group first. Bit 7 is set on every byte except the last, and bit 6
/// of the last byte is the sign (DWARF 5, section 7.6 "Variable Length Data", algorithms in
/// appendix C). The length is that of the zigzag varint of the same value.
///
/// # Decoding rules
///
/// The rules are those of WebAssembly (Core, section 5.2.2 "Integers" of the binary format) for
/// every width: an `N`-bit integer has at most `ceil(N / 7)` bytes, and the bits of the last byte
/// past the width repeat the sign. DWARF sets no limit; longer encodings are `TooLong` here. For
/// `i32`:
///
/// | bytes | `Signed<i32>` | `Canonical<Signed<i32>>` |
/// |---|---|---|
/// | none; `80`; four times `80` | `Truncated` | `Truncated` |
/// | `80` five times or more | `TooLong`, offset 4 | `TooLong` |
/// | four times `ff`, `07` | `i32::MAX`, 5 bytes | the same |
/// | four times `80`, `78` | `i32::MIN`, 5 bytes | the same |
/// | four times `ff`, `0f`; four times `80`, `70` | `Overflow`: the bits past the width are not the sign | `Overflow` |
/// | `83 00` | 3, 2 bytes | `NonCanonical`, offset 1 |
/// | `fe 7f` | -2, 2 bytes | `NonCanonical`, offset 1 |
/// | `ff 00`; `80 7f` | 127; -128: the last byte holds the sign | the same |
///
/// ```
/// use zigzag_varint::{Signed, Varint};
///
/// let encoded = Signed::encode(-129i32);
/// assert_eq!(encoded, [0xff, 0x7e]);
/// assert_eq!(Signed::<i32>::decode(&encoded), Ok((-129, 2)));
/// assert_eq!(i32::encode(-129), [0x81, 0x02]); // the same number as a zigzag varint
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signed<T>(pub T);

impl<T: SignedInteger> Varint for Signed<T> {
    type Value = T;
    type Buffer = T::Buffer;
    type Format = T::SignedFormat;

    #[inline(always)]
    fn value(wrapped: Self) -> T {
        wrapped.0
    }
}

impl<T: SignedInteger> Sealed for Signed<T> {}
impl<T: SignedInteger> Unlimited for Signed<T> {}

/// A signed integer, which has a signed LEB128 encoding.
///
/// ```
/// use zigzag_varint::{DecodeError, Signed, SignedInteger, Varint};
///
/// fn first<T: SignedInteger>(bytes: &[u8]) -> Result<T, DecodeError> {
///     Signed::<T>::decode(bytes).map(|(value, _)| value)
/// }
///
/// assert_eq!(first(&[0x7f]), Ok(-1i64));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no signed LEB128 encoding",
    label = "this is not one of `i8` to `i128` and `isize`",
    note = "an unsigned type is its own wire type: `read::<u32>()` reads unsigned LEB128"
)]
pub trait SignedInteger: Integer {
    /// The functions of `Signed`, which only this crate can call.
    #[doc(hidden)]
    type SignedFormat: Wire<Value = Self, Buffer = Self::Buffer>;
}

macro_rules! signed {
    ($($int:ident: $array:expr, $store:expr;)*) => {$(
        impl SignedInteger for $int {
            type SignedFormat = Signed<$int>;
        }

        impl Scalar<Signed<$int>> {
            const MAX_BYTES: usize = <$int as Width>::MAX_BYTES;

            /// Returns the encoding, at the start of an array for the longest one, and its length.
            #[inline]
            pub(crate) const fn encode(value: $int) -> ([u8; <$int as Width>::MAX_BYTES], usize) {
                let (mut bytes, len) = ([0; Self::MAX_BYTES], Self::encoded_len(value));
                let mut index = 0;
                while index < len {
                    let more = if index + 1 < len { CONTINUE } else { 0 };
                    bytes[index] = (value >> (7 * index)) as u8 & !CONTINUE | more;
                    index += 1;
                }
                (bytes, len)
            }

            /// Returns the length of the encoding.
            #[inline(always)]
            pub(crate) const fn encoded_len(value: $int) -> usize {
                // Both formats need one bit for the sign.
                Scalar::<$int>::encoded_len(value)
            }

            /// Decodes the value at the start of `src`, and returns it with its length.
            #[inline(always)]
            pub(crate) const fn decode(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                let mut value = 0;
                let mut index = 0;
                // Not a `for` loop, which the compiler would not unroll.
                while index < Self::MAX_BYTES {
                    if index == src.len() {
                        return Err(DecodeError::new(ErrorKind::Truncated, index));
                    }
                    match Self::push(&mut value, index, src[index], canonical) {
                        Ok(Some(value)) => return Ok((value, index + 1)),
                        Ok(None) => index += 1,
                        Err(error) => return Err(error),
                    }
                }
                Err(DecodeError::too_long(Self::MAX_BYTES))
            }

            /// Adds the byte at `index` to an incomplete value, as [`Wire::push`] does.
            #[inline(always)]
            const fn push(
                partial: &mut $int,
                index: usize,
                byte: u8,
                canonical: bool,
            ) -> Result<Option<$int>, DecodeError> {
                const LAST: usize = <$int as Width>::MAX_BYTES - 1;
                // The number of bits in the last byte, including the sign.
                const LAST_BITS: u32 = <$int>::BITS - 7 * LAST as u32;

                let value = *partial | ((byte & !CONTINUE) as $int) << (7 * index);
                if byte >= CONTINUE {
                    if index == LAST {
                        return Err(DecodeError::too_long(Self::MAX_BYTES));
                    }
                    *partial = value;
                    return Ok(None);
                }
                if canonical && index > 0 {
                    let sign = *partial >> (7 * index - 1) & 1;
                    if byte == if sign == 0 { 0x00 } else { 0x7f } {
                        return Err(DecodeError::new(ErrorKind::NonCanonical, index));
                    }
                }
                if index < LAST {
                    // The sign fills all bits above the group.
                    return Ok(Some(value | -((byte >> 6) as $int) << (7 * index + 7)));
                }
                // The bits past the width repeat the sign.
                let fits = ((byte << 1) as i8 >> LAST_BITS) as u8 == 0u8.wrapping_sub(byte >> 6);
                if fits { Ok(Some(value)) } else { Err(DecodeError::new(ErrorKind::Overflow, index)) }
            }
        }

        impl Wire for Signed<$int> {
            type Value = $int;
            type Buffer = [u8; Self::ENCODED_MAX];
            const ENCODED_MAX: usize = <$int as Width>::MAX_BYTES;
            const SIGN_PADDED: bool = true;
            type Partial = $int;
            const EMPTY: $int = 0;

            #[inline(always)]
            fn push(
                partial: &mut $int,
                index: usize,
                byte: u8,
                canonical: bool,
            ) -> Result<Option<$int>, DecodeError> {
                Scalar::<Self>::push(partial, index, byte, canonical)
            }

            #[inline(always)]
            fn len_on_wire(value: $int) -> usize {
                Scalar::<Self>::encoded_len(value)
            }

            #[inline]
            fn to_array(value: $int) -> (Self::Buffer, usize) {
                $array(value)
            }

            #[inline(always)]
            fn one_byte(value: $int) -> Option<u8> {
                (-64..64).contains(&value).then_some(value as u8 & !CONTINUE)
            }

            #[inline]
            fn store(value: $int, dst: &mut [u8]) -> Option<usize> {
                $store(value, dst)
            }

            #[inline(always)]
            fn load(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                // As in `single::load`.
                #[cfg(kernel = "vector128")]
                if <$int>::BITS == 64 {
                    let scalar = |src: &[u8], canonical| {
                        Scalar::<Signed<i64>>::decode(src, canonical)
                    };
                    let decoded = single::signed::load_signed(src, canonical, scalar);
                    return decoded.map(|(value, len)| (value as $int, len));
                }
                Scalar::<Self>::decode(src, canonical)
            }
        }
    )*};
}

/// Types up to 64 bits: the encoding is made in a word.
macro_rules! in_a_word {
    ($($int:ident)*) => { signed! {$(
        $int: |value: $int| single::encode_signed(value as i64), |value: $int, dst| single::store_signed(value as i64, dst);
    )*} };
}

in_a_word! { i8 i16 i32 i64 isize }

signed! {
    i128: Scalar::<Signed<i128>>::encode, |value, dst: &mut [u8]| {
        let (bytes, len) = Scalar::<Signed<i128>>::encode(value);
        dst.get_mut(..len)?.copy_from_slice(&bytes[..len]);
        Some(len)
    };
}
