//! Many values from a slice, one at a time, of mixed types.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::bulk;
use crate::error::DecodeError;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::simd::cursor::Cursor;
use crate::varint_trait::Varint;

/// Reads varints from a slice, one after another. The types may differ from call to call.
///
/// Offsets in errors count from the start of the slice. A failed call leaves the position where it was, at the
/// first byte of the bad varint.
///
/// ```
/// use zigzag_varint::Reader;
///
/// let mut reader = Reader::new(&[0x07, 0x01, 0xac, 0x02]);
/// let field: u32 = reader.read()?;
/// let delta: i64 = reader.read()?;
/// let length: usize = reader.read()?;
/// assert_eq!((field, delta, length), (7, -1, 300));
/// assert!(reader.is_empty());
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `src`.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// assert_eq!(Reader::new(&[0x07]).position(), 0);
    /// ```
    #[inline]
    pub const fn new(src: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(src) }
    }

    /// The next value.
    ///
    /// # Errors
    ///
    /// Those of [`Varint::decode`]: `Truncated` at the end of the input; ask [`is_empty`](Self::is_empty) first, or
    /// use [`values`](Self::values), where the end is no error.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x80]);
    /// assert_eq!(reader.read::<u32>(), Ok(300));
    /// assert_eq!(reader.read::<u32>().unwrap_err().offset(), 3);
    /// ```
    #[inline(always)]
    pub fn read<T: Varint>(&mut self) -> Result<T, DecodeError> {
        self.cursor.read(false)
    }

    /// The next value, rejecting overlong forms.
    ///
    /// # Errors
    ///
    /// Those of [`Varint::decode_canonical`].
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x87, 0x00]);
    /// assert!(reader.read_canonical::<u32>().is_err());
    /// assert_eq!(reader.read::<u32>(), Ok(7)); // the position has stayed
    /// ```
    #[inline(always)]
    pub fn read_canonical<T: Varint>(&mut self) -> Result<T, DecodeError> {
        self.cursor.read(true)
    }

    /// Passes over `n` varints of any type; their values are not judged. The bytes passed over.
    ///
    /// # Errors
    ///
    /// `Truncated` where fewer are left; the position stays.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x05, 0x07]);
    /// assert_eq!(reader.skip(2), Ok(3));
    /// assert_eq!(reader.read::<u32>(), Ok(7));
    /// ```
    pub fn skip(&mut self, n: usize) -> Result<usize, DecodeError> {
        let bytes = bulk::skip(self.remaining(), n).map_err(|error| error.shifted(self.position()))?;
        self.cursor.skip(bytes);
        Ok(bytes)
    }

    /// The next length-prefixed payload, without a copy: a string, byte field or submessage of Protocol Buffers.
    ///
    /// # Errors
    ///
    /// Those of [`LengthPrefix::decode`]; the position stays.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, Reader};
    ///
    /// let mut reader = Reader::new(b"\x07\x05hello\x2a");
    /// assert_eq!(reader.read::<u32>()?, 7);
    /// assert_eq!(reader.read_length_prefixed(LengthPrefix::new(100))?, b"hello");
    /// assert_eq!(reader.read::<u32>()?, 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_length_prefixed(&mut self, prefix: LengthPrefix) -> Result<&'a [u8], FrameError> {
        let decoded = prefix.decode(self.remaining());
        let (payload, used) = decoded.map_err(|error| error.shifted(self.position()))?;
        self.cursor.skip(used);
        Ok(payload)
    }

    /// The next `len` bytes as they are, without a copy: a fixed-width number between varints.
    ///
    /// # Errors
    ///
    /// [`FrameError::Truncated`] where fewer are left; the position stays.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, Reader};
    ///
    /// let mut reader = Reader::new(&[0x0d, 0x00, 0x00, 0x80, 0x3f]);
    /// assert_eq!(reader.read::<u32>()?, 13);
    /// assert_eq!(reader.read_bytes(5), Err(FrameError::Truncated { len: 5, missing: 1 }));
    /// assert_eq!(reader.read_bytes(4)?, 1f32.to_le_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_bytes(&mut self, len: usize) -> Result<&'a [u8], FrameError> {
        let rest = self.remaining();
        let bytes = rest.get(..len).ok_or_else(|| FrameError::Truncated { len, missing: len - rest.len() });
        self.cursor.skip(bytes?.len());
        bytes
    }

    /// The values up to the end of the input, or up to the first error, which is the last item then.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x01, 0xac, 0x02]);
    /// let values: Result<Vec<u64>, _> = reader.values().collect();
    /// assert_eq!(values, Ok(vec![1, 300]));
    /// ```
    #[inline]
    pub fn values<T: Varint>(&mut self) -> Values<'_, 'a, T> {
        Values { reader: self, canonical: false, done: false, item: PhantomData }
    }

    /// Like [`values`](Self::values), rejecting overlong forms.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, Reader};
    ///
    /// let mut reader = Reader::new(&[0x01, 0x87, 0x00]);
    /// let mut values = reader.values_canonical::<u32>();
    /// assert_eq!(values.next(), Some(Ok(1)));
    /// assert_eq!(values.next().unwrap().unwrap_err().kind(), ErrorKind::NonCanonical);
    /// assert_eq!(values.next(), None);
    /// ```
    #[inline]
    pub fn values_canonical<T: Varint>(&mut self) -> Values<'_, 'a, T> {
        Values { reader: self, canonical: true, done: false, item: PhantomData }
    }

    /// Bytes read so far.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x07]);
    /// reader.read::<u32>()?;
    /// assert_eq!(reader.position(), 2);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub const fn position(&self) -> usize {
        self.cursor.position()
    }

    /// The bytes that are still to be read.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// // A length, and that many bytes.
    /// let mut reader = Reader::new(&[0x02, b'h', b'i']);
    /// let len: usize = reader.read()?;
    /// assert_eq!(reader.remaining().get(..len), Some(&b"hi"[..]));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub fn remaining(&self) -> &'a [u8] {
        self.cursor.remaining()
    }

    /// Whether the input is at its end.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// assert!(Reader::new(&[]).is_empty());
    /// assert!(!Reader::new(&[0x07]).is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.cursor.is_at_end()
    }
}

/// Iterator over the values of a [`Reader`]; see [`Reader::values`].
///
/// ```
/// use zigzag_varint::Reader;
///
/// let mut reader = Reader::new(&[0x01, 0xac, 0x02, 0x07]);
/// let first: Vec<u32> = reader.values().take(2).collect::<Result<_, _>>()?;
/// assert_eq!((first, reader.position()), (vec![1, 300], 3));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
#[derive(Debug)]
pub struct Values<'r, 'a, T> {
    reader: &'r mut Reader<'a>,
    canonical: bool,
    done: bool,
    item: PhantomData<T>,
}

impl<T: Varint> Iterator for Values<'_, '_, T> {
    type Item = Result<T, DecodeError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.done || self.reader.is_empty() {
            return None;
        }
        let item = self.reader.cursor.read(self.canonical);
        self.done = item.is_err();
        Some(item)
    }
}

impl<T: Varint> FusedIterator for Values<'_, '_, T> {}
