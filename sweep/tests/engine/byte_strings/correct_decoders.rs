//! Correct decoders.

use every_input::Integer;
use every_input::byte_strings::{ByteDecoder, DecodingError, ErrorKind, Outcome};

/// A correct decoder, which adds the digits from the least significant one up while the sum fits the
/// type.
pub(super) fn decode<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let error = |kind, offset| Err(DecodingError { kind, offset });
    let greatest = T::MAX - T::MIN;
    let (mut sum, mut weight) = (0, 1);
    for (offset, &byte) in src.iter().enumerate() {
        sum += i128::from(byte % 128) * weight;
        weight *= 128;
        let is_last = byte < 128;
        if sum > greatest || (!is_last && weight > greatest) {
            return error(ErrorKind::Overflow, offset);
        }
        if is_last && canonical && byte == 0 && offset > 0 {
            return error(ErrorKind::NonCanonical, offset);
        }
        if is_last {
            let number = match (T::SIGNED, sum % 2) {
                (true, 0) => sum / 2,
                (true, _) => -1 - sum / 2,
                (false, _) => sum,
            };
            return Ok((T::from_i128(number), offset + 1));
        }
    }
    error(ErrorKind::Truncated, src.len())
}

pub(super) struct Correct;

impl<T: Integer> ByteDecoder<T> for Correct {
    fn name(&self) -> &str {
        "correct"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        decode(src, canonical)
    }
}

/// A correct decoder that is checked as a bulk decoder.
pub(super) struct CorrectBulk;

impl<T: Integer> ByteDecoder<T> for CorrectBulk {
    fn name(&self) -> &str {
        "bulk"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        decode(src, canonical)
    }

    fn is_bulk(&self) -> bool {
        true
    }
}
