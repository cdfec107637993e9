//! Checks blocks of values on one thread: the codec encodes and decodes them, and the results are
//! compared with the oracle.

use std::sync::Arc;

use crate::check::call::{FailedCall, decode, encode};
use crate::check::codec::Codec;
use crate::check::failure::{Failure, FailureKind};
use crate::check::fixed_length;
use crate::check::oracle::{self, ConsecutiveOracle, MAX_LEN};
use crate::check::subject::{BlockCheck, Found, Subject};
use crate::plan::byte_strings;
use crate::plan::integer::{Integer, Kind};
use crate::plan::sample::Draw;
use crate::plan::space::{DynSpace, Stratum};

/// The maximum number of values in one call of a [`Codec`]. The values, bytes and results of such a
/// block fit into the first-level cache.
pub const MAX_BLOCK_LEN: usize = 1024;

/// A codec on the values of an integer type.
pub(crate) struct CodecSubject<'c, T>(pub(crate) &'c dyn Codec<T>);

impl<T: Integer> Subject for CodecSubject<'_, T> {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn kernel(&self) -> Option<String> {
        self.0.kernel().map(str::to_owned)
    }

    fn space(&self) -> Arc<dyn DynSpace> {
        Arc::new(Kind::of::<T>())
    }

    fn check(&self) -> Box<dyn BlockCheck + '_> {
        Box::new(Checker::new(self.0))
    }

    fn max_failing_inputs(&self) -> u64 {
        if self.0.is_remote() { 1 << 12 } else { 1 << 20 }
    }
}

/// The buffers of one worker thread.
pub(crate) struct Checker<'c, T> {
    codec: &'c dyn Codec<T>,
    values: Box<[T]>,
    decoded: Box<[T]>,
    bytes: Box<[u8]>,
    /// The oracle for consecutive values.
    oracle: ConsecutiveOracle,
    /// The next value of the oracle, if the last block passed.
    next: Option<i128>,
    /// Whether the block has consecutive values.
    is_consecutive: bool,
}

impl<'c, T: Integer> Checker<'c, T> {
    fn new(codec: &'c dyn Codec<T>) -> Self {
        Self {
            codec,
            values: vec![T::default(); MAX_BLOCK_LEN].into(),
            decoded: vec![T::default(); MAX_BLOCK_LEN].into(),
            bytes: vec![0; MAX_BLOCK_LEN * T::MAX_LEN].into(),
            oracle: ConsecutiveOracle::starting_at(0, T::SIGNED),
            next: None,
            is_consecutive: true,
        }
    }
}

impl<T: Integer> BlockCheck for Checker<'_, T> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        self.is_consecutive = true;
        let Self { codec, values, decoded, bytes, oracle, next, .. } = self;
        let (values, decoded) = (&mut values[..count], &mut decoded[..count]);
        T::from_i128(first).fill_consecutive(values);
        // The results of the previous block differ from the expected values at every index, so a
        // decoder that does nothing cannot pass.
        if *next != Some(first) {
            *oracle = ConsecutiveOracle::starting_at(first, T::SIGNED);
            poison(values, decoded);
        }
        // Check the bytes before decoding them. The oracle must advance even if encoding failed.
        let encoded = encode(*codec, values, bytes);
        let got = encoded.as_ref().map_or(&[][..], |len| &bytes[..*len]);
        let bytes_match = oracle.check(count, got, &mut [0; MAX_LEN + 1]);
        let passed = encoded.and_then(|len| {
            Ok(bytes_match && decode(*codec, &bytes[..len], decoded)? == len && *values == *decoded)
        });
        *next = (passed == Ok(true)).then_some(first + count as i128);
        self.explain(count, passed, found);
    }

    fn drawn(&mut self, count: usize, class: &Stratum, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        let length = class.length;
        (self.next, self.is_consecutive) = (None, false);
        let (values, decoded) = (&mut self.values[..count], &mut self.decoded[..count]);
        draw.fill(values);
        poison(values, decoded);
        let passed = encode(self.codec, values, &mut self.bytes).and_then(|len| {
            let got = &self.bytes[..len];
            Ok(fixed_length::matches(values, length, got)
                && decode(self.codec, got, decoded)? == len
                && *values == *decoded)
        });
        self.explain(count, passed, found);
    }
}

