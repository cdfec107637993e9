//! [`VarintCodec`].

use std::io;
use std::marker::PhantomData;

use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::incomplete::or_wait;
use crate::error::DecodeError;
use crate::varint_trait::{Integer, Varint};
use crate::wire_types::Canonical;

/// A codec for varints of one type.
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
pub struct VarintCodec<T> {
    pub(super) canonical: bool,
    item: PhantomData<T>,
}

impl<T: Integer> VarintCodec<T> {
    /// Creates a codec that accepts overlong encodings.
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
        Self { canonical: false, item: PhantomData }
    }

    /// Creates a codec that rejects overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut overlong = BytesMut::from(&[0x87, 0x00][..]);
    /// assert!(VarintCodec::<u32>::canonical().decode(&mut overlong).is_err());
    /// ```
    #[must_use]
    pub const fn canonical() -> Self {
        Self { canonical: true, item: PhantomData }
    }

    fn take_value(&self, src: &mut BytesMut) -> Result<T, DecodeError> {
        let (value, used) = if self.canonical { Canonical::<T>::decode(src) } else { T::decode(src) }?;
        src.advance(used);
        Ok(value)
    }
}

impl<T: Integer> Default for VarintCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> Decoder for VarintCodec<T> {
    type Item = T;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<T>> {
        or_wait(self.take_value(src), DecodeError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<T>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(self.take_value(src)?)) }
    }
}

impl<T: Integer> Encoder<T> for VarintCodec<T> {
    type Error = io::Error;

    fn encode(&mut self, value: T, dst: &mut BytesMut) -> io::Result<()> {
        dst.extend_from_slice(&value.encode());
        Ok(())
    }
}
