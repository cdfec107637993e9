//! [`VarintsCodec`].

use std::io;
use std::vec::Vec;

use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::varint_codec::VarintCodec;
use crate::integrations::bytes::BufMutVarint;
use crate::scalar::slice::complete_len;
use crate::varint_trait::Integer;
use crate::vec::{decode_append, decode_append_canonical};

/// A codec for varints of one type, many at a time.
///
/// Each received item is a vector of all values that are complete in the buffer. There is one allocation
/// for each item, whose length is at most the number of bytes in the buffer. The values before an invalid
/// varint are an item of their own. Where one sent item ends, and the next begins, is not transmitted.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::codec::VarintsCodec;
///
/// let mut codec = VarintsCodec::<u64>::new();
/// let mut buffer = BytesMut::new();
/// codec.encode(vec![1, 300], &mut buffer)?;
/// codec.encode(vec![7], &mut buffer)?;
/// buffer.extend_from_slice(&[0x80]); // an incomplete value
/// assert_eq!(codec.decode(&mut buffer)?, Some(vec![1, 300, 7]));
/// assert_eq!(codec.decode(&mut buffer)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarintsCodec<T>(VarintCodec<T>);

impl<T: Integer> VarintsCodec<T> {
    /// Creates a codec that accepts overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintsCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x87, 0x00][..]);
    /// assert_eq!(VarintsCodec::<u32>::new().decode(&mut bytes)?, Some(vec![300, 7]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self(VarintCodec::new())
    }

    /// Creates a codec that rejects overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintsCodec;
    ///
    /// let (mut codec, mut bytes) = (VarintsCodec::<u32>::canonical(), BytesMut::from(&[0xac, 0x02, 0x87, 0x00][..]));
    /// assert_eq!(codec.decode(&mut bytes)?, Some(vec![300]));
    /// assert!(codec.decode(&mut bytes).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn canonical() -> Self {
        Self(VarintCodec::canonical())
    }

    /// Takes all values before the first one that is incomplete or invalid.
    fn take_values(&self, src: &mut BytesMut) -> Option<Vec<T>> {
        let complete = &src[..complete_len(src, T::MAX_LEN)];
        let append = if self.0.canonical { decode_append_canonical } else { decode_append };
        let mut values = Vec::new();
        let used =
            append(complete, &mut values).map_or_else(|failed| failed.progress.bytes, |_| complete.len());
        src.advance(used);
        (!values.is_empty()).then_some(values)
    }
}

impl<T: Integer> Default for VarintsCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> Decoder for VarintsCodec<T> {
    type Item = Vec<T>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<T>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            // The buffer is empty or begins with a value that is incomplete or invalid.
            None => Ok(self.0.decode(src)?.map(|value| Vec::from([value]))),
        }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<T>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            None => Ok(self.0.decode_eof(src)?.map(|value| Vec::from([value]))),
        }
    }
}

impl<T: Integer> Encoder<Vec<T>> for VarintsCodec<T> {
    type Error = io::Error;

    fn encode(&mut self, values: Vec<T>, dst: &mut BytesMut) -> io::Result<()> {
        dst.put_varints::<T>(&values);
        Ok(())
    }
}
