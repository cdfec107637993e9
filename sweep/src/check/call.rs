//! Calls a codec under test and turns errors and panics into failures.

use std::hint::black_box;

use crate::check::codec::{Breakdown, Codec, CodecError};
use crate::check::failure::FailureKind;
use crate::check::panics::guarded;
use crate::plan::integer::Integer;

/// A call of a codec that returned no result.
#[derive(Debug, PartialEq)]
pub(crate) struct FailedCall {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    /// Whether all further calls will fail too.
    pub(crate) is_permanent: bool,
}

/// The kinds of failures of `encode` or of `decode`.
struct Kinds {
    panic: FailureKind,
    error: FailureKind,
    breakdown: FailureKind,
}

const ENCODE: Kinds = Kinds {
    panic: FailureKind::EncodePanic,
    error: FailureKind::EncodeError,
    breakdown: FailureKind::EncodeBreakdown,
};

const DECODE: Kinds = Kinds {
    panic: FailureKind::DecodePanic,
    error: FailureKind::DecodeError,
    breakdown: FailureKind::DecodeBreakdown,
};

/// Calls the encoder. The compiler cannot see its inputs or outputs, so it optimizes the call as it
/// would in a user's program.
pub(crate) fn encode<T: Integer>(
    codec: &dyn Codec<T>,
    values: &[T],
    dst: &mut [u8],
) -> Result<usize, FailedCall> {
    let capacity = values.len() * T::MAX_LEN;
    let dst = &mut dst[..capacity];
    let used = ENCODE.check(guarded(|| black_box(codec).encode(black_box(values), dst)))?;
    black_box(dst);
    if used > capacity {
        let message = format!("encode returned a length of {used} bytes for a buffer of {capacity}");
        return Err(FailedCall { kind: FailureKind::EncodeError, message, is_permanent: false });
    }
    Ok(used)
}

/// Calls the decoder, as [`encode`] does the encoder.
pub(crate) fn decode<T: Integer>(
    codec: &dyn Codec<T>,
    src: &[u8],
    values: &mut [T],
) -> Result<usize, FailedCall> {
    let used = DECODE.check(guarded(|| black_box(codec).decode(black_box(src), values)))?;
    black_box(values);
    Ok(used)
}

impl Kinds {
    fn check(&self, called: Result<Result<usize, CodecError>, String>) -> Result<usize, FailedCall> {
        let (kind, message, is_permanent) = match called {
            Ok(Ok(used)) => return Ok(used),
            Ok(Err(error)) => match error.downcast_ref::<Breakdown>() {
                Some(breakdown) => (self.breakdown, error.to_string(), breakdown.is_permanent()),
                None => (self.error, error.to_string(), false),
            },
            Err(message) => (self.panic, message, false),
        };
        Err(FailedCall { kind, message, is_permanent })
    }
}
