//! Decoding from the buffer of a reader of `std::io` or `embedded-io`, and from the chunks of a
//! buffer of the crate `bytes`.
//!
//! What lies within the buffer is decoded there. A value that the end of the buffer splits is copied
//! to an array, as are the bytes of an invalid value, and decoded from there.

use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::scalar::rule::CONTINUE;
use crate::scalar::slice::complete_len;
use crate::varint_trait::Varint;

/// The functions of inputs with a buffer. An invalid varint is reported as a `D`.
pub(super) trait Source<D: From<DecodeError>> {
    type Input: ?Sized;
    type Error;

    /// Returns the bytes in the buffer, which is filled if it is empty, or `None` if that was
    /// interrupted. No bytes are the end of the input.
    fn fill_buffer(input: &mut Self::Input) -> Result<Option<&[u8]>, Self::Error>;
    /// Removes bytes from the start of the buffer.
    fn consume(input: &mut Self::Input, bytes: usize);
    /// Returns whether the input is known to end with the buffer. An invalid value stays in that. Of
    /// any other, the bytes up to the one at the offset of the error are consumed, which are the
    /// fewest that have to be seen to know the error.
    fn is_last(_: &Self::Input) -> bool {
        false
    }
    /// Returns the error for an invalid varint.
    fn invalid(error: D) -> Self::Error;
}

/// Reads the next value.
#[inline]
pub(super) fn read<W: Varint, S: Source<DecodeError>>(input: &mut S::Input) -> Result<W::Value, S::Error> {
    next::<W, S>(input)?.ok_or_else(missing::<DecodeError, S>)
}

/// Reads the next value, or returns `None` if the input ends before it.
#[inline]
pub(super) fn next<W: Varint, S: Source<DecodeError>>(
    input: &mut S::Input,
) -> Result<Option<W::Value>, S::Error> {
    next_by::<DecodeError, _, S>(input, W::MAX_LEN, |src| W::decode(src), &W::decode)
}

/// Reads the length of a payload, or returns `None` if the input ends before it. The second number is
/// the length of the prefix.
#[inline]
pub(super) fn next_len<S: Source<FrameError>>(
    input: &mut S::Input,
    prefix: LengthPrefix,
) -> Result<Option<(usize, usize)>, S::Error> {
    let decode = |src: &[u8]| prefix.decode_len(src).map(|decoded| (decoded, decoded.1));
    match next_by::<FrameError, _, S>(input, prefix.longest(), decode, &decode)? {
        Some((len, prefix_len)) => {
            let len = prefix.within_limit(len, Some(0)).map_err(S::invalid)?;
            Ok(Some((len, prefix_len)))
        }
        None => Ok(None),
    }
}

/// Returns the error for an input that ends before a value.
#[cold]
pub(super) fn missing<D: From<DecodeError>, S: Source<D>>() -> S::Error {
    S::invalid(DecodeError::new(ErrorKind::Truncated, 0).into())
}

/// Reads values until `dst` is full or the input ends, and returns their number.
///
/// Offsets count from the first byte read.
pub(super) fn read_slice<W: Varint, S: Source<DecodeError>>(
    input: &mut S::Input,
    dst: &mut [W::Value],
) -> Result<usize, BulkError<S::Error>> {
    let mut done = Progress::default();
    while done.values < dst.len() {
        let buffer = match S::fill_buffer(input) {
            Ok(Some(buffer)) => buffer,
            Ok(None) => continue,
            Err(error) => return Err(BulkError { progress: done, error }),
        };
        // The bulk functions are slower if they find an incomplete value.
        let complete = &buffer[..complete_len(buffer, W::MAX_LEN)];
        let next = if complete.is_empty() {
            match collect::<DecodeError, _, S>(input, W::MAX_LEN, &W::decode, done.bytes) {
                Ok(Some((value, bytes))) => {
                    dst[done.values] = value;
                    Progress { values: 1, bytes }
                }
                Ok(None) => break,
                Err(error) => return Err(BulkError { progress: done, error }),
            }
        } else {
            match decode_complete::<W>(complete, &mut dst[done.values..]) {
                Ok(next) => {
                    S::consume(input, next.bytes);
                    next
                }
                Err(BulkError { progress, error }) => {
                    S::consume(input, if S::is_last(input) { progress.bytes } else { error.offset() + 1 });
                    let error = S::invalid(error.shifted(done.bytes));
                    return Err(BulkError { progress: done.then(progress), error });
                }
            }
        };
        done = done.then(next);
    }
    Ok(done.values)
}

/// A function of its own, because the loops over values of some types are slower within that over
/// buffers.
#[inline(never)]
fn decode_complete<W: Varint>(src: &[u8], dst: &mut [W::Value]) -> Result<Progress, BulkError> {
    W::decode_slice(src, dst)
}

/// Decodes the value at the start of a slice. A trait object, so that the code for incomplete values
/// is compiled once for all wire types of a type.
type Decode<'f, V> = &'f dyn Fn(&[u8]) -> Result<(V, usize), DecodeError>;

/// Reads the next value, or returns `None` if the input ends before it. `decode` decodes the value
/// at the start of a slice, whose encoding has at most `longest` bytes. `inlined` does the same, and is
/// called once only, so that the compiler inlines it.
#[inline]
fn next_by<D: From<DecodeError>, V, S: Source<D>>(
    input: &mut S::Input,
    longest: usize,
    inlined: impl FnOnce(&[u8]) -> Result<(V, usize), DecodeError>,
    decode: Decode<V>,
) -> Result<Option<V>, S::Error> {
    match S::fill_buffer(input)?.and_then(|buffer| inlined(buffer).ok()) {
        Some((value, len)) => {
            S::consume(input, len);
            Ok(Some(value))
        }
        None => next_in_parts::<D, V, S>(input, longest, decode),
    }
}

/// Does the same for a value that is invalid or not in the buffer as a whole.
#[cold]
fn next_in_parts<D: From<DecodeError>, V, S: Source<D>>(
    input: &mut S::Input,
    longest: usize,
    decode: Decode<V>,
) -> Result<Option<V>, S::Error> {
    Ok(collect::<D, V, S>(input, longest, decode, 0)?.map(|(value, _)| value))
}

/// Reads a value that is invalid or not in the buffer as a whole, if there is one, and returns it
/// with its length. `before` is added to the offset of an error.
#[inline]
fn collect<D: From<DecodeError>, V, S: Source<D>>(
    input: &mut S::Input,
    longest: usize,
    decode: Decode<V>,
    before: usize,
) -> Result<Option<(V, usize)>, S::Error> {
    let (mut bytes, mut len) = ([0; u128::MAX_LEN], 0);
    let stays = S::is_last(input);
    loop {
        let Some(buffer) = S::fill_buffer(input)? else { continue };
        let begin = len;
        // A loop is faster than `memcpy` for these few bytes.
        let mut ended = buffer.is_empty();
        for (slot, &byte) in bytes[len..longest].iter_mut().zip(buffer) {
            *slot = byte;
            len += 1;
            if byte < CONTINUE {
                ended = true;
                break;
            }
        }
        if len == 0 {
            return Ok(None);
        }
        if !ended && len < longest && !stays {
            S::consume(input, len - begin);
            continue;
        }
        return match decode(&bytes[..len]) {
            Ok((value, len)) => {
                S::consume(input, len - begin);
                Ok(Some((value, len)))
            }
            Err(error) => {
                if !stays {
                    S::consume(input, (error.offset() + 1).min(len).saturating_sub(begin));
                }
                Err(S::invalid(error.shifted(before).into()))
            }
        };
    }
}
