//! The check of decoders on byte strings: a correct decoder passes, and every injected fault is
//! reported.

mod bulk_faults;
mod checkpoint;
mod coverage;
mod one_value_faults;

use every_input::byte_strings::{ByteDecoder, DecodingError, ErrorKind, Outcome};
use every_input::{Failure, Integer};

/// Returns the placement that a failure names.
fn placement(failure: &Failure) -> &str {
    let context = failure.context.as_deref().expect("a context");
    let (_, inside) = context.rsplit_once(" (").expect("a placement");
    let inside = inside.strip_prefix("canonical, ").unwrap_or(inside);
    inside.split([',', ')']).next().expect("a placement")
}

/// Returns whether a failure is of a canonical decoding.
fn is_canonical(failure: &Failure) -> bool {
    failure.context.as_deref().is_some_and(|context| context.contains(" (canonical, "))
}

/// A correct decoder, which adds the digits from the least significant one up while the sum fits the
/// type.
fn decode<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
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

/// A correct decoder, which may be checked as a bulk decoder.
struct Correct {
    is_bulk: bool,
}

impl<T: Integer> ByteDecoder<T> for Correct {
    fn name(&self) -> &str {
        "correct"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        decode(src, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}
