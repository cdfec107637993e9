//! Varints and length-prefixed payloads to `std::io::Write`.

use std::io::{self, Write};

use crate::encoded_blocks::encode_blocks;
use crate::length_prefix::LengthPrefix;
use crate::varint_trait::Varint;

/// The number of bytes that are encoded before each `write_all`, on the stack.
const BLOCK: usize = 16 * 1024;

/// Writes varints and length-prefixed payloads to any [`Write`].
///
/// ```
/// use zigzag_varint::WriteVarint;
///
/// let mut output = Vec::new();
/// output.write_varint(300u64)?;
/// output.write_varint(-1i64)?;
/// assert_eq!(output, [0xac, 0x02, 0x01]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait WriteVarint: Write {
    /// Writes the encoding of `value` with one `write_all`, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use zigzag_varint::WriteVarint;
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_varint(300u32)?, 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn write_varint<W: Varint>(&mut self, value: W) -> io::Result<usize> {
        let encoded = value.encode();
        self.write_all(&encoded)?;
        Ok(encoded.len())
    }

    /// Writes the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice), and writes blocks of some kilobytes,
    /// each with one `write_all`. Nothing is allocated.
    ///
    /// # Errors
    ///
    /// Those of the writer. The number of values written is unknown then.
    ///
    /// ```
    /// use zigzag_varint::WriteVarint;
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_varints::<u64>(&[1, 300, 7])?, 4);
    /// assert_eq!(output, [0x01, 0xac, 0x02, 0x07]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn write_varints<W: Varint>(&mut self, values: &[W::Value]) -> io::Result<usize> {
        encode_blocks::<BLOCK, W, _>(values, |bytes| self.write_all(bytes))
    }

    /// Writes the length of `payload` and then `payload`, and returns the number of bytes written.
    ///
    /// Each part is one `write_all`. Wrap sockets in a [`BufWriter`](io::BufWriter), or the parts are
    /// sent in two packets.
    ///
    /// # Errors
    ///
    /// Those of the writer. If `payload` is longer than the limit, the kind is `InvalidInput` with a
    /// [`FrameError::TooLong`](crate::FrameError::TooLong) inside, and nothing is written.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, WriteVarint};
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_length_prefixed(LengthPrefix::new(1000), b"hello")?, 6);
    /// assert_eq!(output, b"\x05hello");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn write_length_prefixed(&mut self, prefix: LengthPrefix, payload: &[u8]) -> io::Result<usize> {
        let len = prefix
            .encode_prefix(payload.len())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        self.write_all(&len)?;
        self.write_all(payload)?;
        Ok(len.len() + payload.len())
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}
