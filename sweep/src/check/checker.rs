//! One block of values through a codec and against the oracle, on one thread.

use crate::check::call::{Fault, decode, encode};
use crate::check::codec::Codec;
use crate::check::failure::{Failure, FailureKind};
use crate::check::oracle::{Counting, MAX_LEN, divide};
use crate::plan::integer::Integer;

/// Values in a block: values, bytes and results of one stay in the first-level cache.
pub const BLOCK: usize = 1024;

/// Values per encoded length; index 0 stays empty.
pub(crate) type ByLength = [u64; MAX_LEN + 1];

/// The buffers of one worker, and what it has counted.
pub(crate) struct Checker<'c, T> {
    codec: &'c dyn Codec<T>,
    values: Box<[T]>,
    decoded: Box<[T]>,
    bytes: Box<[u8]>,
    expected: Box<[u8]>,
    /// The oracle for consecutive values.
    oracle: Counting,
    /// The value that it stands at, if any.
    next: Option<i128>,
    pub(crate) by_length: ByLength,
    pub(crate) failures: u64,
    /// The first of the failures, for the report.
    pub(crate) listed: Vec<Failure>,
    list: usize,
    /// The codec broke down at least once.
    pub(crate) broke_down: bool,
    /// It did so for good.
    pub(crate) is_over: bool,
}

impl<'c, T: Integer> Checker<'c, T> {
    /// A checker that lists its first `list` failures.
    pub(crate) fn new(codec: &'c dyn Codec<T>, list: usize) -> Self {
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
            broke_down: false,
            is_over: false,
        }
    }

    /// Checks `count` consecutive values from `first` on; at most a block.
    pub(crate) fn consecutive(&mut self, first: i128, count: usize) {
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
        let encoded = encode(*codec, values, bytes);
        let got = encoded.as_ref().map_or(&[][..], |len| &bytes[..*len]);
        let right = oracle.check(count, got, by_length);
        let clean = encoded.and_then(|len| {
            Ok(right && decode(*codec, &bytes[..len], decoded)? == len && *values == *decoded)
        });
        *next = (clean == Ok(true)).then_some(first + count as i128);
        self.settle(count, clean);
    }

    /// Checks `count` values that `draw` gives one by one, all with encodings of `length` bytes; at most a block.
    pub(crate) fn drawn(&mut self, count: usize, length: usize, draw: impl FnMut() -> T) {
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
        let clean = encode(self.codec, values, &mut self.bytes).and_then(|len| {
            let got = &self.bytes[..len];
            Ok(got == expected && decode(self.codec, got, decoded)? == len && *values == *decoded)
        });
        self.settle(count, clean);
    }

    /// Whether the first `count` values passed as a block, and if not, which did not.
    fn settle(&mut self, count: usize, clean: Result<bool, Fault>) {
        match clean {
            Ok(true) => {}
            Err(fault) if fault.kind.is_breakdown() => {
                let values = self.values[..count].to_vec();
                let whole = self.breakdown(&values, fault);
                self.halve(&values, whole);
            }
            _ => self.isolate(count),
        }
    }

    /// Finds which of the first `count` values made the block fail.
    #[cold]
    fn isolate(&mut self, count: usize) {
        let values = self.values[..count].to_vec();
        let before = self.failures;
        self.one_by_one(&values);
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

    fn one_by_one(&mut self, values: &[T]) {
        for (at, value) in values.iter().enumerate() {
            // All that are left at once, where none will have an answer.
            let asked = if self.is_over { &values[at..] } else { std::slice::from_ref(value) };
            let found = self.examine(asked);
            self.record(found);
            if asked.len() > 1 {
                break;
            }
        }
    }

    /// Finds which of `values` broke the codec down: `whole` tells how. It may have cost a timeout, so it is done by
    /// halves: ten more for a value at most, and none where nothing is listed.
    #[cold]
    fn halve(&mut self, values: &[T], whole: Failure) {
        let before = self.failures;
        if values.len() > 1 && self.list > 0 && !self.is_over {
            let (left, right) = values.split_at(values.len() / 2);
            for half in [left, right] {
                match self.examine(half) {
                    None => {}
                    Some(failure) if failure.kind.is_breakdown() => self.halve(half, failure),
                    Some(_) => self.one_by_one(half),
                }
            }
        }
        if self.failures == before {
            self.record(Some(whole));
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
            Err(fault) if fault.kind.is_breakdown() => return Some(self.breakdown(values, fault)),
            Err(Fault { kind, message, .. }) => return failure(0, kind, hex(&encodings[0]), message),
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
            Err(fault) if fault.kind.is_breakdown() => return Some(self.breakdown(values, fault)),
            Err(Fault { kind, message, .. }) => return failure(0, kind, number(values[0]), message),
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

    /// The failure of a call that the codec did not survive, with the values in question.
    fn breakdown(&mut self, values: &[T], fault: Fault) -> Failure {
        self.broke_down = true;
        self.is_over |= fault.for_good;
        let ends =
            [values.first(), values.last()].map(|end| end.map(|value| number(*value)).unwrap_or_default());
        let [first, last] = &ends;
        let got = match values.len() {
            1 => fault.message,
            n => format!("{} (asked for {n} values, from {first} to {last})", fault.message),
        };
        let [value, _] = ends;
        Failure { value, kind: fault.kind, expected: "an answer".into(), got, block: values.len() }
    }
}

/// Fills `decoded` with what the values are not.
fn poison<T: Integer>(values: &[T], decoded: &mut [T]) {
    for (value, decoded) in values.iter().zip(decoded) {
        *decoded = value.other();
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
