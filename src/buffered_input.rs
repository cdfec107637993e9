//! Decoding from the buffer of a reader, for `std::io` and `embedded-io`.

use crate::decoder::Decoder;
use crate::error::{BulkError, DecodeError, Progress};
use crate::varint_trait::Varint;

/// A reader with a buffer.
pub(crate) trait BufferedInput {
    type Error;

    /// Returns the bytes in the buffer, which is filled if it is empty, or `None` if that was
    /// interrupted. No bytes are the end of the input.
    fn fill_buffer(&mut self) -> Result<Option<&[u8]>, Self::Error>;
    /// Removes bytes from the start of the buffer.
    fn consume(&mut self, bytes: usize);
    /// Returns the error for an invalid varint.
    fn invalid(error: DecodeError) -> Self::Error;
}

/// Reads values until `dst` is full or the input ends, and returns their number.
///
/// Offsets count from the first byte read. The bytes of an invalid value up to its offset are
/// consumed.
pub(crate) fn read_slice<W: Varint, I: BufferedInput>(
    mut input: I,
    dst: &mut [W::Value],
) -> Result<usize, BulkError<I::Error>> {
    let mut decoder = Decoder::<W>::new();
    // `consumed` includes the bytes of an incomplete value, `progress.bytes` does not.
    let (mut progress, mut consumed) = (Progress::default(), 0);
    while progress.values < dst.len() {
        let buffer = match input.fill_buffer() {
            Ok(Some(buffer)) => buffer,
            Ok(None) => continue,
            Err(error) => return Err(BulkError { progress, error }),
        };
        if buffer.is_empty() {
            decoder.finish().map_err(|error| BulkError { progress, error: I::invalid(error) })?;
            break;
        }
        match decoder.decode_slice(buffer, &mut dst[progress.values..]) {
            Ok(next) => {
                input.consume(next.bytes);
                consumed += next.bytes;
                progress.values += next.values;
                progress.bytes = consumed - decoder.pending();
            }
            Err(BulkError { progress: next, error }) => {
                if next.values > 0 {
                    progress = Progress { values: progress.values, bytes: consumed }.then(next);
                }
                // More are consumed if a number of several buffers is too large from an earlier
                // byte on.
                input.consume((error.offset() + 1).saturating_sub(consumed));
                return Err(BulkError { progress, error: I::invalid(error) });
            }
        }
    }
    Ok(progress.values)
}

/// Reads the next value if all of it is in the buffer and valid. Otherwise nothing is consumed.
#[inline]
pub(crate) fn read_buffered<V, I: BufferedInput>(
    mut input: I,
    decode: impl FnOnce(&[u8]) -> Result<(V, usize), DecodeError>,
) -> Result<Option<V>, I::Error> {
    let decoded = match input.fill_buffer()? {
        Some(buffer) => decode(buffer),
        None => return Ok(None),
    };
    Ok(decoded.ok().map(|(value, len)| {
        input.consume(len);
        value
    }))
}
