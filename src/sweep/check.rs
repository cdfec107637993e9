//! One block of values through a codec and against the oracle, on one thread.

use std::hint::black_box;

use super::codec::Codec;
use super::failure::{Failure, FailureKind};
use super::guard::guarded;
use super::integer::Integer;
use super::oracle::{Counting, MAX_LEN, divide};

/// Values in a block: values, bytes and results of one stay in the first-level cache.
pub const BLOCK: usize = 1024;

/// Values per encoded length; index 0 stays empty.
pub(super) type ByLength = [u64; MAX_LEN + 1];

/// The buffers of one worker, and what it has counted.
pub(super) struct Checker<'c, T> {
    codec: &'c dyn Codec<T>,
    values: Box<[T]>,
    decoded: Box<[T]>,
    bytes: Box<[u8]>,
    expected: Box<[u8]>,
    /// The oracle for consecutive values.
    oracle: Counting,
    /// The value that it stands at, if any.
    next: Option<i128>,
    pub(super) by_length: ByLength,
    pub(super) failures: u64,
    /// The first of the failures, for the report.
    pub(super) listed: Vec<Failure>,
    list: usize,
}

impl<'c, T: Integer> Checker<'c, T> {
    /// A checker that lists its first `list` failures.
    pub(super) fn new(codec: &'c dyn Codec<T>, list: usize) -> Self {
        Self {
            codec,
            values: vec![T::default(); BLOCK].into(),
            decoded: vec![T::default(); BLOCK].into(),
            bytes: vec![0; BLOCK * T::MAX_LEN].into(),
            // A block, and the bytes that are copied behind a short last encoding.
            expected: vec![0; (BLOCK + 1) * MAX_LEN].into(),
            oracle: Counting::from(0, T::SIGNED),
            next: None,
            by_length: ByLength::default(),
            failures: 0,
            listed: Vec::new(),
            list,
        }
    }

    /// Checks `count` consecutive values from `first` on; at most a block.
    pub(super) fn consecutive(&mut self, first: i128, count: usize) {
        let Self { codec, values, decoded, bytes, oracle, next, by_length, .. } = self;
        let (values, decoded) = (&mut values[..count], &mut decoded[..count]);
        T::from_i128(first).consecutive(values);
        // The results of the block before differ from what is expected now in every place: a decoder that does
        // nothing cannot pass.
        if *next != Some(first) {
            *oracle = Counting::from(first, T::SIGNED);
            poison(values, decoded);
        }
        // The oracle sees the bytes before the decoder does, and even where encoding failed it must move on.
        let mut clean = false;
        let encoded = encode(*codec, values, bytes);
        let got = encoded.as_ref().map_or(&[][..], |len| &bytes[..*len]);
        if oracle.check(count, got, by_length) && encoded.is_ok() {
            clean = decode(*codec, got, decoded) == Ok(got.len()) && *values == *decoded;
        }
        *next = clean.then_some(first + count as i128);
        if !clean {
            self.isolate(count);
        }
    }

    /// Checks `count` values that `draw` gives one by one, all with encodings of `length` bytes; at most a block.
    pub(super) fn drawn(&mut self, count: usize, length: usize, draw: impl FnMut() -> T) {
        self.next = None;
        self.values[..count].fill_with(draw);
        poison(&self.values[..count], &mut self.decoded);
        let mut end = 0;
        for value in &self.values[..count] {
            if let Some(dst) = self.expected[end..].first_chunk_mut() {
                end += divide(value.to_i128(), T::SIGNED, dst);
            }
        }
        self.by_length[length] += count as u64;
        let expected = &self.expected[..end];
        let (values, decoded) = (&self.values[..count], &mut self.decoded[..count]);
        let clean = encode(self.codec, values, &mut self.bytes).is_ok_and(|len| {
            let got = &self.bytes[..len];
            got == expected && decode(self.codec, got, decoded) == Ok(len) && *values == *decoded
        });
        if !clean {
            self.isolate(count);
        }
    }

