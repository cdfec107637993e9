//! The examples of the formats' specifications, and each row of the crate's table of outcomes.

use crate::support::wire_types::{INTEGERS, Number, Ruled, pair};
use crate::support::wires::{backgrounds, breakpoints};
use zigzag_varint::ErrorKind::{NonCanonical, Overflow, TooLong, Truncated};
use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64};
use zigzag_varint::{S33, Signed, Varint, encode_to_vec, encoded_len_slice, zigzag};
use zigzag_varint_oracle::{ErrorAt, Format, Outcome, Rule, encode_all};

/// Encodes the value and decodes the bytes with every API.
fn both_ways<W: Ruled>(value: W, bytes: &[u8]) {
    let number = W::value(value).number();
    for wire_type in pair::<W>() {
        assert_eq!(wire_type.rule().encode(number), bytes);
        wire_type.check_values(&[number]);
        wire_type.expect_first(bytes, Ok((number, bytes.len())));
    }
}

/// Checks one row of the table: the bytes, the lenient and the canonical outcome.
fn row<W: Ruled>(
    bytes: &[u8],
    lenient: Result<(W::Value, usize), ErrorAt>,
    canonical: Result<(W::Value, usize), ErrorAt>,
) {
    for (wire_type, outcome) in pair::<W>().iter().zip([lenient, canonical]) {
        wire_type.expect_first(bytes, outcome.map(|(value, len)| (value.number(), len)));
    }
}

