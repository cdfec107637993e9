//! Protobuf's fields against plain arithmetic, the guide's examples, the conformance suite's table,
//! and hostile bytes.

use crate::support::oracle::{self, Fault};
use crate::support::protobuf_fields::{
    Decode, boolean, every_field, int32, int64, sint32, sint64, uint32, uint64,
};
use crate::support::strategies::{Sample, check_random, samples, values};
use crate::support::streams::{Rng, breakpoints, edge_cases};
use zigzag_varint::ErrorKind::{NonCanonical, Overflow};
use zigzag_varint::protobuf;

/// The guide to the encoding, sections "Signed Integers" and "Bools and Enums".
#[test]
fn the_protobuf_guides_examples_are_encoded_and_decoded() {
    int32.check_value(150, 150);
    assert_eq!(*protobuf::encode_int32(150), [0x96, 0x01]);
    let minus_two = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(*protobuf::encode_int32(-2), minus_two);
    assert_eq!(*protobuf::encode_int64(-2), minus_two);
    for (value, wire) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i32::MAX, u32::MAX - 1), (i32::MIN, u32::MAX)] {
        sint32.check_value(value, wire.into());
        sint64.check_value(value.into(), wire.into());
    }
    boolean.check_value(false, 0);
    boolean.check_value(true, 1);
}

/// Numbers that a type has no capacity for, as the conformance suite
/// (binary_json_conformance_suite.cc) lists them: what every parser must take them for.
#[test]
fn numbers_beyond_the_type_decode_as_in_the_conformance_suite() {
    let (min, max) = (1u64 << 63, u64::MAX >> 1);
    for (wire, value) in [(1 << 33, 0), ((1 << 33) - 1, -1), (max, -1), (min + 1, 1)] {
        assert_eq!(
            protobuf::decode_int32(&oracle::encode(wire)).map(|(value, _)| value),
            Ok(value),
            "{wire:#x}"
        );
    }
    for (wire, value) in
        [(1 << 33, 0), ((1 << 33) + 1, 1), ((1 << 33) - 1, u32::MAX), (max, u32::MAX), (min + 1, 1)]
    {
        assert_eq!(
            protobuf::decode_uint32(&oracle::encode(wire)).map(|(value, _)| value),
            Ok(value),
            "{wire:#x}"
        );
    }
    for wire in [u64::MAX, 12_345_678, 1 << 33, max, min] {
        assert_eq!(
            protobuf::decode_bool(&oracle::encode(wire)).map(|(value, _)| value),
            Ok(true),
            "{wire:#x}"
        );
    }
    let beyond_sint32 = protobuf::encode_sint64(i64::from(i32::MAX) + 2);
    assert_eq!(protobuf::decode_sint32(&beyond_sint32), Ok((1, 5)));
    // 12345 in two bytes more and in seven more.
    for zeros in [2, 7] {
        let long = [&[0xb9, 0xe0][..], &vec![0x80; zeros - 1], &[0x00]].concat();
        assert_eq!(protobuf::decode_int32(&long), Ok((12345, 2 + zeros)));
        assert_eq!(protobuf::decode_uint32(&long), Ok((12345, 2 + zeros)));
    }
}

/// Nine bytes that go on and a tenth above 01: the parser of C++ drops the bits, this one does not.
#[test]
fn a_tenth_byte_above_one_is_never_cut() {
    for last in 0x02..=0xff {
        let src = [&[0xff; 9][..], &[last]].concat();
        let expected = Some(Fault { kind: Overflow, offset: 9 });
        assert_eq!(protobuf::decode_int32(&src).err().map(Fault::from), expected);
        assert_eq!(protobuf::decode_bool(&src).err().map(Fault::from), expected);
        assert_eq!(protobuf::decode_sint64(&src).err().map(Fault::from), expected);
    }
}

