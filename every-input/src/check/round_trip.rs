//! The check of a codec: it encodes and decodes each block, and an oracle knows the bytes.

use std::fmt::Debug;
use std::hint::black_box;

use crate::check::codec::{Breakdown, Codec, CodecError};
use crate::check::failure::FailureKind;
use crate::check::function::{Block, Check, Fault, Origin};
use crate::check::losses::Losses;
use crate::check::oracle::Oracle;
use crate::check::panics::guarded;
use crate::plan::byte_strings;
use crate::texts::plural;

/// The check that a codec encodes each value to the bytes of an [`Oracle`], and decodes these to the
/// same value and length.
pub struct RoundTrip<'c, T, O> {
    codec: &'c dyn Codec<T>,
    oracle: O,
}

impl<'c, T, O: Oracle<T>> RoundTrip<'c, T, O> {
    /// Creates the check of a codec.
    pub fn new(codec: &'c dyn Codec<T>, oracle: O) -> Self {
        Self { codec, oracle }
    }
}

impl<T, O: Debug> Debug for RoundTrip<'_, T, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RoundTrip").field(&self.codec.name()).field(&self.oracle).finish()
    }
}

/// The buffers of one thread.
#[derive(Debug, Default)]
pub struct Buffers<T, M> {
    bytes: Vec<u8>,
    decoded: Vec<T>,
    /// Up to two values that differ.
    others: Vec<T>,
    oracle: M,
    /// The number of the next value, if the last block passed and was of consecutive values.
    next: Option<u64>,
}

impl<T: Clone + Default + PartialEq, M> Buffers<T, M> {
    /// Replaces the decoded values by such that differ from the expected ones, so that a decoder that
    /// writes nothing cannot pass.
    fn poison(&mut self, values: &[T]) {
        let Self { decoded, others, .. } = self;
        decoded.clear();
        for value in values {
            if others.len() == 2 {
                break;
            }
            if !others.contains(value) {
                others.push(value.clone());
            }
        }
        match values {
            [] => {}
            [value] => {
                decoded.push(others.iter().find(|other| *other != value).cloned().unwrap_or_default());
            }
            [first, rest @ ..] => {
                decoded.extend_from_slice(rest);
                decoded.push(first.clone());
            }
        }
    }
}

impl<T: Clone + Debug + Default + PartialEq, O: Oracle<T>> RoundTrip<'_, T, O> {
    /// Calls the encoder. The compiler cannot see its inputs or outputs, so it optimizes the call as
    /// it would in a user's program.
    fn encode(&self, values: &[T], bytes: &mut Vec<u8>) -> Result<usize, CodecError> {
        let capacity = values.len() * self.oracle.max_len();
        if bytes.len() < capacity {
            bytes.resize(capacity, 0);
        }
        let dst = &mut bytes[..capacity];
        let used = black_box(self.codec).encode(black_box(values), dst);
        black_box(dst);
        match used {
            Ok(used) if used > capacity => {
                Err(format!("encode returned a length of {used} bytes for a buffer of {capacity}").into())
            }
            used => used.map_err(|error| of_kind(error, FailureKind::EncodeBreakdown)),
        }
    }

    /// Calls the decoder, as [`encode`](Self::encode) does the encoder.
    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let used = black_box(self.codec).decode(black_box(src), values);
        black_box(values);
        used.map_err(|error| of_kind(error, FailureKind::DecodeBreakdown))
    }
}

impl<T, O> Check<T> for RoundTrip<'_, T, O>
where
    T: Clone + Debug + Default + PartialEq,
    O: Oracle<T>,
{
    type Memory = Buffers<T, O::Memory>;

    fn passes(&self, values: &Block<'_, T>, memory: &mut Self::Memory) -> Result<bool, Breakdown> {
        let number = values.consecutive_from();
        // The results of the block before differ from the expected values at every index.
        let continues = memory.next.take().is_some_and(|next| Some(next) == number);
        if !continues || memory.decoded.len() < values.len() {
            memory.poison(values);
        }
        let Buffers { bytes, decoded, oracle, next, .. } = memory;
        decoded.truncate(values.len());
        let passed = self.encode(values, bytes).and_then(|len| {
            let got = &bytes[..len];
            // Check the bytes before decoding them.
            Ok(self.oracle.matches(values, got, oracle)
                && self.decode(got, decoded)? == len
                && **values == **decoded)
        });
        match passed {
            Ok(passed) => {
                if !passed {
                    self.codec.confirm()?;
                }
                *next = number.filter(|_| passed).map(|number| number.wrapping_add(values.len() as u64));
                Ok(passed)
            }
            Err(error) => error.downcast().map_or(Ok(false), |breakdown| Err(*breakdown)),
        }
    }

    fn explain(&self, values: &[T], memory: &mut Self::Memory) -> Result<Option<Fault>, Breakdown> {
        let Err(failed) = self.examine(values, memory) else { return Ok(None) };
        let fault = failed?;
        self.codec.confirm().map(|()| Some(fault))
    }

    fn kernel(&self) -> Option<&str> {
        self.codec.kernel()
    }

    fn wire(&self) -> Option<&str> {
        Some(self.oracle.name())
    }

    fn noun(&self) -> &'static str {
        "codec"
    }

    fn is_remote(&self) -> bool {
        self.codec.is_remote()
    }

    fn losses(&self) -> Vec<&Losses> {
        self.codec.losses()
    }
}

