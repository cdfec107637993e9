//! Published examples of each format, and what depends on the width of a pointer.

use zigzag_varint::ErrorKind::{NonCanonical, Overflow, Truncated};
use zigzag_varint::{
    DecodeError, FrameError, LengthPrefix, Varint, decode_slice, delta, encode_slice, protobuf, sleb128,
};

use crate::random_values::Rng;
use crate::tally::Tally;

pub(crate) fn check(tally: &mut Tally) {
    varints(tally);
    pointers(tally);
    differences(tally);
    signed_leb128(tally);
    fields(tally);
    frames(tally);
}

fn outcome<T>(decoded: Result<T, DecodeError>) -> Result<T, (zigzag_varint::ErrorKind, usize)> {
    decoded.map_err(|error| (error.kind(), error.offset()))
}

/// The example and the table of the crate's first page.
fn varints(tally: &mut Tally) {
    tally.begin("varints");
    tally.same_bytes((-150i64).encode().as_ref(), &[0xab, 0x02]);
    let (mut bytes, mut values) = ([0; 16], [0u64; 3]);
    tally.same(encode_slice(&[1u64, 300, 70_000], &mut bytes), Ok(6));
    tally.same_bytes(&bytes[..6], &[0x01, 0xac, 0x02, 0xf0, 0xa2, 0x04]);
    tally.same(decode_slice(&bytes[..6], &mut values).is_ok(), true);
    tally.same(values, [1, 300, 70_000]);

    tally.same(outcome(u64::decode(&[])), Err((Truncated, 0)));
    tally.same(outcome(u64::decode(&[0x80; 9])), Err((Truncated, 9)));
    tally.same(outcome(u64::decode(&[0x80; 10])), Err((Overflow, 9)));
    let mut greatest = [0xff; 10];
    greatest[9] = 0x01;
    tally.same(outcome(u64::decode_canonical(&greatest)), Ok((u64::MAX, 10)));
    tally.same(outcome(i64::decode_canonical(&greatest)), Ok((i64::MIN, 10)));
    greatest[9] = 0x02;
    tally.same(outcome(u64::decode(&greatest)), Err((Overflow, 9)));
    tally.same(outcome(u64::decode(&[0x80, 0x00])), Ok((0, 2)));
    tally.same(outcome(u64::decode_canonical(&[0x80, 0x00])), Err((NonCanonical, 1)));
}

/// `usize` is what the machine has: 2^32 is a value of one and too much for the other.
fn pointers(tally: &mut Tally) {
    tally.begin("pointer width");
    tally.same(usize::MAX_LEN, usize::BITS.div_ceil(7) as usize);
    let beyond = [0x80, 0x80, 0x80, 0x80, 0x10]; // 2^32
    let expected = if usize::BITS == 32 { Err((Overflow, 4)) } else { Ok(5) };
    tally.same(outcome(usize::decode(&beyond)).map(|(_, len)| len), expected);
    tally.same(outcome(isize::decode(&beyond)).map(|(_, len)| len), expected);
    // The length does not fit a pointer of 32 bits: it is refused, not cut to 3.
    let len = (1 << 32) + 3;
    let decoded = LengthPrefix::new(200).decode(&[0x83, 0x80, 0x80, 0x80, 0x10, 1, 2, 3]);
    tally.same(decoded, Err(FrameError::TooLong { len, max_len: 200 }));
}

fn differences(tally: &mut Tally) {
    tally.begin("differences");
    let timestamps = [1_700_000_000u64, 1_700_000_060, 1_700_000_058, 1_700_000_121];
    let (mut bytes, mut decoded) = ([0; 40], [0; 4]);
    tally.same(delta::encode_slice(0, &timestamps, &mut bytes), Ok(8));
    tally.same_bytes(&bytes[5..8], &[0x78, 0x03, 0x7e]); // +60, -2, +63
    tally.same(delta::decode_slice(0, &bytes[..8], &mut decoded).is_ok(), true);
    tally.same(decoded, timestamps);
    tally.same(delta::encode_slice(0, &[u64::MAX, 0, 1], &mut bytes), Ok(3));
    tally.same_bytes(&bytes[..3], &[0x01, 0x02, 0x02]); // over the end and back
}

/// DWARF's examples, and values of every length there and back.
fn signed_leb128(tally: &mut Tally) {
    tally.begin("signed LEB128");
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
        tally.same_bytes(sleb128::encode(value).as_ref(), bytes);
        tally.same(outcome(sleb128::decode_canonical(bytes)), Ok((value, bytes.len())));
    }
    tally.same(outcome(sleb128::decode_canonical::<i32>(&[0xff, 0x7f])), Err((NonCanonical, 1)));
    tally.same(outcome(sleb128::decode::<i8>(&[0x80, 0x01])), Err((Overflow, 1)));

    fn there_and_back<T: sleb128::Signed + Varint + PartialEq + core::fmt::Debug>(
        value: T,
        tally: &mut Tally,
    ) {
        let mut bytes = [0; 20];
        let len = sleb128::encode_to_slice(value, &mut bytes).expect("enough space");
        tally.same(sleb128::encoded_len(value), len);
        tally.same_bytes(sleb128::encode(value).as_ref(), &bytes[..len]);
        tally.same(outcome(sleb128::decode_canonical(&bytes)), Ok((value, len)));
        tally.same(outcome(sleb128::decode::<T>(&bytes[..len - 1])), Err((Truncated, len - 1)));
    }
    let mut rng = Rng(6);
    for shift in (0..128).chain(0..128) {
        let any = (u128::from(rng.next()) << 64 | u128::from(rng.next())) as i128 >> shift;
        there_and_back(any, tally);
        there_and_back(any as i64, tally);
        there_and_back(any as i32, tally);
        there_and_back(any as i16, tally);
        there_and_back(any as i8, tally);
        there_and_back(any as isize, tally);
    }
}

fn fields(tally: &mut Tally) {
    tally.begin("protobuf");
    let minus_two = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    tally.same_bytes(protobuf::encode_int32(-2).as_ref(), &minus_two);
    tally.same(outcome(protobuf::decode_int32(&minus_two)), Ok((-2, 10)));
    tally.same_bytes(protobuf::encode_sint32(-2).as_ref(), &[0x03]);
    tally.same(outcome(protobuf::decode_uint32(&[0x80, 0x80, 0x80, 0x80, 0x10])), Ok((0, 5))); // cut, as the guide has it
    tally.same(outcome(protobuf::decode_bool_canonical(&[0x02])), Err((Overflow, 0)));
}

fn frames(tally: &mut Tally) {
    tally.begin("length-prefixed frames");
    const FRAMES: LengthPrefix = LengthPrefix::new(200).prefix_u32().canonical();
    let payload = [0x5a; 200];
    let mut bytes = [0; 202];
    tally.same(FRAMES.encode_to_slice(&payload, &mut bytes), Ok(202));
    tally.same_bytes(&bytes[..2], &[0xc8, 0x01]);
    tally.same(FRAMES.decode(&bytes), Ok((&payload[..], 202)));
    for cut in 0..bytes.len() {
        tally.same(FRAMES.decode(&bytes[..cut]).is_err_and(|error| error.is_incomplete()), true);
    }
    tally.same(FRAMES.decode(&[0xc9, 0x01]), Err(FrameError::TooLong { len: 201, max_len: 200 }));
    tally.same(
        matches!(FRAMES.decode(&[0x80, 0x00]), Err(FrameError::Prefix(error)) if error.offset() == 1),
        true,
    );
}
