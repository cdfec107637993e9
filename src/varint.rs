//! One value: the `VarInt` trait.

use crate::backend::Element;
use crate::encoded::Encoded;
use crate::error::{BufferTooSmall, DecodeError};
use crate::scalar::value;
use crate::simd::single;
use crate::width::Width;

/// An integer with a varint encoding: every unsigned type as it is, every signed type by [`zigzag`](crate::zigzag).
///
/// The trait is sealed: the twelve integer types implement it and nothing else can.
///
/// # Verdicts
///
/// Every way to decode in this crate comes to the same verdict on the same bytes. For `u64`:
///
/// | bytes | `decode` | `decode_canonical` |
/// |---|---|---|
/// | none; `80`; nine times `80` | `Truncated` | `Truncated` |
/// | `80` ten times or more | `Overflow` | `Overflow` |
/// | nine times `ff`, `01` | `u64::MAX`, 10 bytes | the same |
/// | nine times `ff`, `02` or more | `Overflow`, never a value cut short | `Overflow` |
/// | `80 00` | 0, 2 bytes | `NonCanonical` |
/// | nine times `80`, `00` | 0, 10 bytes | `NonCanonical` |
///
/// ```
/// use zigzag_varint::VarInt;
///
/// assert_eq!((-1i64).encode(), [0x01]);
/// assert_eq!(i64::decode(&[0x01]), Ok((-1, 1)));
/// assert_eq!(u64::decode(&[0x80, 0x00]), Ok((0, 2)));
/// assert!(u64::decode_canonical(&[0x80, 0x00]).is_err());
/// ```
pub trait VarInt: Element {
    /// Bytes of the longest encoding: 2, 3, 5, 10 or 19 for 8, 16, 32, 64 or 128 bits.
    const MAX_LEN: usize;

    /// Bytes that the encoding takes, 1 to [`MAX_LEN`](Self::MAX_LEN).
    ///
    /// ```
    /// use zigzag_varint::VarInt;
    ///
    /// assert_eq!(127u64.encoded_len(), 1);
    /// assert_eq!(128u64.encoded_len(), 2);
    /// assert_eq!(64i64.encoded_len(), 2); // zigzag makes it 128
    /// ```
    fn encoded_len(self) -> usize;

    /// The encoding, in an inline buffer.
    ///
    /// Name the type: a bare `300` is an `i32` to Rust, and signed types are zigzag-coded.
    ///
    /// ```
    /// use zigzag_varint::VarInt;
    ///
    /// assert_eq!(300u32.encode(), [0xac, 0x02]);
    /// assert_eq!(300.encode(), [0xd8, 0x04]); // an i32: 600 by zigzag
    /// ```
    fn encode(self) -> Encoded<Self>;

    /// Writes the encoding to the front of `dst`; the bytes used.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] where `dst` is shorter than [`encoded_len`](Self::encoded_len); `dst` is left as it was.
    ///
    /// ```
    /// use zigzag_varint::VarInt;
    ///
    /// let mut buffer = [0; 16];
    /// assert_eq!(300u32.encode_to_slice(&mut buffer), Ok(2));
    /// assert_eq!(buffer[..2], [0xac, 0x02]);
    /// ```
    fn encode_to_slice(self, dst: &mut [u8]) -> Result<usize, BufferTooSmall>;

    /// Decodes one value from the front of `src`: the value and the bytes it took. What follows is not looked at.
    ///
    /// # Errors
    ///
    /// `Truncated` where `src` ends first (an empty `src` too), `Overflow` where the value does not fit. At most
    /// [`MAX_LEN`](Self::MAX_LEN) bytes are read.
    ///
    /// ```
    /// use zigzag_varint::VarInt;
    ///
    /// assert_eq!(u32::decode(&[0xac, 0x02, 0x07]), Ok((300, 2)));
    /// ```
    fn decode(src: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// Like [`decode`](Self::decode), and rejects overlong forms, so that every value has one encoding only.
    ///
    /// # Errors
    ///
    /// Those of `decode`, and `NonCanonical` where the last of several bytes is zero.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, VarInt};
    ///
    /// let error = u32::decode_canonical(&[0x87, 0x00]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::NonCanonical, 1));
    /// ```
    fn decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}

macro_rules! varint {
    ($($int:ident $encode:expr, $put:expr;)*) => {$(
        impl VarInt for $int {
            const MAX_LEN: usize = <$int as Width>::MAX_BYTES;

            #[inline]
            fn encoded_len(self) -> usize {
                Width::wire_len(self)
            }

            #[inline]
            fn encode(self) -> Encoded<Self> {
                $encode(self)
            }

            #[inline]
            fn encode_to_slice(self, dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
                let available = dst.len();
                $put(self, dst).ok_or_else(|| BufferTooSmall { needed: self.encoded_len(), available })
            }

            #[inline]
            fn decode(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                Width::get_wire::<false>(src)
            }

            #[inline]
            fn decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                Width::get_wire::<true>(src)
            }
        }
    )*};
}

/// Types up to 64 bits: the encoding is made in a word.
macro_rules! narrow {
    ($($int:ident)*) => { varint! {$(
        $int
            |value: $int| {
                let (bytes, len) = single::encode(value.to_raw() as u64);
                Encoded::new(bytes, len)
            },
            |value: $int, dst| single::store(value.to_raw() as u64, dst);
    )*} };
}

narrow! { u16 u32 u64 usize i16 i32 i64 isize }

// Eight bits are little work, and 128 are rare: the scalar loop.
varint! {
    u8 value::encode_u8, u8::put_wire;
    i8 value::encode_i8, i8::put_wire;
    u128 value::encode_u128, u128::put_wire;
    i128 value::encode_i128, i128::put_wire;
}