    /// Finds which of the first `count` values made the block fail.
    #[cold]
    fn isolate(&mut self, count: usize) {
        let values = self.values[..count].to_vec();
        let before = self.failures;
        for value in &values {
            let found = self.examine(std::slice::from_ref(value));
            self.record(found);
        }
        if self.failures == before {
            let found = self.examine(&values).unwrap_or_else(|| Failure {
                value: number(values[0]),
                kind: FailureKind::Unstable,
                expected: "the same result every time".into(),
                got: "a failure that did not come again".into(),
                block: count,
            });
            self.record(Some(found));
        }
    }

    fn record(&mut self, found: Option<Failure>) {
        if let Some(failure) = found {
            self.failures += 1;
            if self.listed.len() < self.list {
                self.listed.push(failure);
            }
        }
    }

    /// The first failure among these values in one call, explained.
    fn examine(&mut self, values: &[T]) -> Option<Failure> {
        let failure = |at: usize, kind, expected: String, got: String| {
            let value = values.get(at).or(values.last()).map(|value| number(*value)).unwrap_or_default();
            Some(Failure { value, kind, expected, got, block: values.len() })
        };
        let encodings: Vec<Vec<u8>> = values
            .iter()
            .map(|value| {
                let mut bytes = [0; MAX_LEN];
                let len = divide(value.to_i128(), T::SIGNED, &mut bytes);
                bytes[..len].to_vec()
            })
            .collect();
        let len = match encode(self.codec, values, &mut self.bytes) {
            Ok(len) => len,
            Err(Fault { kind, message }) => {
                return failure(0, kind.when_encoding(), hex(&encodings[0]), message);
            }
        };
        let wrote = &self.bytes[..len];
        let mut rest = wrote;
        for (at, expected) in encodings.iter().enumerate() {
            match rest.strip_prefix(&expected[..]) {
                Some(behind) => rest = behind,
                None => {
                    // What stands where the encoding should; to the end where the value is the only one.
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
        let mut decoded: Vec<T> = values.iter().map(|value| value.other()).collect();
        let used = match decode(self.codec, wrote, &mut decoded) {
            Ok(used) => used,
            Err(Fault { kind, message }) => {
                return failure(0, kind.when_decoding(), number(values[0]), message);
            }
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

/// Fills `decoded` with what the values are not.
fn poison<T: Integer>(values: &[T], decoded: &mut [T]) {
    for (value, decoded) in values.iter().zip(decoded) {
        *decoded = value.other();
    }
}

/// A call that gave no result.
#[derive(Debug, PartialEq)]
struct Fault {
    kind: FaultKind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FaultKind {
    Panic,
    Refused,
}

impl FaultKind {
    fn when_encoding(self) -> FailureKind {
        match self {
            Self::Panic => FailureKind::EncodePanic,
            Self::Refused => FailureKind::EncodeError,
        }
    }

    fn when_decoding(self) -> FailureKind {
        match self {
            Self::Panic => FailureKind::DecodePanic,
            Self::Refused => FailureKind::DecodeError,
        }
    }
}

/// Calls the codec as a user does: the compiler sees neither what goes in nor what comes out.
fn encode<T: Integer>(codec: &dyn Codec<T>, values: &[T], dst: &mut [u8]) -> Result<usize, Fault> {
    let room = values.len() * T::MAX_LEN;
    let dst = &mut dst[..room];
    let used = settle(guarded(|| black_box(codec).encode(black_box(values), dst)))?;
    black_box(dst);
    if used > room {
        let message = format!("it claims {used} bytes of a buffer of {room}");
        return Err(Fault { kind: FaultKind::Refused, message });
    }
    Ok(used)
}

fn decode<T: Integer>(codec: &dyn Codec<T>, src: &[u8], values: &mut [T]) -> Result<usize, Fault> {
    let used = settle(guarded(|| black_box(codec).decode(black_box(src), values)))?;
    black_box(values);
    Ok(used)
}

fn settle(called: Result<Result<usize, super::codec::CodecError>, String>) -> Result<usize, Fault> {
    match called {
        Ok(Ok(used)) => Ok(used),
        Ok(Err(error)) => Err(Fault { kind: FaultKind::Refused, message: error.to_string() }),
        Err(message) => Err(Fault { kind: FaultKind::Panic, message }),
    }
}

fn number<T: Integer>(value: T) -> String {
    value.to_i128().to_string()
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".into();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