/// Why values do not pass.
type Failed = Result<Fault, Breakdown>;

impl<T: Clone + Debug + Default + PartialEq, O: Oracle<T>> RoundTrip<'_, T, O> {
    /// Encodes and decodes these values in one call each, and describes the first failure.
    fn examine(&self, values: &[T], memory: &mut Buffers<T, O::Memory>) -> Result<(), Failed> {
        let fault = |at, kind, expected: String, got: String| {
            Err(Ok(Fault::unequal(expected, got).at(at).kind(kind)))
        };
        let encoding = |value| {
            let mut bytes = Vec::new();
            self.oracle.encode(value, &mut bytes);
            bytes
        };
        let encodings: Vec<_> = values.iter().map(encoding).collect();
        memory.poison(values);
        let Buffers { bytes, decoded, oracle, .. } = memory;
        let called = guarded(|| self.encode(values, bytes));
        let kinds = [FailureKind::EncodePanic, FailureKind::EncodeError];
        let expected = || {
            let expected = encodings.first()?;
            // Without an oracle the bytes are unknown.
            let most = || format!("at most {}", plural(self.oracle.max_len() as u128, "byte"));
            Some(if expected.is_empty() { most() } else { hex(expected) })
        };
        let len = answered(called, kinds, &expected)?;
        let encoded = &bytes[..len];
        if !self.oracle.matches(&Block::new(values, Origin::Other), encoded, oracle) {
            let mut rest = encoded;
            for (at, expected) in encodings.iter().enumerate() {
                match rest.strip_prefix(&expected[..]) {
                    Some(after) => rest = after,
                    None => {
                        // Show all bytes of a single value, otherwise as many as expected.
                        let shown = if values.len() == 1 { rest.len() } else { expected.len() };
                        let shown = &rest[..rest.len().min(shown)];
                        return fault(at, FailureKind::WrongBytes, hex(expected), hex(shown));
                    }
                }
            }
            let (expected, got) = (format!("{} bytes", len - rest.len()), format!("{len} bytes"));
            return fault(usize::MAX, FailureKind::WrongBytes, expected, got);
        }
        let called = guarded(|| self.decode(encoded, decoded));
        let kinds = [FailureKind::DecodePanic, FailureKind::DecodeError];
        let used = answered(called, kinds, &|| values.first().map(|value| format!("{value:?}")))?;
        if let Some(at) = values.iter().zip(&*decoded).position(|(value, got)| value != got) {
            let (expected, got) = (format!("{:?}", values[at]), format!("{:?}", decoded[at]));
            return fault(at, FailureKind::WrongValue, expected, got);
        }
        if used != len {
            let (expected, got) = (format!("{len} bytes"), format!("{used} bytes"));
            return fault(usize::MAX, FailureKind::WrongLength, expected, got);
        }
        Ok(())
    }
}

/// Returns the number of bytes that a call of the codec returned, or why there is none: a panic, an
/// error of these kinds, or a breakdown.
fn answered(
    called: Result<Result<usize, CodecError>, String>,
    [panic, error]: [FailureKind; 2],
    expected: &dyn Fn() -> Option<String>,
) -> Result<usize, Failed> {
    let (kind, message) = match called.map(|called| called.map_err(|error| error.downcast())) {
        Ok(Ok(used)) => return Ok(used),
        Ok(Err(Ok(breakdown))) => return Err(Err(*breakdown)),
        Ok(Err(Err(message))) => (error, message.to_string()),
        Err(message) => (panic, message),
    };
    Err(Ok(Fault::new(expected().unwrap_or_default(), message).kind(kind)))
}

fn of_kind(error: CodecError, kind: FailureKind) -> CodecError {
    match error.downcast::<Breakdown>() {
        Ok(breakdown) => breakdown.of_kind(kind).into(),
        Err(error) => error,
    }
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() { "no bytes".into() } else { byte_strings::hex(bytes) }
}
