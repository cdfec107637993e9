//! Published examples of each format, and cases that depend on the width of a pointer.

use zigzag_varint::ErrorKind::{NonCanonical, Overflow, Truncated};
use zigzag_varint::protobuf::{Bool, Int32, Sint32, Uint32};
use zigzag_varint::{Canonical, DecodeError, Delta, FrameError, LengthPrefix, Varint, decode_slice, encode_slice, Signed};

use crate::Checker;

pub(crate) fn check(checker: &mut Checker) {
    varints(checker);
    pointers(checker);
    differences(checker);
    signed_leb128(checker);
    fields(checker);
    frames(checker);
}

fn outcome<T>(decoded: Result<T, DecodeError>) -> Result<T, (zigzag_varint::ErrorKind, usize)> {
    decoded.map_err(|error| (error.kind(), error.offset()))
}

/// The example and the table of the crate's documentation.
fn varints(checker: &mut Checker) {
    checker.begin("varints");
    checker.same_bytes((-150i64).encode().as_ref(), &[0xab, 0x02]);
    let (mut bytes, mut values) = ([0; 16], [0u64; 3]);
    checker.same(encode_slice(&[1u64, 300, 70_000], &mut bytes), Ok(6));
    checker.same_bytes(&bytes[..6], &[0x01, 0xac, 0x02, 0xf0, 0xa2, 0x04]);
    checker.same(decode_slice(&bytes[..6], &mut values).is_ok(), true);
    checker.same(values, [1, 300, 70_000]);

    checker.same(outcome(u64::decode(&[])), Err((Truncated, 0)));
    checker.same(outcome(u64::decode(&[0x80; 9])), Err((Truncated, 9)));
    checker.same(outcome(u64::decode(&[0x80; 10])), Err((Overflow, 9)));
    let mut greatest = [0xff; 10];
    greatest[9] = 0x01;
    checker.same(outcome(Canonical::<u64>::decode(&greatest)), Ok((u64::MAX, 10)));
    checker.same(outcome(Canonical::<i64>::decode(&greatest)), Ok((i64::MIN, 10)));
    greatest[9] = 0x02;
    checker.same(outcome(u64::decode(&greatest)), Err((Overflow, 9)));
    checker.same(outcome(u64::decode(&[0x80, 0x00])), Ok((0, 2)));
    checker.same(outcome(Canonical::<u64>::decode(&[0x80, 0x00])), Err((NonCanonical, 1)));
}

/// The width of `usize` depends on the machine: 2^32 overflows on a 32-bit machine only.
fn pointers(checker: &mut Checker) {
    checker.begin("pointer width");
    checker.same(usize::MAX_LEN, usize::BITS.div_ceil(7) as usize);
    let two_to_the_32 = [0x80, 0x80, 0x80, 0x80, 0x10];
    let expected = if usize::BITS == 32 { Err((Overflow, 4)) } else { Ok(5) };
    checker.same(outcome(usize::decode(&two_to_the_32)).map(|(_, len)| len), expected);
    checker.same(outcome(isize::decode(&two_to_the_32)).map(|(_, len)| len), expected);
    // The length does not fit a pointer of 32 bits. It is refused, not truncated to 3.
    let len = (1 << 32) + 3;
    let decoded = LengthPrefix::new(200).decode(&[0x83, 0x80, 0x80, 0x80, 0x10, 1, 2, 3]);
    checker.same(decoded, Err(FrameError::TooLong { len, max_len: 200 }));
}

fn differences(checker: &mut Checker) {
    checker.begin("differences");
    let timestamps = [1_700_000_000u64, 1_700_000_060, 1_700_000_058, 1_700_000_121];
    let (mut bytes, mut decoded) = ([0; 40], [0; 4]);
    checker.same(Delta::zigzag([0]).encode_slice(&timestamps, &mut bytes), Ok(8));
    checker.same_bytes(&bytes[5..8], &[0x78, 0x03, 0x7e]); // +60, -2, +63
    checker.same(Delta::zigzag([0]).decode_slice(&bytes[..8], &mut decoded).is_ok(), true);
    checker.same(decoded, timestamps);
    checker.same(Delta::zigzag([0]).encode_slice(&[u64::MAX, 0, 1], &mut bytes), Ok(3));
    checker.same_bytes(&bytes[..3], &[0x01, 0x02, 0x02]); // wraps around and back
}

/// DWARF's examples.
fn signed_leb128(checker: &mut Checker) {
    checker.begin("signed LEB128");
    let table: [(i16, &[u8]); 8] = [
        (2, &[0x02]),
        (-2, &[0x7e]),
        (127, &[0xff, 0x00]),
        (-127, &[0x81, 0x7f]),
        (128, &[0x80, 0x01]),
        (-128, &[0x80, 0x7f]),
        (129, &[0x81, 0x01]),
        (-129, &[0xff, 0x7e]),
    ];
    for (value, bytes) in table {
        checker.same_bytes(Signed(value).encode().as_ref(), bytes);
        checker.same(outcome(Canonical::<Signed<i16>>::decode(bytes)), Ok((value, bytes.len())));
    }
    checker.same(outcome(Canonical::<Signed<i32>>::decode(&[0xff, 0x7f])), Err((NonCanonical, 1)));
    checker.same(outcome(Signed::<i8>::decode(&[0x80, 0x01])), Err((Overflow, 1)));
}

fn fields(checker: &mut Checker) {
    checker.begin("protobuf");
    let minus_two = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    checker.same_bytes(Int32(-2).encode().as_ref(), &minus_two);
    checker.same(outcome(Int32::decode(&minus_two)), Ok((-2, 10)));
    checker.same_bytes(Sint32(-2).encode().as_ref(), &[0x03]);
    checker.same(outcome(Uint32::decode(&[0x80, 0x80, 0x80, 0x80, 0x10])), Ok((0, 5))); // truncated, as the encoding guide specifies
    checker.same(outcome(Canonical::<Bool>::decode(&[0x02])), Err((Overflow, 0)));
}

fn frames(checker: &mut Checker) {
    checker.begin("length-prefixed frames");
    const FRAMES: LengthPrefix = LengthPrefix::new(200).prefix_u32().canonical();
    let payload = [0x5a; 200];
    let mut bytes = [0; 202];
    checker.same(FRAMES.encode_to_slice(&payload, &mut bytes), Ok(202));
    checker.same_bytes(&bytes[..2], &[0xc8, 0x01]);
    checker.same(FRAMES.decode(&bytes), Ok((&payload[..], 202)));
    for cut in 0..bytes.len() {
        checker.same(FRAMES.decode(&bytes[..cut]).is_err_and(|error| error.is_incomplete()), true);
    }
    checker.same(FRAMES.decode(&[0xc9, 0x01]), Err(FrameError::TooLong { len: 201, max_len: 200 }));
    checker.same(
        matches!(FRAMES.decode(&[0x80, 0x00]), Err(FrameError::Prefix(error)) if error.offset() == 1),
        true,
    );
}
