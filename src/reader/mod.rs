//! The reader of values of any types from a slice.

pub(crate) mod values;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use self::values::{IntoValues, Values};
use crate::bulk;
use crate::delta::Delta;
use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::simd::cursor::Cursor;
use crate::varint_trait::Varint;
use crate::wire::Wire;
use crate::wire_types::Integer;

/// A reader over a slice of bytes that decodes one value after another.
///
/// Each call may ask for another type. Offsets in errors count from the start of the slice. After an
/// error the position is unchanged: it is that of the first byte of the invalid varint.
///
/// ```
/// use zigzag_varint::Reader;
///
/// let mut reader = Reader::new(&[0x07, 0x01, 0xac, 0x02]);
/// assert_eq!(reader.read::<u32>()?, 7);
/// assert_eq!(reader.read::<i64>()?, -1);
/// assert_eq!(reader.read::<usize>()?, 300);
/// assert!(reader.is_empty());
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of `src`.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// assert_eq!(Reader::new(&[0x07]).position(), 0);
    /// ```
    #[must_use]
    #[inline]
    pub const fn new(src: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(src) }
    }

    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// Those of [`Varint::decode`]. At the end of the input the error is `Truncated`: check
    /// [`is_empty`](Self::is_empty) first, or use [`values`](Self::values), which ends there.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x80]);
    /// assert_eq!(reader.read::<u32>(), Ok(300));
    /// assert_eq!(reader.read::<u32>().unwrap_err().offset(), 3);
    /// ```
    #[inline(always)]
    pub fn read<W: Varint>(&mut self) -> Result<W::Value, DecodeError> {
        W::Format::read(&mut self.cursor, false)
    }

    /// Reads values until `dst` is full or the input ends, and returns the number of values read.
    ///
    /// It decodes in bulk, like [`decode_slice`](crate::decode_slice), which is several times faster
    /// than reading the values one by one. O(n).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint, which is where the position is then. The values
    /// before it are in `dst` and counted in `progress`; the offset counts from the start of the reader's slice.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// // A count, and that many values.
    /// let mut reader = Reader::new(&[0x03, 0x01, 0xac, 0x02, 0x07, 0x63]);
    /// let mut values = vec![0u64; reader.read::<u8>()?.into()];
    /// assert_eq!(reader.read_slice::<u64>(&mut values)?, 3);
    /// assert_eq!(values, [1, 300, 7]);
    /// assert_eq!(reader.remaining(), [0x63]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn read_slice<W: Varint>(&mut self, dst: &mut [W::Value]) -> Result<usize, BulkError> {
        let decoded = W::decode_slice(self.remaining(), dst);
        self.advance(decoded)
    }

    /// Reads exactly `n` values and appends them to `dst`.
    ///
    /// It reserves space for at most as many values as bytes are left, so `n` may come from the
    /// input. O(n).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint, or `Truncated` if the input ends before `n` values.
    /// The values before it are appended, and the position is after them. The offset counts from the
    /// start of the reader's slice.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// // A count, and that many values.
    /// let mut reader = Reader::new(&[0x03, 0x01, 0xac, 0x02, 0x07, 0x63]);
    /// let (n, mut values) = (reader.read::<usize>()?, Vec::new());
    /// reader.read_append::<u64>(n, &mut values)?;
    /// assert_eq!((values, reader.remaining()), (vec![1, 300, 7], &[0x63][..]));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn read_append<W: Varint>(&mut self, n: usize, dst: &mut Vec<W::Value>) -> Result<(), BulkError> {
        let decoded = W::append_exact(self.remaining(), n, dst);
        self.advance(decoded.map(|bytes| Progress { values: n, bytes })).map(|_| ())
    }

    /// Reads values that are written as differences, until `dst` is full or the input ends, and returns the
    /// number of values read. O(n).
    ///
    /// # Errors
    ///
    /// Those of [`Delta::decode_slice`]. The position and the offset are as with
    /// [`read_slice`](Self::read_slice).
    ///
    /// ```
    /// use zigzag_varint::{Delta, Reader};
    ///
    /// let mut reader = Reader::new(&[0x02, 100, 3, 0x07]);
    /// let mut tiles = vec![0u64; reader.read::<usize>()?];
    /// assert_eq!(reader.read_delta_slice(Delta::gaps([0]), &mut tiles)?, 2);
    /// assert_eq!((tiles, reader.remaining()), (vec![100, 103], &[0x07][..]));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn read_delta_slice<T: Integer, const N: usize>(
        &mut self,
        delta: Delta<T, N>,
        dst: &mut [T],
    ) -> Result<usize, BulkError> {
        let decoded = delta.decode_slice(self.remaining(), dst);
        self.advance(decoded)
    }

    /// Reads exactly `n` values that are written as differences, and appends them to `dst`. O(n).
    ///
    /// It reserves space for at most as many values as bytes are left, so `n` may come from the
    /// input.
    ///
    /// # Errors
    ///
    /// Those of [`Delta::append_exact`]. The position and the offset are as with
    /// [`read_append`](Self::read_append).
    ///
    /// ```
    /// use zigzag_varint::{Delta, Reader};
    ///
    /// let mut reader = Reader::new(&[0x02, 100, 3, 0x07]);
    /// let (n, mut tiles) = (reader.read::<usize>()?, Vec::<u64>::new());
    /// reader.read_delta_append(Delta::gaps([0]), n, &mut tiles)?;
    /// assert_eq!((tiles, reader.remaining()), (vec![100, 103], &[0x07][..]));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn read_delta_append<T: Integer, const N: usize>(
        &mut self,
        delta: Delta<T, N>,
        n: usize,
        dst: &mut Vec<T>,
    ) -> Result<(), BulkError> {
        let decoded = delta.append_exact(self.remaining(), n, dst);
        self.advance(decoded.map(|bytes| Progress { values: n, bytes })).map(|_| ())
    }

    /// Moves past what a bulk function decoded from the rest of the input.
    fn advance(&mut self, decoded: Result<Progress, BulkError>) -> Result<usize, BulkError> {
        let begin = self.position();
        let progress = decoded.unwrap_or_else(|failed| failed.progress);
        self.cursor.skip(progress.bytes);
        match decoded {
            Ok(progress) => Ok(progress.values),
            Err(BulkError { progress, error }) => Err(BulkError { progress, error: error.shifted(begin) }),
        }
    }

    /// Skips `n` varints of any types, and returns the number of bytes skipped. Their values are not
    /// validated.
    ///
    /// # Errors
    ///
    /// `Truncated` if fewer than `n` are left; the position is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x05, 0x07]);
    /// assert_eq!(reader.skip_values(2), Ok(3));
    /// assert_eq!(reader.read::<u32>(), Ok(7));
    /// ```
    pub fn skip_values(&mut self, n: usize) -> Result<usize, DecodeError> {
        let bytes = bulk::skip_values(self.remaining(), n).map_err(|error| error.shifted(self.position()))?;
        self.cursor.skip(bytes);
        Ok(bytes)
    }

    /// Reads the next length-prefixed payload, such as a string, byte field or submessage of Protocol
    /// Buffers. It is not copied.
    ///
    /// # Errors
    ///
    /// Those of [`LengthPrefix::decode`]; the position is unchanged then.
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

    /// Reads one byte as it is, such as an opcode.
    ///
    /// # Errors
    ///
    /// `Truncated` at the end of the input.
    ///
    /// ```
    /// use zigzag_varint::{Reader, Signed};
    ///
    /// // WebAssembly: the instruction i32.const, and its argument.
    /// let mut reader = Reader::new(&[0x41, 0xff, 0x7e]);
    /// assert_eq!((reader.read_byte()?, reader.read::<Signed<i32>>()?), (0x41, -129));
    /// assert!(reader.read_byte().is_err());
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn read_byte(&mut self) -> Result<u8, DecodeError> {
        let first = self.remaining().first();
        let byte = first.ok_or_else(|| DecodeError::new(ErrorKind::Truncated, self.position()))?;
        self.cursor.skip(1);
        Ok(*byte)
    }

    /// Reads the next `len` bytes. They are not copied. For numbers of fixed width,
    /// [`read_array`](Self::read_array) returns an array.
    ///
    /// # Errors
    ///
    /// [`FrameError::Truncated`] if fewer than `len` bytes are left; the position is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, Reader};
    ///
    /// let mut reader = Reader::new(&[0x0d, 0x00, 0x00, 0x80, 0x3f]);
    /// assert_eq!(reader.read::<u32>()?, 13);
    /// let truncated = FrameError::Truncated { len: 5, missing: 1, offset: 5 };
    /// assert_eq!(reader.read_bytes(5), Err(truncated));
    /// assert_eq!(reader.read_bytes(4)?, 1f32.to_le_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_bytes(&mut self, len: usize) -> Result<&'a [u8], FrameError> {
        let rest = self.remaining();
        let bytes = rest.get(..len).ok_or_else(|| FrameError::truncated(len, rest.len(), self.position()));
        self.cursor.skip(bytes?.len());
        bytes
    }

    /// Reads the next `N` bytes as an array, for numbers of fixed width.
    ///
    /// # Errors
    ///
    /// [`FrameError::Truncated`] if fewer than `N` bytes are left; the position is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x00, 0x00, 0x80, 0x3f, 0x2c, 0x01]);
    /// assert_eq!(f32::from_le_bytes(reader.read_array()?), 1.0);
    /// assert_eq!(u16::from_le_bytes(reader.read_array()?), 300);
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    pub fn read_array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let rest = self.remaining();
        let array =
            rest.first_chunk().ok_or_else(|| FrameError::truncated(N, rest.len(), self.position()))?;
        self.cursor.skip(N);
        Ok(*array)
    }

    /// Returns an iterator over the values up to the end of the input. If one is invalid, its error
    /// is the last item.
    ///
    /// The reader can be used again afterwards. [`into_values`](Self::into_values) returns an
    /// iterator that owns the reader. To collect all values, `decode_to_vec` is about six times as
    /// fast, since an iterator decodes one value at a time.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x01, 0xac, 0x02, 0x07]);
    /// let first: Vec<u64> = reader.values::<u64>().take(2).collect::<Result<_, _>>()?;
    /// assert_eq!((first, reader.position()), (vec![1, 300], 3));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub fn values<W: Varint>(&mut self) -> Values<'_, 'a, W> {
        Values::new(&mut self.cursor)
    }

    /// Converts the reader into an iterator like [`values`](Self::values).
    ///
    /// ```
    /// use zigzag_varint::{DecodeError, Reader};
    ///
    /// fn doubled(src: &[u8]) -> impl Iterator<Item = Result<u64, DecodeError>> {
    ///     Reader::new(src).into_values::<u32>().map(|value| Ok(2 * u64::from(value?)))
    /// }
    /// let values: Result<Vec<u64>, _> = doubled(&[0x01, 0xac, 0x02]).collect();
    /// assert_eq!(values, Ok(vec![2, 600]));
    /// ```
    #[inline]
    pub fn into_values<W: Varint>(self) -> IntoValues<'a, W> {
        IntoValues::new(self.cursor)
    }

    /// Returns the number of bytes read so far.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0xac, 0x02, 0x07]);
    /// reader.read::<u32>()?;
    /// assert_eq!(reader.position(), 2);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn position(&self) -> usize {
        self.cursor.position()
    }

    /// Returns the bytes that are not read yet.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x02, b'h', b'i']);
    /// reader.read::<usize>()?;
    /// assert_eq!(reader.remaining(), b"hi");
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn remaining(&self) -> &'a [u8] {
        self.cursor.remaining()
    }

    /// Returns whether all bytes are read.
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// assert!(Reader::new(&[]).is_empty());
    /// assert!(!Reader::new(&[0x07]).is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.cursor.is_at_end()
    }
}