/// Protocol Buffers, "Encoding": sections "Base 128 Varints", "Signed Integers" and "Packed
/// Repeated Fields".
#[test]
fn the_protobuf_guides_varints_are_encoded_and_decoded() {
    both_ways(1u64, &[0x01]);
    both_ways(150u32, &[0x96, 0x01]);
    both_ways(300u64, &[0xac, 0x02]); // the example of the guide's earlier editions
    let minus_two: u64 = 0xffff_ffff_ffff_fffe; // -2 as an int64: ten bytes
    both_ways(minus_two, &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
    let packed = [3u32, 270, 86942];
    assert_eq!(encode_to_vec(&packed), [0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]);
    assert_eq!(encoded_len_slice(&packed), 6);
}

/// The same guide, section "Signed Integers": negative numbers of two's complement; "Bools and Enums".
#[test]
fn the_protobuf_guides_fields_are_encoded_and_decoded() {
    both_ways(Int32(150), &[0x96, 0x01]);
    let minus_two = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    both_ways(Int32(-2), &minus_two);
    both_ways(Int64(-2), &minus_two);
    both_ways(Bool(false), &[0]);
    both_ways(Bool(true), &[1]);
}

/// The same guide, section "Signed Integers": the table, and -500, which `protoscope` writes as
/// `-500z`, as 999.
#[test]
fn zigzag_matches_the_table_of_the_protobuf_guide() {
    let table =
        [(0, 0), (-1, 1), (1, 2), (-2, 3), (0x7fff_ffff, 0xffff_fffe), (-0x8000_0000, 0xffff_ffffu32)];
    for (signed, wire) in table.into_iter().chain([(-500, 999)]) {
        assert_eq!(zigzag::i64_to_u64(signed.into()), u64::from(wire));
        assert_eq!(zigzag::u64_to_i64(wire.into()), i64::from(signed));
        let bytes = encode_all([u128::from(wire)]);
        both_ways(signed, &bytes);
        both_ways(Sint32(signed), &bytes);
        both_ways(Sint64(signed.into()), &bytes);
    }
    both_ways(-500i16, &[0xe7, 0x07]);
}

/// DWARF, section 7.6 "Variable Length Data": the tables of unsigned and of signed
/// examples, in its notation (57+0x80, 100).
#[test]
fn the_dwarf_standards_examples_are_encoded_and_decoded() {
    both_ways(2u8, &[2]);
    both_ways(127u8, &[127]);
    both_ways(128u8, &[0x80, 1]);
    both_ways(129u16, &[1 + 0x80, 1]);
    both_ways(130u8, &[2 + 0x80, 1]); // in DWARF 4's table
    both_ways(12857u16, &[57 + 0x80, 100]);
    both_ways(12857u128, &[57 + 0x80, 100]);
    let signed: [(i16, &[u8]); 8] = [
        (2, &[2]),
        (-2, &[0x7e]),
        (127, &[127 + 0x80, 0]),
        (-127, &[1 + 0x80, 0x7f]),
        (128, &[0x80, 1]),
        (-128, &[0x80, 0x7f]),
        (129, &[1 + 0x80, 1]),
        (-129, &[0x7f + 0x80, 0x7e]),
    ];
    for (value, bytes) in signed {
        both_ways(Signed(value), bytes);
        both_ways(Signed(i64::from(value)), bytes);
        both_ways(Signed(i128::from(value)), bytes);
    }
}

/// The usual LEB128 example, 624485, and WebAssembly Core, section 5.2.2 "Integers": `83 00` is a
/// valid encoding of 3, while `83 10` is malformed as a u8.
#[test]
fn the_webassembly_specifications_examples_are_encoded_and_decoded() {
    both_ways(624_485u32, &[0xe5, 0x8e, 0x26]);
    both_ways(624_485usize, &[0xe5, 0x8e, 0x26]);
    both_ways(3u8, &[0x03]);
    row::<u8>(&[0x83, 0x00], Ok((3, 2)), Err(at(NonCanonical, 1)));
    row::<u8>(&[0x83, 0x10], Err(at(Overflow, 1)), Err(at(Overflow, 1)));
    // The encodings of -2 as an s16, and bytes that are malformed as an s8.
    both_ways(Signed(-2i16), &[0x7e]);
    row::<Signed<i16>>(&[0xfe, 0x7f], Ok((-2, 2)), Err(at(NonCanonical, 1)));
    row::<Signed<i16>>(&[0xfe, 0xff, 0x7f], Ok((-2, 3)), Err(at(NonCanonical, 2)));
    row::<Signed<i8>>(&[0x83, 0x3e], Err(at(Overflow, 1)), Err(at(Overflow, 1)));
    row::<Signed<i8>>(&[0xff, 0x7b], Err(at(Overflow, 1)), Err(at(Overflow, 1)));
}

#[test]
fn max_len_is_one_byte_for_every_seven_bits() {
    assert_eq!([u8::MAX_LEN, u16::MAX_LEN, u32::MAX_LEN, u64::MAX_LEN, u128::MAX_LEN], [2, 3, 5, 10, 19]);
    assert_eq!([i8::MAX_LEN, i16::MAX_LEN, i32::MAX_LEN, i64::MAX_LEN, i128::MAX_LEN], [2, 3, 5, 10, 19]);
    assert_eq!([usize::MAX_LEN, isize::MAX_LEN], [usize::BITS.div_ceil(7) as usize; 2]);
}

const fn at(kind: zigzag_varint::ErrorKind, offset: usize) -> ErrorAt {
    ErrorAt { kind, offset }
}

fn run<const N: usize>(byte: u8, end: &[u8]) -> Vec<u8> {
    [&[byte; N], end].concat()
}

/// WebAssembly's test suite, core/binary-leb128.wast: valid, too long and too large constants.
#[test]
fn the_webassembly_test_suites_constants_are_decoded_or_refused() {
    for (value, fill, last) in [(0, 0x80, 0x00), (-1, 0xff, 0x7f)] {
        for form in [vec![fill, last], run::<4>(fill, &[last])] {
            row::<Signed<i32>>(&form, Ok((value, form.len())), Err(at(NonCanonical, form.len() - 1)));
        }
        for form in [vec![fill, last], run::<9>(fill, &[last])] {
            row::<Signed<i64>>(&form, Ok((value.into(), form.len())), Err(at(NonCanonical, form.len() - 1)));
        }
        row::<Signed<i32>>(&run::<5>(fill, &[last]), Err(at(TooLong, 4)), Err(at(TooLong, 4)));
        row::<Signed<i64>>(&run::<10>(fill, &[last]), Err(at(TooLong, 9)), Err(at(TooLong, 9)));
    }
    for (fill, last) in [(0x80, 0x70), (0xff, 0x0f), (0x80, 0x1f), (0xff, 0x4f)] {
        row::<Signed<i32>>(&run::<4>(fill, &[last]), Err(at(Overflow, 4)), Err(at(Overflow, 4)));
    }
    for (fill, last) in [(0x80, 0x7e), (0xff, 0x01), (0x80, 0x02), (0xff, 0x41)] {
        row::<Signed<i64>>(&run::<9>(fill, &[last]), Err(at(Overflow, 9)), Err(at(Overflow, 9)));
    }
}

/// WebAssembly Core, section 5.3: block types and heap types.
#[test]
fn types_of_the_webassembly_specification_are_decoded() {
    let s33 = |value| S33::new(value).expect("33 bits");
    both_ways(s33(-64), &[0x40]); // the empty block type
    both_ways(s33(-1), &[0x7f]); // i32
    both_ways(s33(-4), &[0x7c]); // f64
    both_ways(s33(-16), &[0x70]); // funcref
    both_ways(s33(0), &[0x00]); // the first type index
    both_ways(s33(64), &[0xc0, 0x00]);
    both_ways(s33(S33::MAX), &[0xff, 0xff, 0xff, 0xff, 0x0f]);
    both_ways(s33(S33::MIN), &[0x80, 0x80, 0x80, 0x80, 0x70]);
    // One more than 33 bits have, and one less.
    for value in [S33::MAX + 1, S33::MIN - 1] {
        row::<S33>(&Signed::encode(value), Err(at(Overflow, 4)), Err(at(Overflow, 4)));
        assert_eq!(S33::new(value), None);
    }
}

/// The same rows for the types of any width.
#[test]
fn the_documented_table_of_outcomes_is_correct_for_every_integer() {
    for rows in INTEGERS {
        let rule = rows[0].rule();
        let (last, greatest) = (rule.bits.div_ceil(7) as usize - 1, u128::MAX >> (128 - rule.bits));
        let ended = |byte: u8, end: u8| [&vec![byte; last], &[end][..]].concat();
        let most = (greatest >> (7 * last)) as u8;
        let expect = |bytes: &[u8], outcomes: [Outcome<u128>; 2]| {
            rows.iter().zip(outcomes).for_each(|(row, outcome)| row.expect_first(bytes, outcome));
        };
        let ok = |number, len| Ok((rule.value(number), len));

        (0..=last).for_each(|len| expect(&vec![0x80; len], [Err(at(Truncated, len)); 2]));
        expect(&vec![0x80; last + 1], [Err(at(TooLong, last)); 2]);
        expect(&vec![0x80; last + 2], [Err(at(TooLong, last)); 2]);
        expect(&ended(0xff, most), [ok(greatest, last + 1); 2]);
        expect(&ended(0xff, most + 1), [Err(at(Overflow, last)); 2]);
        expect(&ended(0xff, 0x7f), [Err(at(Overflow, last)); 2]);
        expect(&[0x80, 0x00], [ok(0, 2), Err(at(NonCanonical, 1))]);
        expect(&ended(0x80, 0x00), [ok(0, last + 1), Err(at(NonCanonical, last))]);
    }
}

macro_rules! zigzags {
    ($($signed:ident $unsigned:ident $encode:ident $decode:ident)*) => {$(
        #[test]
        fn $encode() {
            let rule = Rule::new(Format::Zigzag, $signed::BITS);
            for wire in backgrounds($signed::BITS, 1000).concat().into_iter().chain(breakpoints($signed::BITS)) {
                let value = rule.value(wire) as $signed;
                assert_eq!(u128::from(zigzag::$encode(value)), wire);
                assert_eq!(zigzag::$decode(wire as $unsigned), value);
            }
        }
    )*};
}

mod zigzag_matches_the_oracle {
    use super::*;

    zigzags! {
        i64 u64 i64_to_u64 u64_to_i64
        i128 u128 i128_to_u128 u128_to_i128
    }
}
