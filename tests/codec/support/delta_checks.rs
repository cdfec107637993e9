//! The checks that every codec of differences must pass: each is compared with the oracle.

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress, delta};

use super::oracle::{self, ErrorAt, Int};
use super::streams::{Rng, edge_cases, mixed, uniform};

/// An integer type and the type of its differences: the signed type of the same width.
pub trait Sequence: Int {
    type Step: Int;
    fn step_from(self, before: Self) -> Self::Step;
    fn after(before: Self, step: Self::Step) -> Self;
}

macro_rules! sequence {
    ($($int:ident $step:ident)*) => {$(
        impl Sequence for $int {
            type Step = $step;

            fn step_from(self, before: Self) -> $step {
                self.wrapping_sub(before) as $step
            }

            fn after(before: Self, step: $step) -> Self {
                before.wrapping_add(step as $int)
            }
        }
    )*};
}

sequence! {
    u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize
    i8 i8 i16 i16 i32 i32 i64 i64 i128 i128 isize isize
}

/// The calls under test: those of a kernel, the free functions, or a codec with an injected fault.
pub trait Codec {
    fn name(&self) -> String;
    fn encode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall>;
    fn len<T: Sequence, const N: usize>(&self, previous: [T; N], src: &[T]) -> usize;
    fn decode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError>;
}

impl Codec for Kernel {
    fn name(&self) -> String {
        self.to_string()
    }

    fn encode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        self.encode_delta_slice(previous, src, dst)
    }

    fn len<T: Sequence, const N: usize>(&self, previous: [T; N], src: &[T]) -> usize {
        self.encoded_delta_len_slice(previous, src)
    }

    fn decode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        if canonical {
            self.decode_delta_slice_canonical(previous, src, dst)
        } else {
            self.decode_delta_slice(previous, src, dst)
        }
    }
}

/// The functions of the module `delta`.
pub struct Free;

impl Codec for Free {
    fn name(&self) -> String {
        "delta".into()
    }

    fn encode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        delta::encode_slice(previous, src, dst)
    }

    fn len<T: Sequence, const N: usize>(&self, previous: [T; N], src: &[T]) -> usize {
        delta::encoded_len_slice(previous, src)
    }

    fn decode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        if canonical {
            delta::decode_slice_canonical(previous, src, dst)
        } else {
            delta::decode_slice(previous, src, dst)
        }
    }
}

/// A kernel or the free functions. One type for both, so that the checks are compiled once for each
/// integer type.
pub enum Tested {
    Kernel(Kernel),
    Free,
}

/// Evaluates an expression with the codec under test.
macro_rules! with_tested {
    ($tested:expr, $codec:ident => $result:expr) => {
        match $tested {
            Tested::Kernel($codec) => $result,
            Tested::Free => {
                let $codec = &Free;
                $result
            }
        }
    };
}

impl Codec for Tested {
    fn name(&self) -> String {
        with_tested!(self, codec => Codec::name(codec))
    }

    fn encode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        with_tested!(self, codec => codec.encode(previous, src, dst))
    }

    fn len<T: Sequence, const N: usize>(&self, previous: [T; N], src: &[T]) -> usize {
        with_tested!(self, codec => codec.len(previous, src))
    }

    fn decode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        with_tested!(self, codec => codec.decode(previous, src, dst, canonical))
    }
}

/// Returns the differences of the values from those `previous.len()` before them.
pub fn steps<T: Sequence>(previous: &[T], values: &[T]) -> Vec<T::Step> {
    let before = previous.iter().chain(values);
    values.iter().zip(before).map(|(value, before)| value.step_from(*before)).collect()
}

/// Returns the sequence with these differences.
pub fn walk<T: Sequence>(previous: &[T], steps: &[T::Step]) -> Vec<T> {
    let mut values = previous.to_vec();
    for (index, step) in steps.iter().enumerate() {
        values.push(T::after(values[index], *step));
    }
    values.split_off(previous.len())
}

