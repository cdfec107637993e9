//! Signed LEB128: the signed integers of WebAssembly and DWARF.
//!
//! This is another wire format than zigzag, so the rest of the crate uses it only where a name says
//! `sleb128`. A value is written in two's complement, in groups of 7 bits, the least significant group
//! first. Bit 7 is set on every byte except the last, and bit 6 of the last byte is the sign (DWARF 5,
//! section 7.6 "Variable Length Data", algorithms in appendix C). The length is that of the zigzag
//! varint of the same value, at most [`Varint::MAX_LEN`](crate::Varint::MAX_LEN).
//!
//! ```
//! use zigzag_varint::{Varint, sleb128};
//!
//! let encoded = sleb128::encode(-129i32);
//! assert_eq!(encoded, [0xff, 0x7e]);
//! assert_eq!(sleb128::decode::<i32>(&encoded), Ok((-129, 2)));
//! assert_eq!((-129i32).encode(), [0x81, 0x02]); // the same number as a zigzag varint
//! ```
//!
//! # Choosing an API
//!
//! | you have | use |
//! |---|---|
//! | one value | [`encode`], [`encode_to_slice`], [`decode`], [`decode_canonical`] |
//! | one value in `const` context | [`encode_i32`], [`decode_i32`] and the other types |
//! | a slice with values of any formats | [`Reader::read_sleb128`](crate::Reader::read_sleb128), [`Reader::read_s33`](crate::Reader::read_s33) |
//! | input in pieces | [`Decoder`] |
//! | `std::io`, `embedded-io` | `read_sleb128` and `write_sleb128` of `ReadVarint` and `WriteVarint` |
//! | a fixed width, to be overwritten | [`encode_padded`] |
//! | block types of WebAssembly | [`decode_s33`] |
//!
//! [`count`](crate::count) and [`skip`](crate::skip) work for signed LEB128 as well, because its values
//! end at the first byte below `80` too.
//!
//! # Decoding rules
//!
//! The rules are those of WebAssembly (Core, section 5.2.2 "Integers" of the binary format) for every
//! width: an `N`-bit integer has at most `ceil(N / 7)` bytes, and the bits of the last byte past the
//! width repeat the sign. DWARF sets no limit; longer encodings are `Overflow` here. For `i32`:
//!
//! | bytes | [`decode`] | [`decode_canonical`] |
//! |---|---|---|
//! | none; `80`; four times `80` | `Truncated` | `Truncated` |
//! | `80` five times or more | `Overflow`, offset 4 | `Overflow` |
//! | four times `ff`, `07` | `i32::MAX`, 5 bytes | the same |
//! | four times `80`, `78` | `i32::MIN`, 5 bytes | the same |
//! | four times `ff`, `0f`; four times `80`, `70` | `Overflow`: the bits past the width are not the sign | `Overflow` |
//! | `83 00` | 3, 2 bytes | `NonCanonical`, offset 1 |
//! | `fe 7f` | -2, 2 bytes | `NonCanonical`, offset 1 |
//! | `ff 00`; `80 7f` | 127; -128: the last byte holds the sign | the same |

mod decoder;
mod routines;
mod s33;
mod signed;
mod types;

use crate::error::{BufferTooSmall, DecodeError, PaddedWidthError};
use crate::scalar::padding::pad;
use crate::varint_trait::Encoded;

pub use self::decoder::Decoder;
pub use self::s33::{decode_s33, decode_s33_canonical};
pub use self::signed::Signed;
pub use self::types::{
    decode_i8, decode_i8_canonical, decode_i16, decode_i16_canonical, decode_i32, decode_i32_canonical,
    decode_i64, decode_i64_canonical, decode_i128, decode_i128_canonical, decode_isize,
    decode_isize_canonical, encode_i8, encode_i8_padded, encode_i16, encode_i16_padded, encode_i32,
    encode_i32_padded, encode_i64, encode_i64_padded, encode_i128, encode_i128_padded, encode_isize,
    encode_isize_padded, encoded_len_i8, encoded_len_i16, encoded_len_i32, encoded_len_i64, encoded_len_i128,
    encoded_len_isize,
};

