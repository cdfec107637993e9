//! Protobuf fields, compared with plain arithmetic, the examples of the encoding guide, the table
//! of the conformance suite, and an oracle on hostile bytes.

use crate::support::oracle::{self, ErrorAt};
use crate::support::packed_fields::{every_packed_field, values_of_every_packed_field};
use crate::support::protobuf_fields::{
    Decode, boolean, every_field, int32, int64, sint32, sint64, uint32, uint64,
};
use crate::support::strategies::{Sample, check_random, samples, values};
use crate::support::streams::{Rng, backgrounds, breakpoints, edge_cases};
use zigzag_varint::ErrorKind::{NonCanonical, Overflow};
use zigzag_varint::protobuf;

/// Protocol Buffers, "Encoding": sections "Signed Integers" and "Bools and Enums".
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

/// Numbers out of the range of their type. The conformance suite (binary_json_conformance_suite.cc)
/// specifies the value that every parser must return for them.
#[test]
fn out_of_range_numbers_decode_as_in_the_conformance_suite() {
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
    // 12345 with two and with seven redundant bytes.
    for zeros in [2, 7] {
        let long = [&[0xb9, 0xe0][..], &vec![0x80; zeros - 1], &[0x00]].concat();
        assert_eq!(protobuf::decode_int32(&long), Ok((12345, 2 + zeros)));
        assert_eq!(protobuf::decode_uint32(&long), Ok((12345, 2 + zeros)));
    }
}

/// Nine continuation bytes and a tenth byte above 01. The C++ parser drops the excess bits; this
/// crate reports an overflow.
#[test]
fn a_tenth_byte_above_one_overflows() {
    for last in 0x02..=0xff {
        let src = [&[0xff; 9][..], &[last]].concat();
        let expected = Some(ErrorAt { kind: Overflow, offset: 9 });
        assert_eq!(protobuf::decode_int32(&src).err().map(ErrorAt::from), expected);
        assert_eq!(protobuf::decode_bool(&src).err().map(ErrorAt::from), expected);
        assert_eq!(protobuf::decode_sint64(&src).err().map(ErrorAt::from), expected);
    }
}

#[test]
fn a_canonical_field_reports_the_first_byte_out_of_range() {
    let decoded = |decode: Decode<i32>, number: u64| {
        decode(&oracle::encode(number)).map(|(value, _)| value).map_err(ErrorAt::from)
    };
    let at = |offset| Err(ErrorAt { kind: Overflow, offset });
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0x7fff_ffff), Ok(i32::MAX));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0x8000_0000), at(4));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0xffff_ffff_8000_0000), Ok(i32::MIN));
    assert_eq!(decoded(protobuf::decode_int32_canonical, 0xffff_ffff_7fff_ffff), at(4));
    assert_eq!(decoded(protobuf::decode_int32_canonical, (1 << 42) - 1), at(5)); // begins like a negative number, and ends too early
    assert_eq!(decoded(protobuf::decode_int32_canonical, u64::MAX >> 1), at(8));
    assert_eq!(decoded(protobuf::decode_sint32_canonical, 1 << 32), at(4));
    assert_eq!(
        protobuf::decode_bool_canonical(&[0x81, 0x00]).map_err(ErrorAt::from),
        Err(ErrorAt { kind: NonCanonical, offset: 1 })
    );
    assert_eq!(
        protobuf::decode_bool_canonical(&[0x02]).map_err(ErrorAt::from),
        Err(ErrorAt { kind: Overflow, offset: 0 })
    );
}

