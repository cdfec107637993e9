//! [`VarintCodec`].

use std::io;
use std::marker::PhantomData;

use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::incomplete::or_wait;
use crate::error::DecodeError;
use crate::varint_trait::Varint;

/// A codec for varints of one wire type.
///
/// Each item is one value. [`VarintsCodec`](super::VarintsCodec) passes many values at a time, which is many times faster.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::codec::VarintCodec;
///
/// let mut codec = VarintCodec::<i64>::new();
/// let mut buffer = BytesMut::new();
/// codec.encode(-150, &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?, Some(-150));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarintCodec<W> {
    item: PhantomData<W>,
}

impl<W: Varint> VarintCodec<W> {
    /// Creates a codec.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x80][..]);
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, Some(300));
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, None); // incomplete
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { item: PhantomData }
    }

    fn take_value(&self, src: &mut BytesMut) -> Result<W::Value, DecodeError> {
        let (value, used) = W::decode(src)?;
        src.advance(used);
        Ok(value)
    }
}

impl<W: Varint> Default for VarintCodec<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: Varint> Decoder for VarintCodec<W> {
    type Item = W::Value;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<W::Value>> {
        or_wait(self.take_value(src), DecodeError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<W::Value>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(self.take_value(src)?)) }
    }
}

impl<W: Varint> Encoder<W::Value> for VarintCodec<W> {
    type Error = io::Error;

    fn encode(&mut self, value: W::Value, dst: &mut BytesMut) -> io::Result<()> {
        dst.extend_from_slice(&W::wrap(value).encode());
        Ok(())
    }
}
