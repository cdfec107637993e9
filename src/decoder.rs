//! The decoder for input that arrives in pieces.

use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::scalar::slice::complete_len;
use crate::simd::destination;
use crate::varint_trait::Varint;
use crate::wire::Wire;

/// A decoder for input that arrives in pieces of any size.
///
/// It stores at most one incomplete value and never allocates. Offsets in errors count from the
/// first byte given since the decoder was created or last failed. After an error the decoder is in
/// its initial state.
///
/// ```
/// use zigzag_varint::Decoder;
///
/// let mut decoder = Decoder::<u64>::new();
/// assert_eq!(decoder.push(0xac)?, None);
/// assert_eq!(decoder.push(0x02)?, Some(300));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
///
/// With an asynchronous reader, here `tokio`'s, it decodes the bytes as they arrive:
///
#[cfg_attr(feature = "std", doc = "```")]
#[cfg_attr(not(feature = "std"), doc = "```ignore")]
/// use tokio::io::{AsyncRead, AsyncReadExt};
/// use zigzag_varint::Decoder;
///
/// async fn read_u64(input: &mut (impl AsyncRead + Unpin)) -> std::io::Result<u64> {
///     let mut decoder = Decoder::<u64>::new();
///     loop {
///         if let Some(value) = decoder.push(input.read_u8().await?)? {
///             return Ok(value);
///         }
///     }
/// }
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # assert_eq!(runtime.block_on(read_u64(&mut &[0xac, 0x02][..]))?, 300);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<W: Varint> {
    partial: <W::Format as Wire>::Partial,
    /// The number of bytes of the incomplete value.
    pending: usize,
    /// The number of bytes of the complete values.
    finished: usize,
}

impl<W: Varint> Decoder<W> {
    /// Creates a decoder. `Decoder::<Canonical<W>>` rejects overlong encodings.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let decoder = Decoder::<u32>::new();
    /// assert_eq!(decoder.pending(), 0);
    /// ```
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { partial: W::Format::EMPTY, pending: 0, finished: 0 }
    }

    /// Consumes one byte, and returns the value if the byte completes one.
    ///
    /// # Errors
    ///
    /// `Overflow`, `TooLong`, and for a wire type that is `Canonical` also `NonCanonical`. The offset is that
    /// of this byte.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u32>::new();
    /// let mut values = Vec::new();
    /// for byte in [0xac, 0x02, 0x07] {
    ///     values.extend(decoder.push(byte)?);
    /// }
    /// assert_eq!(values, [300, 7]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub fn push(&mut self, byte: u8) -> Result<Option<W::Value>, DecodeError> {
        match W::Format::push(&mut self.partial, self.pending, byte, false) {
            Ok(None) => {
                self.pending += 1;
                Ok(None)
            }
            Ok(value) => {
                self.finished = self.finished.saturating_add(self.pending + 1);
                self.partial = W::Format::EMPTY;
                self.pending = 0;
                Ok(value)
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Consumes bytes from `chunk` until a value is complete. Returns the value, or `None` if `chunk`
    /// ends first, and the number of bytes consumed.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u64>::new();
    /// assert_eq!(decoder.push_slice(&[0xac])?, (None, 1));
    /// assert_eq!(decoder.push_slice(&[0x02, 0x07])?, (Some(300), 1));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    ///
    /// [`decode_slice`](Self::decode_slice) decodes many values in a call.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    pub fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<W::Value>, usize), DecodeError> {
        for (index, &byte) in chunk.iter().enumerate() {
            if let Some(value) = self.push(byte)? {
                return Ok((Some(value), index + 1));
            }
        }
        Ok((None, chunk.len()))
    }

    /// Decodes values from `chunk` until `chunk` is exhausted or `dst` is full, and returns how many
    /// values were decoded and how many bytes were consumed. O(n).
    ///
    /// It decodes in bulk, like [`decode_slice`](crate::decode_slice), which is many times faster than
    /// single bytes. An incomplete value at the end of `chunk` is consumed and stored, unless `dst` is
    /// full. If fewer bytes are consumed than `chunk` has, `dst` is full: pass the rest of `chunk` again.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let (mut decoder, mut block) = (Decoder::<u64>::new(), [0; 16]);
    /// let mut values = Vec::<u64>::new();
    /// for mut chunk in [&[0x07, 0xac][..], &[0x02, 0x01]] {
    ///     while !chunk.is_empty() {
    ///         let progress = decoder.decode_slice(chunk, &mut block)?;
    ///         values.extend(&block[..progress.values]);
    ///         chunk = &chunk[progress.bytes..];
    ///     }
    /// }
    /// decoder.finish()?; // the input does not end inside a value
    /// assert_eq!(values, [7, 300, 1]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint. The values before it are in `dst` and counted in
    /// `progress`, whose `bytes` are those of `chunk` before the invalid varint. The offset counts as in
    /// the other methods.
    pub fn decode_slice(&mut self, chunk: &[u8], dst: &mut [W::Value]) -> Result<Progress, BulkError> {
        let mut done = Progress::default();
        let Some(first) = dst.first_mut() else { return Ok(done) };
        if self.pending > 0 {
            let (value, bytes) =
                self.push_slice(chunk).map_err(|error| BulkError { progress: done, error })?;
            let Some(value) = value else { return Ok(Progress { values: 0, bytes }) };
            *first = value;
            done = Progress { values: 1, bytes };
        }
        // The bulk functions are slower if they find an incomplete value.
        let rest = &chunk[done.bytes..];
        let complete = &rest[..complete_len(rest, W::MAX_LEN)];
        match destination::decode(&mut dst[done.values..], |dst| {
            W::Format::load_all(None, complete, dst, false)
        }) {
            Ok(next) => {
                self.finished = self.finished.saturating_add(next.bytes);
                done = done.then(next);
            }
            Err(BulkError { progress, error }) => {
                let error = error.shifted(self.finished);
                self.reset();
                return Err(BulkError { progress: done.then(progress), error });
            }
        }
        if done.values < dst.len() {
            let (_, bytes) =
                self.push_slice(&chunk[done.bytes..]).map_err(|error| BulkError { progress: done, error })?;
            done.bytes += bytes;
        }
        Ok(done)
    }

    /// Checks that the input may end here.
    ///
    /// # Errors
    ///
    /// `Truncated` if a value is incomplete.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u64>::new();
    /// assert!(decoder.finish().is_ok());
    /// decoder.push(0xac)?;
    /// assert_eq!(decoder.finish().unwrap_err().offset(), 1);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn finish(&mut self) -> Result<(), DecodeError> {
        match self.pending {
            0 => Ok(()),
            pending => Err(self.fail(DecodeError::new(ErrorKind::Truncated, pending))),
        }
    }

    /// Returns the number of bytes consumed of a value that is incomplete, or 0 between two values.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u32>::new();
    /// decoder.push(0x80)?;
    /// assert_eq!(decoder.pending(), 1);
    /// decoder.push(0x01)?;
    /// assert_eq!(decoder.pending(), 0);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn pending(&self) -> usize {
        self.pending
    }

    #[cold]
    fn fail(&mut self, error: DecodeError) -> DecodeError {
        let error = error.shifted(self.finished);
        self.reset();
        error
    }

    fn reset(&mut self) {
        *self = Self::new();
    }
}

impl<W: Varint> Default for Decoder<W> {
    fn default() -> Self {
        Self::new()
    }
}
