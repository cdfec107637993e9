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

/// An input with a buffer. `E` is the error of the functions that read from it.
pub(super) trait Source<E> {
    /// Returns the bytes in the buffer, which is filled if it is empty, or `None` if that was
    /// interrupted. No bytes are the end of the input.
    fn fill_buffer(&mut self) -> Result<Option<&[u8]>, E>;
    /// Removes bytes from the start of the buffer.
    fn remove(&mut self, bytes: usize);
    /// Returns whether the input is known to end with the buffer. An invalid value stays in that. Of
    /// any other, the bytes up to the one at the offset of the error are consumed, which are the
    /// fewest that have to be seen to know the error.
    fn is_last(&self) -> bool {
        false
    }
}

/// Reads the next value. `invalid` returns the error for an invalid varint, as in all functions here.
#[inline]
pub(super) fn read<W: Varint, E>(
    input: &mut (impl Source<E> + ?Sized),
    invalid: impl Fn(DecodeError) -> E + Copy,
) -> Result<W::Value, E> {
    next::<W, E>(input, invalid)?.ok_or_else(|| missing(invalid))
}

/// Reads the next value, or returns `None` if the input ends before it.
#[inline]
pub(super) fn next<W: Varint, E>(
    input: &mut (impl Source<E> + ?Sized),
    invalid: impl Fn(DecodeError) -> E + Copy,
) -> Result<Option<W::Value>, E> {
    next_by(input, W::MAX_LEN, |src| W::decode(src), &W::decode, invalid)
}

/// Reads the length of a payload, or returns `None` if the input ends before it. The second number is
/// the length of the prefix.
#[inline]
pub(super) fn next_len<E>(
    input: &mut (impl Source<E> + ?Sized),
    prefix: LengthPrefix,
    invalid: impl Fn(FrameError) -> E + Copy,
) -> Result<Option<(usize, usize)>, E> {
    let decode = |src: &[u8]| prefix.decode_len(src).map(|decoded| (decoded, decoded.1));
    let next = next_by(input, prefix.longest(), decode, &decode, |error| invalid(error.into()))?;
    let within_limit = |(len, prefix_len)| Ok((prefix.within_limit(len, Some(0))?, prefix_len));
    next.map(within_limit).transpose().map_err(invalid)
}

/// Returns the error for an input that ends before a value.
#[cold]
pub(super) fn missing<D: From<DecodeError>, E>(invalid: impl Fn(D) -> E) -> E {
    invalid(DecodeError::new(ErrorKind::Truncated, 0).into())
}

/// Reads values until `dst` is full or the input ends, and returns their number.
///
/// Offsets count from the first byte read.
pub(super) fn read_slice<W: Varint, E>(
    input: &mut (impl Source<E> + ?Sized),
    dst: &mut [W::Value],
    invalid: impl Fn(DecodeError) -> E + Copy,
) -> Result<usize, BulkError<E>> {
    let mut done = Progress::default();
    while done.values < dst.len() {
        let failed = move |error| BulkError { progress: done, error };
        let invalid = move |error: DecodeError| invalid(error.shifted(done.bytes));
        let Some(buffer) = input.fill_buffer().map_err(failed)? else { continue };
        // The bulk functions are slower if they find an incomplete value.
        let complete = &buffer[..complete_len(buffer, W::MAX_LEN)];
        let next = if complete.is_empty() {
            let value = collect(input, W::MAX_LEN, &W::decode, invalid).map_err(failed)?;
            let Some((value, bytes)) = value else { break };
            dst[done.values] = value;
            Progress { values: 1, bytes }
        } else {
            match decode_complete::<W>(complete, &mut dst[done.values..]) {
                Ok(next) => {
                    input.remove(next.bytes);
                    next
                }
                Err(BulkError { progress, error }) => {
                    input.remove(if input.is_last() { progress.bytes } else { error.offset() + 1 });
                    return Err(BulkError { progress: done.then(progress), error: invalid(error) });
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
fn next_by<V, E>(
    input: &mut (impl Source<E> + ?Sized),
    longest: usize,
    inlined: impl FnOnce(&[u8]) -> Result<(V, usize), DecodeError>,
    decode: Decode<V>,
    invalid: impl Fn(DecodeError) -> E,
) -> Result<Option<V>, E> {
    match input.fill_buffer()?.and_then(|buffer| inlined(buffer).ok()) {
        Some((value, len)) => {
            input.remove(len);
            Ok(Some(value))
        }
        None => next_in_parts(input, longest, decode, invalid),
    }
}

/// Does the same for a value that is invalid or not in the buffer as a whole.
#[cold]
fn next_in_parts<V, E>(
    input: &mut (impl Source<E> + ?Sized),
    longest: usize,
    decode: Decode<V>,
    invalid: impl Fn(DecodeError) -> E,
) -> Result<Option<V>, E> {
    Ok(collect(input, longest, decode, invalid)?.map(|(value, _)| value))
}

/// Reads a value that is invalid or not in the buffer as a whole, if there is one, and returns it
/// with its length.
#[inline]
fn collect<V, E>(
    input: &mut (impl Source<E> + ?Sized),
    longest: usize,
    decode: Decode<V>,
    invalid: impl Fn(DecodeError) -> E,
) -> Result<Option<(V, usize)>, E> {
    let (mut bytes, mut len) = ([0; u128::MAX_LEN], 0);
    let stays = input.is_last();
    loop {
        let Some(buffer) = input.fill_buffer()? else { continue };
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
            input.remove(len - begin);
            continue;
        }
        return match decode(&bytes[..len]) {
            Ok((value, len)) => {
                input.remove(len - begin);
                Ok(Some((value, len)))
            }
            Err(error) => {
                if !stays {
                    input.remove((error.offset() + 1).min(len).saturating_sub(begin));
                }
                Err(invalid(error))
            }
        };
    }
}
