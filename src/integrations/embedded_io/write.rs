//! Varints and length-prefixed payloads to `embedded_io::Write`.

use ::embedded_io::Write;

use super::error::Error;
use crate::encoded_blocks::encode_blocks;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// The number of bytes that are encoded before each `write_all`, on the stack.
const BLOCK: usize = 256;

/// Writes varints and length-prefixed payloads to any [`Write`].
///
/// ```
/// use zigzag_varint::embedded_io::WriteVarint;
///
/// let mut flash = [0; 4];
/// let mut output = &mut flash[..];
/// output.write_varint(300u64)?;
/// assert_eq!(flash, [0xac, 0x02, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WriteVarint: Write {
    /// Writes the encoding of `value` with one `write_all`, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// assert_eq!((&mut [0; 4][..]).write_varint(300u32)?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_varint<W: Varint>(&mut self, value: W) -> Result<usize, Self::Error> {
        let encoded = value.encode();
        self.write_all(&encoded)?;
        Ok(encoded.len())
    }

    /// Writes the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice), and writes blocks of at most 256
    /// bytes, each with one `write_all`.
    ///
    /// # Errors
    ///
    /// Those of the writer. The number of values written is unknown then.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// assert_eq!((&mut [0; 8][..]).write_varints::<u64>(&[1, 300, 7])?, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_varints<W: Varint>(&mut self, values: &[W::Value]) -> Result<usize, Self::Error> {
        encode_blocks::<BLOCK, W, _>(values, |bytes| self.write_all(bytes))
    }

    /// Writes the length of `payload` and then `payload`, and returns the number of bytes written. Each
    /// part is one `write_all`.
    ///
    /// # Errors
    ///
    /// Those of the writer, and [`FrameError::TooLong`]; nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// let mut flash = [0; 8];
    /// assert_eq!((&mut flash[..]).write_length_prefixed(LengthPrefix::new(64), b"hello")?, 6);
    /// assert_eq!(flash, *b"\x05hello\0\0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_length_prefixed(
        &mut self,
        prefix: LengthPrefix,
        payload: &[u8],
    ) -> Result<usize, Error<Self::Error, FrameError>> {
        let len = prefix.encode_prefix(payload.len()).map_err(Error::Data)?;
        self.write_all(&len).map_err(Error::Io)?;
        self.write_all(payload).map_err(Error::Io)?;
        Ok(len.len() + payload.len())
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}