#[test]
fn a_canonical_field_names_the_first_byte_that_does_not_fit() {
    let decoded = |decode: Decode<i32>, number: u64| {
        decode(&oracle::encode(number)).map(|(value, _)| value).map_err(Fault::from)
    };
    let at = |offset| Err(Fault { kind: Overflow, offset });
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0x7fff_ffff), Ok(i32::MAX));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0x8000_0000), at(4));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0xffff_ffff_8000_0000), Ok(i32::MIN));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0xffff_ffff_7fff_ffff), at(4));
    assert_eq!(decoded(protobuf::decode_int32_canonical, (1 << 42) - 1), at(5)); // goes on like a negative number, and ends
    assert_eq!(decoded(protobuf::decode_int32_canonical, u64::MAX >> 1), at(8));
    assert_eq!(decoded(protobuf::decode_sint32_canonical, 1 << 32), at(4));
    assert_eq!(
        protobuf::decode_bool_canonical(&[0x81, 0x00]).map_err(Fault::from),
        Err(Fault { kind: NonCanonical, offset: 1 })
    );
    assert_eq!(
        protobuf::decode_bool_canonical(&[0x02]).map_err(Fault::from),
        Err(Fault { kind: Overflow, offset: 0 })
    );
}

/// Both ends of every length, every power of two and its neighbours, and random values.
#[test]
fn every_field_stands_for_its_number() {
    let check_signed = |value: i64| {
        // Two's complement and zigzag by plain arithmetic.
        let twos = (i128::from(value) + if value < 0 { 1 << 64 } else { 0 }) as u64;
        let zigzag = (2 * i128::from(value)).max(-2 * i128::from(value) - 1) as u64;
        int64.check_value(value, twos);
        sint64.check_value(value, zigzag);
        if let Ok(value) = i32::try_from(value) {
            int32.check_value(value, twos);
            sint32.check_value(value, zigzag);
        }
    };
    let check_unsigned = |value: u64| {
        uint64.check_value(value, value);
        if let Ok(value) = u32::try_from(value) {
            uint32.check_value(value, value.into());
        }
    };
    breakpoints::<i64>().into_iter().for_each(check_signed);
    breakpoints::<u64>().into_iter().for_each(check_unsigned);
    for shift in 0..64 {
        [i64::MIN >> shift, !(i64::MIN >> shift), 1 << shift].into_iter().for_each(check_signed);
    }
    check_random(values::<i64>(), &|values| values.into_iter().for_each(check_signed));
    check_random(values::<i32>(), &|values| values.into_iter().for_each(|value| check_signed(value.into())));
    check_random(values::<u64>(), &|values| values.into_iter().for_each(check_unsigned));
}

/// None to eleven bytes: runs with one byte changed and any last one.
#[test]
fn hostile_bytes_have_the_same_outcome_for_every_field() {
    every_field(&[]);
    (0..=0xff).for_each(|byte| every_field(&[byte]));
    for len in 2..=11 {
        for fill in [0x80, 0xff, 0xf8] {
            for odd in 0..len - 1 {
                for other in [0x00, 0x01, 0x7f, 0x80, 0x87, 0x88, 0xf0, 0xf7, 0xf8, 0xff] {
                    let mut src = vec![fill; len];
                    src[odd] = other;
                    for last in 0..=0xff {
                        src[len - 1] = last;
                        every_field(&src);
                    }
                }
            }
        }
    }
}

#[test]
fn random_bytes_have_the_same_outcome_for_every_field() {
    check_random(samples::<u64>(), &|Sample { bytes, .. }| every_field(&bytes));
    for bytes in edge_cases::<u64>().into_iter().chain(edge_cases::<u32>()) {
        every_field(&bytes);
    }
    let mut rng = Rng(32);
    for _ in 0..100_000 {
        // Negative numbers with a bit turned: nearly an int32.
        let number = (rng.next() as i32 as i64 as u64 | u64::MAX << 32) ^ (1 << rng.below(64));
        every_field(&oracle::encode(number));
    }
}