/// The limits of every encoded length, every power of two and its neighbours, and random values.
#[test]
fn every_field_maps_its_values_to_the_specified_wire_numbers() {
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

/// Up to eleven bytes: runs of one byte with one byte changed and any last byte.
#[test]
fn hostile_bytes_match_the_oracle_for_every_field() {
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
fn random_bytes_match_the_oracle_for_every_field() {
    check_random(samples::<u64>(), &|Sample { bytes, .. }| every_field(&bytes));
    for bytes in edge_cases::<u64>().into_iter().chain(edge_cases::<u32>()) {
        every_field(&bytes);
    }
    let mut rng = Rng(32);
    for _ in 0..100_000 {
        // Negative numbers with one bit flipped: close to an int32.
        let number = (rng.next() as i32 as i64 as u64 | u64::MAX << 32) ^ (1 << rng.below(64));
        every_field(&oracle::encode(number));
    }
}

/// Every number of values up to more than two blocks, in every mixture of lengths.
#[test]
fn packed_fields_are_written_and_read_like_single_fields() {
    for n in (0..70).chain([127, 128, 129, 255, 256, 257, 511, 512, 513, 600]) {
        for numbers in backgrounds::<u64>(n) {
            values_of_every_packed_field(&numbers);
        }
    }
    check_random(values::<u64>(), &|numbers| values_of_every_packed_field(&numbers));
}

/// An invalid or overlong encoding, or a number out of range, at every position of short fields and
/// around the ends of blocks.
#[test]
fn packed_fields_report_the_errors_of_single_fields() {
    let cases = edge_cases::<u64>().into_iter().chain(edge_cases::<u32>());
    let cases: Vec<_> = cases.chain([1 << 31, 1 << 32, u64::MAX >> 1, 2].map(oracle::encode)).collect();
    for before in (0..66).chain([127, 128, 129, 250, 254, 255, 256, 257, 511, 512]) {
        for case in &cases {
            every_packed_field(&[&vec![0x01; before], &case[..], &[0x01; 20]].concat());
            every_packed_field(&[&vec![0x01; before], &case[..]].concat());
        }
    }
    check_random(samples::<u64>(), &|Sample { bytes, .. }| every_packed_field(&bytes));
}

/// The modules of `fields` have the functions of `packed`, and `put_packed` appends the same bytes to any
/// buffer. The lengths are those around the blocks that it encodes at a time.
#[test]
fn the_modules_of_fields_have_the_functions_of_packed() {
    macro_rules! check {
        ($($field:ident $encode:ident $decode:ident $canonical:ident $from_wire:ident),*) => {$(
            for len in [0, 1, 15, 16, 17, 255, 256, 257, 1000] {
                for shift in [0, 40, 57] {
                    let mut rng = Rng(len as u64);
                    let values: Vec<_> =
                        (0..len).map(|_| protobuf::$from_wire(rng.next() >> shift)).collect();
                    let mut expected = Vec::new();
                    protobuf::packed::$encode(&values, &mut expected);

                    let mut bytes = Vec::new();
                    assert_eq!(protobuf::fields::$field::encode_packed(&values, &mut bytes), expected.len());
                    assert_eq!(bytes, expected);
                    assert_eq!(protobuf::fields::$field::encoded_len_packed(&values), expected.len());
                    let (mut decoded, mut canonical) = (Vec::new(), Vec::new());
                    assert_eq!(protobuf::fields::$field::decode_packed(&bytes, &mut decoded), Ok(len));
                    assert_eq!(protobuf::fields::$field::decode_packed_canonical(&bytes, &mut canonical), Ok(len));
                    assert!(decoded == values && canonical == values);
                    #[cfg(feature = "bytes")]
                    {
                        let mut buf = bytes::BytesMut::from(&[0xaa][..]);
                        assert_eq!(protobuf::fields::$field::put_packed(&values, &mut buf), expected.len());
                        assert!(buf[0] == 0xaa && buf[1..] == expected, "{} {values:?}", stringify!($field));
                    }
                }
            }
            let mut values = Vec::new();
            let overlong = [0x81, 0x00];
            assert_eq!(
                protobuf::fields::$field::decode_packed(&overlong, &mut values),
                protobuf::packed::$decode(&overlong, &mut Vec::new()),
            );
            assert_eq!(
                protobuf::fields::$field::decode_packed_canonical(&overlong, &mut values),
                protobuf::packed::$canonical(&overlong, &mut Vec::new()),
            );
        )*};
    }
    check! {
        int32 encode_int32 decode_int32 decode_int32_canonical int32_from_wire,
        int64 encode_int64 decode_int64 decode_int64_canonical int64_from_wire,
        uint32 encode_uint32 decode_uint32 decode_uint32_canonical uint32_from_wire,
        uint64 encode_uint64 decode_uint64 decode_uint64_canonical uint64_from_wire,
        sint32 encode_sint32 decode_sint32 decode_sint32_canonical sint32_from_wire,
        sint64 encode_sint64 decode_sint64 decode_sint64_canonical sint64_from_wire,
        bool encode_bool decode_bool decode_bool_canonical bool_from_wire
    }
}
