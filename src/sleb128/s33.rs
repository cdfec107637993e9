//! The 33-bit integers of WebAssembly.

use super::types::parse_i64;
use crate::error::{DecodeError, ErrorKind};

/// The index of the last byte of the longest encoding: 33 bits are five groups of 7.
const LAST: usize = 4;

/// Decodes the 33-bit signed integer at the start of `src`, and returns it with the length of its
/// encoding in bytes.
///
/// WebAssembly writes block types and heap types in this format (Core, section 5.3): a non-negative value
/// is the index of a type, a negative value stands for a built-in type. To encode a value between
/// -2^32 and 2^32 - 1, use [`encode_i64`](super::encode_i64), which writes the same bytes.
///
/// # Errors
///
/// `Truncated` if `src` ends inside the encoding or is empty, `Overflow` if the value needs more
/// than 33 bits or five bytes.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert_eq!(sleb128::decode_s33(&[0x40]), Ok((-64, 1))); // the empty block type
/// assert_eq!(sleb128::decode_s33(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Ok((u32::MAX.into(), 5)));
/// assert!(sleb128::decode_s33(&[0xff, 0xff, 0xff, 0xff, 0x1f]).is_err());
/// assert_eq!(*sleb128::encode_i64(-64), [0x40]);
/// ```
pub const fn decode_s33(src: &[u8]) -> Result<(i64, usize), DecodeError> {
    parse_s33::<false>(src)
}

/// Decodes like [`decode_s33`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_s33`], and `NonCanonical`.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// assert!(sleb128::decode_s33_canonical(&[0xc0, 0x7f]).is_err());
/// ```
pub const fn decode_s33_canonical(src: &[u8]) -> Result<(i64, usize), DecodeError> {
    parse_s33::<true>(src)
}

const fn parse_s33<const CANONICAL: bool>(src: &[u8]) -> Result<(i64, usize), DecodeError> {
    let decoded = parse_i64::<CANONICAL>(src);
    let fits = match decoded {
        Ok((value, len)) => len <= LAST + 1 && value >> 32 == value >> 63,
        Err(error) => error.offset() <= LAST,
    };
    if fits { decoded } else { Err(DecodeError::new(ErrorKind::Overflow, LAST)) }
}
