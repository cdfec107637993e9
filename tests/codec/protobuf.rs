//! The fields of Protocol Buffers: the table of the conformance suite, and more input for the fields than
//! all wire types get.

use crate::support::wire_types::wire_types;
use crate::support::wires::Rng;
use zigzag_varint::ErrorKind::{NonCanonical, Overflow};
use zigzag_varint::protobuf::{Bool, Int32, Sint32, Sint64, Uint32};
use zigzag_varint::{Canonical, Varint};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

/// Numbers out of the range of their type. The conformance suite (binary_json_conformance_suite.cc)
/// specifies the value that every parser must return for them.
#[test]
fn out_of_range_numbers_decode_as_in_the_conformance_suite() {
    fn value<W: Varint>(number: u64) -> W::Value {
        let bytes = oracle::encode_all([u128::from(number)]);
        let (value, len) = W::decode(&bytes).expect("a number of 64 bits");
        assert_eq!(len, bytes.len());
        value
    }
    let (min, max) = (1u64 << 63, u64::MAX >> 1);
    for (number, expected) in [(1 << 33, 0), ((1 << 33) - 1, -1), (max, -1), (min + 1, 1)] {
        assert_eq!(value::<Int32>(number), expected, "{number:#x}");
    }
    for (number, expected) in
        [(1 << 33, 0), ((1 << 33) + 1, 1), ((1 << 33) - 1, u32::MAX), (max, u32::MAX), (min + 1, 1)]
    {
        assert_eq!(value::<Uint32>(number), expected, "{number:#x}");
    }
    for number in [u64::MAX, 12_345_678, 1 << 33, max, min] {
        assert!(value::<Bool>(number), "{number:#x}");
    }
    let beyond_sint32 = Sint64::encode(i64::from(i32::MAX) + 2);
    assert_eq!(Sint32::decode(&beyond_sint32), Ok((1, 5)));
    // 12345 with two and with seven redundant bytes.
    for zeros in [2, 7] {
        let long = [&[0xb9, 0xe0][..], &vec![0x80; zeros - 1], &[0x00]].concat();
        assert_eq!(Int32::decode(&long), Ok((12345, 2 + zeros)));
        assert_eq!(Uint32::decode(&long), Ok((12345, 2 + zeros)));
    }
}

#[test]
fn a_canonical_field_reports_the_last_byte_of_a_number_that_does_not_fit() {
    fn decoded<W: Varint>(number: u64) -> Result<W::Value, ErrorAt> {
        let bytes = oracle::encode_all([u128::from(number)]);
        Canonical::<W>::decode(&bytes).map(|(value, _)| value).map_err(ErrorAt::from)
    }
    let at = |offset| Err(ErrorAt { kind: Overflow, offset });
    assert_eq!(decoded::<Int32>(0x7fff_ffff), Ok(i32::MAX));
    assert_eq!(decoded::<Int32>(0x8000_0000), at(4));
    assert_eq!(decoded::<Int32>(0xffff_ffff_8000_0000), Ok(i32::MIN));
    assert_eq!(decoded::<Int32>(0xffff_ffff_7fff_ffff), at(9));
    assert_eq!(decoded::<Int32>((1 << 42) - 1), at(5)); // begins like a negative number, and ends too early
    assert_eq!(decoded::<Int32>(u64::MAX >> 1), at(8));
    assert_eq!(decoded::<Sint32>(1 << 32), at(4));
    assert_eq!(decoded::<Bool>(2), Err(ErrorAt { kind: Overflow, offset: 0 }));
    assert_eq!(decoded::<Bool>(1 << 21), Err(ErrorAt { kind: Overflow, offset: 3 }));
    let overlong = Canonical::<Bool>::decode(&[0x81, 0x00]).map_err(ErrorAt::from);
    assert_eq!(overlong, Err(ErrorAt { kind: NonCanonical, offset: 1 }));
}

/// Negative numbers of 32 bits with one bit flipped, which are close to an `int32`.
#[test]
fn almost_negative_numbers_match_the_oracle_for_every_field() {
    let fields: Vec<_> = wire_types().iter().filter(|wire_type| wire_type.rule().is_field()).collect();
    let mut rng = Rng(32);
    for _ in 0..20_000 {
        let number = (rng.next() as i32 as i64 as u64 | u64::MAX << 32) ^ (1 << rng.below(64));
        let bytes = oracle::encode_all([u128::from(number)]);
        fields.iter().for_each(|field| field.check_first(&bytes));
    }
}