/// Encodes into buffers of the exact length, a larger one, and shorter ones.
pub fn check_encode<T: Sequence, const N: usize>(codec: &impl Codec, previous: [T; N], values: &[T]) {
    let expected = oracle::encode_all(&steps(&previous, values));
    let needed = expected.len();
    let context = format!("{} encodes {} values of {}", codec.name(), values.len(), T::NAME);
    assert_eq!(codec.len(previous, values), needed, "{context}");
    for available in [needed, needed + 100, needed.saturating_sub(1), needed / 2] {
        let mut bytes = vec![0xaa; available];
        let encoded = codec.encode(previous, values, &mut bytes);
        if available < needed {
            assert_eq!(encoded, Err(BufferTooSmall { needed, available }), "{context}");
        } else {
            assert_eq!(encoded, Ok(needed), "{context}");
            assert!(bytes[..needed] == expected, "{context} into {available} bytes: wrong bytes");
        }
    }
}

/// Decodes any bytes into `capacity` values, and compares values, progress, error kind and offset.
pub fn check_decode<T: Sequence, const N: usize>(
    codec: &impl Codec,
    previous: [T; N],
    src: &[u8],
    capacity: usize,
) {
    for canonical in [false, true] {
        let expected = oracle::decode_all::<T::Step>(src, capacity, canonical);
        let mut values = vec![T::default(); capacity];
        let outcome = codec.decode(previous, src, &mut values, canonical);
        let (progress, error) = match outcome {
            Ok(progress) => (progress, None),
            Err(BulkError { progress, error }) => (progress, Some(ErrorAt::from(error))),
        };
        let context = format!("{} decodes {} bytes of {} into {capacity}", codec.name(), src.len(), T::NAME);
        let done = Progress { values: expected.values.len(), bytes: expected.bytes };
        assert_eq!((progress, error), (done, expected.error), "{context}, canonical: {canonical}");
        let sequence = walk(&previous, &expected.values);
        assert!(values[..progress.values] == sequence, "{context}, canonical: {canonical}: wrong values");
    }
}

/// Numbers of values at and around the block sizes of encoding (256) and decoding (1024).
pub const COUNTS: [usize; 14] = [0, 1, 2, 7, 8, 100, 255, 256, 257, 600, 1023, 1024, 1025, 2100];

pub fn suite<T: Sequence>(codecs: &[impl Codec]) {
    let extremes =
        [T::default(), T::from_wire(T::WIRE_MAX).expect("within the type"), Rng(7).value(T::LONGEST)];
    for codec in codecs {
        for n in COUNTS {
            // Differences of each encoded length, then random differences and random values.
            for len in 1..=T::LONGEST {
                let previous = extremes[len % 3];
                let values = walk(&[previous], &uniform::<T::Step>(len, n));
                check_encode(codec, [previous], &values);
                check_decode(codec, [previous], &oracle::encode_all(&uniform::<T::Step>(len, n)), n);
            }
            let (steps, values) = (mixed::<T::Step>(T::LONGEST, n), mixed::<T>(T::LONGEST, n));
            check_encode(codec, [extremes[1]], &values);
            let bytes = oracle::encode_all(&steps);
            for capacity in [n / 2, n.saturating_sub(1), n, n + 1, n + 1100] {
                check_decode(codec, [extremes[2]], &bytes, capacity);
            }
            // Edge cases after `n` valid values, and among them.
            for edge_case in edge_cases::<T::Step>() {
                check_decode(codec, [extremes[1]], &[&bytes[..], &edge_case, &[0x01, 0x02]].concat(), n + 5);
                let mut bytes = bytes.clone();
                let at = Rng(n as u64).below(bytes.len() + 1);
                bytes.splice(at..at, edge_case);
                check_decode(codec, [extremes[2]], &bytes, n + 5);
            }
        }
        components::<T, 2>(codec);
        components::<T, 3>(codec);
        components::<T, 4>(codec);
        components::<T, 32>(codec);
    }
}

/// Interleaved sequences, also with incomplete points and errors.
fn components<T: Sequence, const N: usize>(codec: &impl Codec) {
    let mut rng = Rng(N as u64);
    let previous: [T; N] = std::array::from_fn(|index| rng.value(1 + index % T::LONGEST));
    for n in COUNTS.into_iter().chain(N - 1..N + 2).chain([2 * N, 1023 / N * N]) {
        let (steps, values) = (mixed::<T::Step>(T::LONGEST, n), mixed::<T>(T::LONGEST, n));
        check_encode(codec, previous, &values);
        let bytes = oracle::encode_all(&steps);
        for capacity in [n / 2, n.saturating_sub(1), n + 1] {
            check_decode(codec, previous, &bytes, capacity);
        }
        check_decode(codec, previous, &[&bytes[..], &[0xff; 20]].concat(), n + 5);
    }
}
