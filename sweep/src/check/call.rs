//! One call of a codec under test, whatever it does.

use std::hint::black_box;

use crate::check::codec::{Breakdown, Codec, CodecError};
use crate::check::failure::FailureKind;
use crate::check::panics::guarded;
use crate::plan::integer::Integer;

/// A call that gave no result.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    /// No call will give one any more.
    pub(crate) for_good: bool,
}

/// The kinds of faults of one direction.
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

/// Calls the codec as a user does: the compiler sees neither what goes in nor what comes out.
pub(crate) fn encode<T: Integer>(codec: &dyn Codec<T>, values: &[T], dst: &mut [u8]) -> Result<usize, Fault> {
    let room = values.len() * T::MAX_LEN;
    let dst = &mut dst[..room];
    let used = ENCODE.settle(guarded(|| black_box(codec).encode(black_box(values), dst)))?;
    black_box(dst);
    if used > room {
        let message = format!("it claims {used} bytes of a buffer of {room}");
        return Err(Fault { kind: FailureKind::EncodeError, message, for_good: false });
    }
    Ok(used)
}

pub(crate) fn decode<T: Integer>(codec: &dyn Codec<T>, src: &[u8], values: &mut [T]) -> Result<usize, Fault> {
    let used = DECODE.settle(guarded(|| black_box(codec).decode(black_box(src), values)))?;
    black_box(values);
    Ok(used)
}

impl Kinds {
    fn settle(&self, called: Result<Result<usize, CodecError>, String>) -> Result<usize, Fault> {
        let (kind, message, for_good) = match called {
            Ok(Ok(used)) => return Ok(used),
            Ok(Err(error)) => match error.downcast_ref::<Breakdown>() {
                Some(breakdown) => (self.breakdown, error.to_string(), breakdown.is_for_good()),
                None => (self.error, error.to_string(), false),
            },
            Err(message) => (self.panic, message, false),
        };
        Err(Fault { kind, message, for_good })
    }
}