/// Returns the length of the encoding in bytes, 1 to [`MAX_LEN`](crate::Varint::MAX_LEN).
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!([63i64, 64, -64, -65].map(sleb128::encoded_len), [1, 2, 1, 2]);
/// ```
#[must_use]
#[inline]
pub fn encoded_len<T: Signed>(value: T) -> usize {
    // Both formats need one bit for the sign.
    value.wire_len()
}

/// Encodes a value into an inline buffer.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!(sleb128::encode(-123456i64), [0xc0, 0xbb, 0x78]);
/// ```
#[must_use]
#[inline]
pub fn encode<T: Signed>(value: T) -> Encoded<T> {
    value.to_sleb128()
}

/// Encodes a value at the start of `dst`, and returns the length of the encoding in bytes.
///
/// # Errors
///
/// [`BufferTooSmall`] if `dst` is shorter than [`encoded_len`]; `dst` is unchanged then.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// let mut buffer = [0; 16];
/// assert_eq!(sleb128::encode_to_slice(-129i16, &mut buffer), Ok(2));
/// assert_eq!(buffer[..2], [0xff, 0x7e]);
/// ```
#[inline]
pub fn encode_to_slice<T: Signed>(value: T, dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let available = dst.len();
    value.put_sleb128(dst).ok_or_else(|| BufferTooSmall { needed: encoded_len(value), available })
}

/// Encodes a value in exactly `dst.len()` bytes, with redundant bytes as padding.
///
/// A negative value is padded with `ff .. 7f`. See the function [`encode_padded`](crate::encode_padded) at the root
/// of the crate for the purpose.
///
/// # Errors
///
/// [`PaddedWidthError`] if `dst` is shorter than [`encoded_len`] or longer than [`MAX_LEN`](crate::Varint::MAX_LEN).
/// `dst` is unchanged then.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// let mut code = [0x41, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b]; // i32.const, a place to patch, end
/// sleb128::encode_padded(-2i32, &mut code[1..6])?;
/// assert_eq!(code, [0x41, 0xfe, 0xff, 0xff, 0xff, 0x7f, 0x0b]);
/// assert_eq!(sleb128::decode::<i32>(&code[1..]), Ok((-2, 5)));
/// # Ok::<(), zigzag_varint::PaddedWidthError>(())
/// ```
#[inline]
pub fn encode_padded<T: Signed>(value: T, dst: &mut [u8]) -> Result<(), PaddedWidthError> {
    pad(&value.to_sleb128(), dst, T::MAX_LEN, true)
}

/// Decodes the value at the start of `src`, and returns it with the length of its encoding in bytes.
///
/// At most [`MAX_LEN`](crate::Varint::MAX_LEN) bytes are read. Bytes past the encoding are ignored.
///
/// # Errors
///
/// `Truncated` if `src` ends inside the encoding or is empty, `Overflow` if the value does not fit the
/// type. The [table](self#decoding-rules) has examples.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!(sleb128::decode::<i32>(&[0xff, 0x7e, 0x07]), Ok((-129, 2)));
/// ```
#[inline]
pub fn decode<T: Signed>(src: &[u8]) -> Result<(T, usize), DecodeError> {
    T::from_sleb128::<false>(src)
}

/// Decodes like [`decode`], and rejects overlong encodings, so that every value has exactly one encoding.
///
/// # Errors
///
/// Those of `decode`, and `NonCanonical` if the last of several bytes only repeats the sign: `00` after a byte
/// whose bit 6 is clear, `7f` after a byte whose bit 6 is set.
///
/// ```
/// use zigzag_varint::{ErrorKind, sleb128};
///
/// let error = sleb128::decode_canonical::<i32>(&[0xfe, 0x7f]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::NonCanonical, 1));
/// ```
#[inline]
pub fn decode_canonical<T: Signed>(src: &[u8]) -> Result<(T, usize), DecodeError> {
    T::from_sleb128::<true>(src)
}