impl<T: Integer> Checker<'_, T> {
    /// Records the failures among the first `count` values, unless they passed as a block.
    fn explain(&mut self, count: usize, passed: Result<bool, FailedCall>, found: &mut Found<'_>) {
        match passed {
            Ok(true) => {}
            Err(failed) if failed.kind.is_breakdown() => {
                let values = self.values[..count].to_vec();
                let whole = breakdown(&values, failed, found);
                self.bisect(&values, whole, found);
            }
            _ => self.isolate(count, found),
        }
    }

    /// Finds which of the first `count` values made the block fail.
    #[cold]
    fn isolate(&mut self, count: usize, found: &mut Found<'_>) {
        let values = self.values[..count].to_vec();
        let before = found.failures;
        self.check_each(&values, found);
        if found.failures == before {
            let failure = self.examine(&values, found).unwrap_or_else(|| {
                let expected = "the same result each time".into();
                let got = "a failure that could not be reproduced".into();
                Failure::new(number(values[0]), FailureKind::Unstable, expected, got, count)
            });
            self.record(Some(failure), found);
        }
    }

    /// Checks each value in a call of its own and records the failures.
    fn check_each(&mut self, values: &[T], found: &mut Found<'_>) {
        for (at, value) in values.iter().enumerate() {
            // After a permanent breakdown no call succeeds, so try all remaining values at once.
            let tried = if found.is_over { &values[at..] } else { std::slice::from_ref(value) };
            let failure = self.examine(tried, found);
            self.record(failure, found);
            if tried.len() > 1 || found.is_cut_short() {
                break;
            }
        }
    }

    /// Finds which of `values` made the codec break down. `whole` is the failure of all of them.
    ///
    /// Each breakdown may cost a timeout. So the values are bisected, with at most ten more
    /// breakdowns per failing value, or none if no failure is to be listed or the check shall end.
    #[cold]
    fn bisect(&mut self, values: &[T], whole: Failure, found: &mut Found<'_>) {
        let before = found.failures;
        if values.len() > 1 && found.lists() && !found.is_over {
            let (left, right) = values.split_at(values.len() / 2);
            for half in [left, right] {
                if found.is_cut_short() {
                    break;
                }
                match self.examine(half, found) {
                    None => {}
                    Some(failure) if failure.kind.is_breakdown() => self.bisect(half, failure, found),
                    Some(_) => self.check_each(half, found),
                }
            }
        }
        if found.failures == before {
            self.record(Some(whole), found);
        }
    }

    fn record(&mut self, failure: Option<Failure>, found: &mut Found<'_>) {
        if let Some(mut failure) = failure {
            // A value that fails in a call of its own can join its neighbours.
            if self.is_consecutive {
                failure.number(&Kind::of::<T>());
            }
            found.add(failure);
        }
    }

    /// Encodes and decodes these values in one call each, and describes the first failure.
    fn examine(&mut self, values: &[T], found: &mut Found<'_>) -> Option<Failure> {
        let failure = |at: usize, kind, expected: String, got: String| {
            let value = values.get(at).or(values.last()).map(|value| number(*value)).unwrap_or_default();
            Some(Failure::new(value, kind, expected, got, values.len()))
        };
        let encodings: Vec<Vec<u8>> = values
            .iter()
            .map(|value| {
                let mut bytes = [0; MAX_LEN];
                let len = oracle::encode(value.to_i128(), T::SIGNED, &mut bytes);
                bytes[..len].to_vec()
            })
            .collect();
        let len = match encode(self.codec, values, &mut self.bytes) {
            Ok(len) => len,
            Err(failed) if failed.kind.is_breakdown() => return Some(breakdown(values, failed, found)),
            Err(FailedCall { kind, message, .. }) => return failure(0, kind, hex(&encodings[0]), message),
        };
        let encoded = &self.bytes[..len];
        let mut rest = encoded;
        for (at, expected) in encodings.iter().enumerate() {
            match rest.strip_prefix(&expected[..]) {
                Some(after) => rest = after,
                None => {
                    // Show all bytes of a single value, otherwise as many as expected.
                    let shown =
                        if values.len() == 1 { rest } else { &rest[..rest.len().min(expected.len())] };
                    return failure(at, FailureKind::WrongBytes, hex(expected), hex(shown));
                }
            }
        }
        if !rest.is_empty() {
            let (expected, got) = (format!("{} bytes", len - rest.len()), format!("{len} bytes"));
            return failure(usize::MAX, FailureKind::WrongBytes, expected, got);
        }
        let mut decoded: Vec<T> = values.iter().map(|value| value.complement()).collect();
        let used = match decode(self.codec, encoded, &mut decoded) {
            Ok(used) => used,
            Err(failed) if failed.kind.is_breakdown() => return Some(breakdown(values, failed, found)),
            Err(FailedCall { kind, message, .. }) => return failure(0, kind, number(values[0]), message),
        };
        if let Some(at) = values.iter().zip(&decoded).position(|(value, got)| value != got) {
            return failure(at, FailureKind::WrongValue, number(values[at]), number(decoded[at]));
        }
        if used != len {
            let (expected, got) = (format!("{len} bytes"), format!("{used} bytes"));
            return failure(usize::MAX, FailureKind::WrongLength, expected, got);
        }
        None
    }
}

/// Describes a breakdown of the codec in a call with these values.
fn breakdown<T: Integer>(values: &[T], failed: FailedCall, found: &mut Found<'_>) -> Failure {
    found.broke_down = true;
    found.is_over |= failed.is_permanent;
    let value = values.first().map(|value| number(*value)).unwrap_or_default();
    Failure::new(value, failed.kind, "an answer".into(), failed.message, values.len())
}

/// Fills `decoded` with values that differ from the expected ones.
fn poison<T: Integer>(values: &[T], decoded: &mut [T]) {
    for (value, decoded) in values.iter().zip(decoded) {
        *decoded = value.complement();
    }
}

fn number<T: Integer>(value: T) -> String {
    value.to_i128().to_string()
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() { "no bytes".into() } else { byte_strings::hex(bytes) }
}
