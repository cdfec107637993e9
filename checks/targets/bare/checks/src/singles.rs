//! One value at a time, through every API: the ends of each encoded length, powers of two, and
//! bytes that are no value.

use zigzag_varint::{BufferTooSmall, DecodeError, Decoder, Reader, encode_padded};

use crate::arithmetic::{self, ErrorAt, Int, Outcome};
use crate::random_values::wire_range;
use crate::tally::Tally;

/// Room for the longest encoding of the widest type and more.
pub(crate) const ROOM: usize = 24;

pub(crate) fn check<T: Int>(tally: &mut Tally) {
    tally.begin("single values");
    let ends = (1..=T::LONGEST).flat_map(|len| <[u128; 2]>::from(wire_range::<T>(len)));
    let powers = (0..T::BITS).map(|bit| 1 << bit);
    for wire in ends.chain(powers).flat_map(|wire: u128| [wire.wrapping_sub(1), wire, wire.wrapping_add(1)]) {
        if let Some(value) = T::from_wire(wire) {
            round_trip(value, tally);
        }
    }

    tally.begin("bytes that are no value");
    for run in [0x80, 0x81, 0xff] {
        for len in 0..T::LONGEST + 2 {
            let mut bytes = [run; ROOM];
            outcomes::<T>(&bytes[..len], tally);
            for last in 0..=0x80 {
                bytes[len] = last;
                outcomes::<T>(&bytes[..len + 1], tally);
            }
        }
    }
}

/// The oracle's bytes, and how many they are.
pub(crate) fn encode<T: Int>(value: T) -> ([u8; ROOM], usize) {
    let (mut bytes, mut len, mut rest) = ([0; ROOM], 0, value.wire());
    while rest >= 128 {
        bytes[len] = (rest % 128) as u8 + 128;
        rest /= 128;
        len += 1;
    }
    bytes[len] = rest as u8;
    (bytes, len + 1)
}

fn round_trip<T: Int>(value: T, tally: &mut Tally) {
    let (bytes, len) = encode(value);
    tally.same_bytes(value.encode().as_ref(), &bytes[..len]);
    tally.same(value.encoded_len(), len);

    let mut stored = [0xaa; ROOM];
    let short = value.encode_to_slice(&mut stored[..len - 1]);
    tally.same(short, Err(BufferTooSmall { needed: len, available: len - 1 }));
    tally.same(stored, [0xaa; ROOM]);
    tally.same(value.encode_to_slice(&mut stored), Ok(len));
    tally.same_bytes(&stored[..len], &bytes[..len]);
    tally.same(stored[len..].iter().all(|&byte| byte == 0xaa), true);

    for cut in 0..=len {
        outcomes::<T>(&bytes[..cut], tally);
    }
    outcomes::<T>(&bytes, tally);
    for width in 0..ROOM {
        let mut padded = [0; ROOM];
        let fits = (len..=T::LONGEST).contains(&width);
        tally.same(encode_padded(value, &mut padded[..width]).is_ok(), fits);
        if fits {
            tally.same(T::decode(&padded), Ok((value, width)));
        }
    }
}

/// The first value of `src` through every API: the oracle's outcome.
fn outcomes<T: Int>(src: &[u8], tally: &mut Tally) {
    for canonical in [false, true] {
        let expected: Outcome<T> = arithmetic::decode(src, canonical);
        let decoded = if canonical { T::decode_canonical(src) } else { T::decode(src) };
        tally.same(decoded.map_err(ErrorAt::from), expected);

        let mut reader = Reader::new(src);
        let read: Result<T, DecodeError> = if canonical { reader.read_canonical() } else { reader.read() };
        tally.same(read.map(|value| (value, reader.position())).map_err(ErrorAt::from), expected);

        let mut decoder: Decoder<T> = if canonical { Decoder::canonical() } else { Decoder::new() };
        let pushed = match decoder.push_slice(src) {
            Ok((Some(value), len)) => Ok((value, len)),
            Ok((None, _)) if src.is_empty() => expected, // a clean end, where a slice has a value missing
            Ok((None, _)) => Err(decoder.finish().expect_err("not at an end").into()),
            Err(error) => Err(error.into()),
        };
        tally.same(pushed, expected);
    }
}
