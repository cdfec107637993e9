//! [`VarintsCodec`].

use std::io;
use std::vec::Vec;

use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::varint_codec::VarintCodec;
use crate::integrations::bytes::BufMutVarint;
use crate::scalar::slice::complete_len;
use crate::varint_trait::Varint;

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
pub struct VarintsCodec<W>(VarintCodec<W>);

impl<W: Varint> VarintsCodec<W> {
    /// Creates a codec.
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

    /// Takes all values before the first one that is incomplete or invalid.
    fn take_values(&self, src: &mut BytesMut) -> Option<Vec<W::Value>> {
        let complete = &src[..complete_len(src, W::MAX_LEN)];
        let mut values = Vec::new();
        let used = W::decode_append(complete, &mut values)
            .map_or_else(|failed| failed.progress.bytes, |_| complete.len());
        src.advance(used);
        (!values.is_empty()).then_some(values)
    }
}

impl<W: Varint> Default for VarintsCodec<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: Varint> Decoder for VarintsCodec<W> {
    type Item = Vec<W::Value>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<W::Value>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            // The buffer is empty or begins with a value that is incomplete or invalid.
            None => Ok(self.0.decode(src)?.map(|value| Vec::from([value]))),
        }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<W::Value>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            None => Ok(self.0.decode_eof(src)?.map(|value| Vec::from([value]))),
        }
    }
}

impl<W: Varint> Encoder<Vec<W::Value>> for VarintsCodec<W> {
    type Error = io::Error;

    fn encode(&mut self, values: Vec<W::Value>, dst: &mut BytesMut) -> io::Result<()> {
        dst.put_varints::<W>(&values);
        Ok(())
    }
}
