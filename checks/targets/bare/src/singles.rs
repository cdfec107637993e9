//! Single values through every API: the limits of each encoded length, powers of two, invalid bytes, and
//! the test vectors.

use zigzag_varint::ErrorKind::{self, NonCanonical, Overflow, TooLong, Truncated};
use zigzag_varint::{BufferTooSmall, Canonical, Decoder, Reader, Varint};
use zigzag_varint_oracle::{self as oracle, ErrorAt, Outcome};

use crate::Checker;
use crate::int::{self, Int};
use crate::random_values::wire_range;

/// The size of buffers: more than the longest encoding of the widest type.
pub(crate) const CAPACITY: usize = 24;

pub(crate) fn check<T: Int>(checker: &mut Checker) {
    checker.begin("single values");
    let ends = (1..=T::LONGEST).flat_map(|len| <[u128; 2]>::from(wire_range(T::BITS, len)));
    let powers = (0..T::BITS).map(|bit| 1 << bit);
    for wire in ends.chain(powers).flat_map(|wire: u128| [wire.wrapping_sub(1), wire, wire.wrapping_add(1)]) {
        if let Some(value) = T::from_wire(wire) {
            round_trip(value, checker);
        }
    }

    checker.begin("invalid bytes");
    for run in [0x80, 0x81, 0xff] {
        for len in 0..T::LONGEST + 2 {
            let mut bytes = [run; CAPACITY];
            outcomes::<T>(&bytes[..len], checker);
            for last in 0..=0x80 {
                bytes[len] = last;
                outcomes::<T>(&bytes[..len + 1], checker);
            }
        }
    }
}

/// Checks each row of `conformance/vectors` for an integer type. `../build.rs` writes the calls.
pub(crate) fn check_vectors(checker: &mut Checker) {
    checker.begin("vectors");
    include!(concat!(env!("OUT_DIR"), "/vectors.rs"));
}

/// The value and its length, or the kind and offset of the error.
type Expected<T> = Result<(T, usize), (ErrorKind, usize)>;

fn vector<T: Int>(src: &[u8], lenient: Expected<T>, canonical: Expected<T>, checker: &mut Checker) {
    let error = |(kind, offset)| ErrorAt { kind, offset };
    outcomes_of::<T, T>(src, lenient.map_err(error), checker);
    outcomes_of::<T, Canonical<T>>(src, canonical.map_err(error), checker);
}

fn round_trip<T: Int>(value: T, checker: &mut Checker) {
    let (bytes, len) = oracle::encode(value.wire());
    checker.same(&T::encode(value)[..], &bytes[..len]);
    checker.same(T::encoded_len(value), len);

    let mut stored = [0xaa; CAPACITY];
    let short = T::encode_to_slice(value, &mut stored[..len - 1]);
    checker.same(short, Err(BufferTooSmall { needed: len, available: len - 1 }));
    checker.same(stored, [0xaa; CAPACITY]);
    checker.same(T::encode_to_slice(value, &mut stored), Ok(len));
    checker.same(&stored[..len], &bytes[..len]);
    checker.same(stored[len..].iter().all(|&byte| byte == 0xaa), true);

    for cut in 0..=len {
        outcomes::<T>(&bytes[..cut], checker);
    }
    outcomes::<T>(&bytes, checker);
    for width in 0..CAPACITY {
        let mut padded = [0; CAPACITY];
        let fits = (len..=T::LONGEST).contains(&width);
        checker.same(T::encode_padded(value, &mut padded[..width]).is_ok(), fits);
        if fits {
            checker.same(T::decode(&padded), Ok((value, width)));
        }
    }
}

/// Compares the outcome of every API for the first value of `src` with the oracle's.
fn outcomes<T: Int>(src: &[u8], checker: &mut Checker) {
    outcomes_of::<T, T>(src, int::decode(src, false), checker);
    outcomes_of::<T, Canonical<T>>(src, int::decode(src, true), checker);
}

fn outcomes_of<T: Int, W: Varint<Value = T>>(src: &[u8], expected: Outcome<T>, checker: &mut Checker) {
    checker.same(W::decode(src).map_err(ErrorAt::from), expected);

    let mut reader = Reader::new(src);
    let read = reader.read::<W>();
    checker.same(read.map(|value| (value, reader.position())).map_err(ErrorAt::from), expected);

    let mut decoder = Decoder::<W>::new();
    let pushed = match decoder.push_slice(src) {
        Ok((Some(value), len)) => Ok((value, len)),
        Ok((None, _)) if src.is_empty() => expected, // the end of a stream is no error here, unlike for a slice
        Ok((None, _)) => Err(decoder.finish().expect_err("the value is incomplete").into()),
        Err(error) => Err(error.into()),
    };
    checker.same(pushed, expected);
}
