//! Signed LEB128, the signed integers of WebAssembly and DWARF: another wire format than zigzag, so never taken by default.
//!
//! Two's complement in groups of 7 bits, the least significant first, bit 7 set on every byte but the last; bit 6 of the last
//! byte is the sign (DWARF 5, section 7.6 "Variable Length Data", algorithms in appendix C). A value takes as many bytes as its
//! zigzag varint, [`Varint::MAX_LEN`](crate::Varint::MAX_LEN) at most.
//!
//! ```
//! use zigzag_varint::{Varint, sleb128};
//!
//! let encoded = sleb128::encode(-129i32);
//! assert_eq!(*encoded, [0xff, 0x7e]);
//! assert_eq!(sleb128::decode::<i32>(&encoded), Ok((-129, 2)));
//! assert_eq!(*(-129i32).encode(), [0x81, 0x02]); // the same number as a zigzag varint
//! ```
//!
//! # Verdicts
//!
//! The rules are WebAssembly's (Core, section 5.2.2 "Integers" of the binary format), whatever the width: an `N`-bit integer has
//! `ceil(N / 7)` bytes at most, and the bits of the last one that the width leaves over repeat the sign. DWARF sets no limit; longer
//! forms than that are `Overflow` here. For `i32`:
//!
//! | bytes | [`decode`] | [`decode_canonical`] |
//! |---|---|---|
//! | none; `80`; four times `80` | `Truncated` | `Truncated` |
//! | `80` five times or more | `Overflow`, offset 4 | `Overflow` |
//! | four times `ff`, `07` | `i32::MAX`, 5 bytes | the same |
//! | four times `80`, `78` | `i32::MIN`, 5 bytes | the same |
//! | four times `ff`, `0f`; four times `80`, `70` | `Overflow`: bits beyond the width are not the sign | `Overflow` |
//! | `83 00` | 3, 2 bytes | `NonCanonical`, offset 1 |
//! | `fe 7f` | -2, 2 bytes | `NonCanonical`, offset 1 |
//! | `ff 00`; `80 7f` | 127; -128: the last byte holds the sign | the same |
//!
//! # Beside unsigned values
//!
//! Both formats end a value at the first byte below `80`, so the rest of the crate passes over signed values as over any:
//!
//! ```
//! use zigzag_varint::{Reader, sleb128};
//!
//! // An instruction of WebAssembly: i32.const -1, with the index of a local behind it.
//! let mut reader = Reader::new(&[0x41, 0x7f, 0x02]);
//! assert_eq!(reader.read::<u8>()?, 0x41);
//! let (constant, _) = sleb128::decode::<i32>(reader.remaining())?;
//! reader.skip(1)?;
//! assert_eq!((constant, reader.read::<u32>()?), (-1, 2));
//! # Ok::<(), zigzag_varint::DecodeError>(())
//! ```

mod routines;
mod signed;
mod types;

use crate::error::{BufferTooSmall, DecodeError, PaddedWidthError};
use crate::padded::pad;
use crate::varint_trait::Encoded;

pub use self::signed::Signed;
pub use self::types::{
    decode_i8, decode_i8_canonical, decode_i16, decode_i16_canonical, decode_i32, decode_i32_canonical,
    decode_i64, decode_i64_canonical, decode_i128, decode_i128_canonical, decode_isize,
    decode_isize_canonical, encode_i8, encode_i8_padded, encode_i16, encode_i16_padded, encode_i32,
    encode_i32_padded, encode_i64, encode_i64_padded, encode_i128, encode_i128_padded, encode_isize,
    encode_isize_padded, encoded_len_i8, encoded_len_i16, encoded_len_i32, encoded_len_i64, encoded_len_i128,
    encoded_len_isize,
};

/// Bytes that the encoding takes, 1 to [`MAX_LEN`](crate::Varint::MAX_LEN).
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!([63i64, 64, -64, -65].map(sleb128::encoded_len), [1, 2, 1, 2]);
/// ```
#[inline]
pub fn encoded_len<T: Signed>(value: T) -> usize {
    // Zigzag needs a bit for the sign too.
    value.wire_len()
}

/// The encoding, in an inline buffer.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!(*sleb128::encode(-123456i64), [0xc0, 0xbb, 0x78]);
/// ```
#[inline]
pub fn encode<T: Signed>(value: T) -> Encoded<T> {
    value.to_sleb128()
}

/// Writes the encoding to the front of `dst`; the bytes used.
///
/// # Errors
///
/// [`BufferTooSmall`] where `dst` is shorter than [`encoded_len`]; `dst` is left as it was.
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

/// Writes the encoding over all of `dst`, padded with needless bytes; see [`encode_padded`](crate::encode_padded) for what it is
/// good for. A negative value is padded with `ff .. 7f`.
///
/// # Errors
///
/// [`PaddedWidthError`] where `dst` is shorter than [`encoded_len`] or longer than [`MAX_LEN`](crate::Varint::MAX_LEN); `dst` is
/// left as it was.
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

/// Decodes one value from the front of `src`: the value and the bytes it took. What follows is not looked at.
///
/// # Errors
///
/// `Truncated` where `src` ends first (an empty `src` too), `Overflow` where the value does not fit. At most
/// [`MAX_LEN`](crate::Varint::MAX_LEN) bytes are read. The [module](self) has a table.
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

/// Like [`decode`], and rejects overlong forms, so that every value has one encoding only.
///
/// # Errors
///
/// Those of `decode`, and `NonCanonical` where the last of several bytes only repeats the sign: `00` behind a byte whose bit 6 is
/// clear, `7f` behind one whose bit 6 is set.
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
