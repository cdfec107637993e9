//! One value: the trait `Varint`, and `Encoded`, which its `encode` returns.

use core::fmt;
use core::hash::Hash;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::dispatch::Sealed;
use crate::error::{BufferTooSmall, DecodeError};
use crate::scalar::value;
use crate::simd::{byte_array, single};
use crate::width::Width;

/// An integer with a varint encoding.
///
/// Unsigned types are encoded as they are, signed types by [`zigzag`](crate::zigzag). The trait is sealed: it is
/// implemented for the twelve integer types and cannot be implemented for others.
///
/// # Decoding rules
///
/// All decoders of this crate agree: the same bytes give the same value, or the same error at the
/// same offset. For `u64`:
///
/// | bytes | `decode` | `decode_canonical` |
/// |---|---|---|
/// | none; `80`; nine times `80` | `Truncated` | `Truncated` |
/// | `80` ten times or more | `Overflow` | `Overflow` |
/// | nine times `ff`, `01` | `u64::MAX`, 10 bytes | the same |
/// | nine times `ff`, `02` or more | `Overflow`, never a truncated value | `Overflow` |
/// | `80 00` | 0, 2 bytes | `NonCanonical` |
/// | nine times `80`, `00` | 0, 10 bytes | `NonCanonical` |
///
/// The other types have the same rules with their own [`MAX_LEN`](Self::MAX_LEN).
///
/// ```
/// use zigzag_varint::Varint;
///
/// assert_eq!((-1i64).encode(), [0x01]);
/// assert_eq!(i64::decode(&[0x01]), Ok((-1, 1)));
/// assert_eq!(u64::decode(&[0x80, 0x00]), Ok((0, 2)));
/// assert!(u64::decode_canonical(&[0x80, 0x00]).is_err());
/// ```
///
/// # Other types
///
/// For `bool`, enums and the negative numbers of `int32` fields in Protocol Buffers, see
/// [`protobuf`](crate::protobuf). Convert a `NonZero` with `get`, and a `char` or another wrapper to its
/// integer. To store floating-point numbers, varints are the wrong format.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no varint encoding",
    label = "this is not one of `u8` to `u128`, `i8` to `i128`, `usize` and `isize`",
    note = "for `bool` and for enums, use the functions of `zigzag_varint::protobuf`",
    note = "for `NonZero`, `Wrapping` and other wrappers, encode the integer inside: `value.get()` or `value.0`",
    note = "for `char`, encode `u32::from(value)`, and decode with `char::from_u32`"
)]
pub trait Varint:
    Sealed
    + Copy
    + Default
    + Ord
    + Hash
    + fmt::Debug
    + fmt::Display
    + Send
    + Sync
    + Unpin
    + UnwindSafe
    + RefUnwindSafe
    + 'static
{
    /// The length in bytes of the longest encoding: 2, 3, 5, 10 or 19 for types of 8, 16, 32, 64 or 128 bits.
    const MAX_LEN: usize;

    /// Returns the length of the encoding in bytes, 1 to [`MAX_LEN`](Self::MAX_LEN).
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(127u64.encoded_len(), 1);
    /// assert_eq!(128u64.encoded_len(), 2);
    /// assert_eq!(64i64.encoded_len(), 2); // zigzag makes it 128
    /// ```
    #[must_use]
    fn encoded_len(self) -> usize;

    /// Encodes the value into an inline buffer.
    ///
    /// Write the type: a bare `300` is an `i32`, and signed types are zigzag-coded.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(300u32.encode(), [0xac, 0x02]);
    /// assert_eq!(300.encode(), [0xd8, 0x04]); // an i32, which zigzag maps to 600
    /// ```
    #[must_use]
    fn encode(self) -> Encoded<Self>;

    /// Encodes the value at the start of `dst`, and returns the length of the encoding in bytes.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] if `dst` is shorter than [`encoded_len`](Self::encoded_len); `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let mut buffer = [0; 16];
    /// assert_eq!(300u32.encode_to_slice(&mut buffer), Ok(2));
    /// assert_eq!(buffer[..2], [0xac, 0x02]);
    /// ```
    fn encode_to_slice(self, dst: &mut [u8]) -> Result<usize, BufferTooSmall>;

    /// Decodes the value at the start of `src`, and returns it with the length of its encoding in bytes.
    ///
    /// At most [`MAX_LEN`](Self::MAX_LEN) bytes are read. Bytes past the encoding are ignored.
    ///
    /// # Errors
    ///
    /// `Truncated` if `src` ends inside the encoding or is empty, `Overflow` if the value does not
    /// fit the type. The [table](#decoding-rules) has examples.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(u32::decode(&[0xac, 0x02, 0x07]), Ok((300, 2)));
    /// ```
    fn decode(src: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// Decodes like [`decode`](Self::decode), and rejects overlong encodings, so that every value has
    /// exactly one encoding.
    ///
    /// # Errors
    ///
    /// Those of `decode`, and `NonCanonical` if the last of several bytes is zero.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, Varint};
    ///
    /// let error = u32::decode_canonical(&[0x87, 0x00]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::NonCanonical, 1));
    /// ```
    fn decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}

macro_rules! varint {
    ($($int:ident $encode:expr, $put:expr;)*) => {$(
        impl Varint for $int {
            const MAX_LEN: usize = <$int as Width>::MAX_BYTES;

            #[inline]
            fn encoded_len(self) -> usize {
                Width::wire_len(self)
            }

            #[inline]
            fn encode(self) -> Encoded<Self> {
                let (buffer, len) = $encode(self.to_raw());
                Encoded::new(buffer, len)
            }

            #[inline]
            fn encode_to_slice(self, dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
                let available = dst.len();
                $put(self, dst).ok_or_else(|| BufferTooSmall { needed: self.encoded_len(), available })
            }

            #[inline]
            fn decode(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                Width::get_wire(src, false)
            }

            #[inline]
            fn decode_canonical(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                Width::get_wire(src, true)
            }
        }
    )*};
}

/// Types of 16 to 64 bits: the encoding is made in a word.
macro_rules! in_a_word {
    ($($int:ident)*) => { varint! {$(
        $int
            |raw| single::encode(raw as u64),
            |value: $int, dst| single::store(value.to_raw() as u64, dst);
    )*} };
}

in_a_word! { u16 u32 u64 usize i16 i32 i64 isize }

// Eight bits are little work, and 128 bits are rare: the scalar loop.
varint! {
    u8 value::encode_u8, u8::put_wire;
    i8 value::encode_u8, i8::put_wire;
    u128 value::encode_u128, u128::put_wire;
    i128 value::encode_u128, i128::put_wire;
}

/// The encoding of one value in an inline buffer.
///
/// It is `Copy`, does not allocate, and dereferences to `[u8]`. Comparisons, order and hash are
/// those of the bytes.
///
/// ```
/// use zigzag_varint::Varint;
///
/// let encoded = 300u64.encode();
/// assert_eq!(encoded, [0xac, 0x02]);
/// assert_eq!(encoded.len(), 2);
///
/// let mut message = vec![0x08];
/// message.extend(&encoded);
/// assert_eq!(message, [0x08, 0xac, 0x02]);
/// ```
#[derive(Clone, Copy)]
pub struct Encoded<T: Varint> {
    buffer: T::Buffer,
    len: u8,
}

impl<T: Varint> Encoded<T> {
    pub(crate) const fn new(buffer: T::Buffer, len: usize) -> Self {
        Self { buffer, len: len as u8 }
    }

    /// Returns the bytes of the encoding.
    ///
    /// ```
    /// use zigzag_varint::{Varint, varint};
    ///
    /// const KEY: &[u8] = varint::encode_u32(300).as_bytes();
    /// assert_eq!(KEY, [0xac, 0x02]);
    ///
    /// fn hex<T: Varint>(value: T) -> String {
    ///     format!("{:02x?}", value.encode().as_bytes())
    /// }
    /// assert_eq!(hex(300u64), "[ac, 02]");
    /// ```
    #[must_use]
    #[inline]
    pub const fn as_bytes(&self) -> &[u8] {
        byte_array::first(&self.buffer, self.len as usize)
    }
}
