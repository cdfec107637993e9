//! Every row of `conformance/vectors`, which has the examples of the formats' specifications, by every
//! API and kernel.

use crate::support::wire_types::{AnyWireType, codecs, pair, wire_type};
use crate::support::wires::{backgrounds, breakpoints};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use zigzag_varint::{Canonical, MaxLen, S33, Signed, Varint, zigzag};
use zigzag_varint_conformance::{Vector, WIRE_TYPES, WireType, committed};
use zigzag_varint_oracle::{BulkOutcome, Format, Outcome, Rule};

/// Returns the types of the crate that are the wire type of some vectors, each without and with the
/// canonical rule.
fn types_of(vectors: &WireType) -> Vec<[AnyWireType; 2]> {
    let [unsigned, zigzags, signed] = [pair::<usize>(), pair::<isize>(), pair::<Signed<isize>>()];
    let sized = |of_width: [AnyWireType; 2], sized: [AnyWireType; 2]| {
        if vectors.rule.bits == usize::BITS { vec![of_width, sized] } else { vec![of_width] }
    };
    match vectors.name {
        "unsigned-8" => vec![pair::<u8>()],
        "unsigned-16" => vec![pair::<u16>()],
        "unsigned-32" => sized(pair::<u32>(), unsigned),
        "unsigned-64" => sized(pair::<u64>(), unsigned),
        "unsigned-128" => vec![pair::<u128>()],
        "zigzag-8" => vec![pair::<i8>()],
        "zigzag-16" => vec![pair::<i16>()],
        "zigzag-32" => sized(pair::<i32>(), zigzags),
        "zigzag-64" => sized(pair::<i64>(), zigzags),
        "zigzag-128" => vec![pair::<i128>()],
        "signed-8" => vec![pair::<Signed<i8>>()],
        "signed-16" => vec![pair::<Signed<i16>>()],
        "signed-32" => sized(pair::<Signed<i32>>(), signed),
        "signed-33" => vec![pair::<S33>()],
        "signed-64" => sized(pair::<Signed<i64>>(), signed),
        "signed-128" => vec![pair::<Signed<i128>>()],
        "protobuf-int32" => vec![pair::<Int32>()],
        "protobuf-int64" => vec![pair::<Int64>()],
        "protobuf-uint32" => vec![pair::<Uint32>()],
        "protobuf-uint64" => vec![pair::<Uint64>()],
        "protobuf-sint32" => vec![pair::<Sint32>()],
        "protobuf-sint64" => vec![pair::<Sint64>()],
        "protobuf-bool" => vec![pair::<Bool>()],
        "multiformats" => {
            vec![[wire_type::<MaxLen<Canonical<u64>, 9>>(), wire_type::<Canonical<MaxLen<u64, 9>>>()]]
        }
        "minecraft-varint" => vec![pair::<MaxLen<Uint32, 5>>()],
        "minecraft-varlong" => vec![pair::<Uint64>()],
        other => panic!("no type for the vectors of '{other}'; add it here"),
    }
}

/// Decodes the row's input alone and among other values, and encodes its value.
fn check(row: usize, vector: &Vector) {
    for types in types_of(vector.wire_type) {
        for (wire_type, outcome) in types.into_iter().zip([vector.outcome, vector.canonical]) {
            wire_type.expect_first(&vector.bytes, outcome);
            wire_type.check_bytes(&vector.bytes, 3);
            // Over all rows, the input begins at each place of a window.
            for before in [0, 64 + row % 64] {
                among_values(wire_type, &vector.bytes, outcome, before);
            }
            if vector.is_shortest() {
                let (value, _) = outcome.expect("a value");
                assert_eq!(wire_type.rule().encode(value), vector.bytes, "{}", wire_type.name());
                wire_type.check_values(&[value]);
                wire_type.check_padding(value);
            }
        }
    }
}

/// Decodes the input after `before` zeros and, unless it is truncated, before others, with each kernel.
fn among_values(wire_type: AnyWireType, bytes: &[u8], outcome: Outcome<u128>, before: usize) {
    const AFTER: usize = 150;
    let is_truncated = outcome.is_err_and(|error| error.kind == Truncated);
    let (encoding, after) = match outcome {
        Ok((_, len)) => (&bytes[..len], AFTER),
        Err(_) => (bytes, if is_truncated { 0 } else { AFTER }),
    };
    let src = [&vec![0; before], encoding, &vec![0; after]].concat();
    let mut expected = BulkOutcome { values: vec![0; before], bytes: before, error: None };
    match outcome {
        Ok((value, len)) => {
            expected.values.push(value);
            expected.values.resize(before + 1 + after, 0);
            expected.bytes += len + after;
        }
        Err(_) if src.len() == before => {} // no byte of another value is no error
        Err(error) => expected.error = Some(error.shifted(before)),
    }
    wire_type.check_decoding(&codecs(), &src, src.len(), &expected);
}

#[test]
fn every_vector_is_decoded_and_encoded_by_every_api_and_kernel() {
    let vectors = committed();
    vectors.iter().enumerate().for_each(|(row, vector)| check(row, vector));
    let of_a_specification = vectors.iter().filter(|vector| !vector.sources.is_empty()).count();
    assert!(vectors.len() > 1000 && of_a_specification > 150, "{} {of_a_specification}", vectors.len());
}

/// Returns the words in backticks, without the module of a type.
fn code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(|code| code.replace("protobuf::", "")).collect()
}

/// Returns the name of a type as the documentation writes it.
fn short(name: &str) -> String {
    let parts = name.split_inclusive(['<', ' ']).filter_map(|part| part.rsplit("::").next());
    parts.collect::<String>().replace("Bits<Signed<i64>, 33>", "S33")
}

/// The types of each row of the page, and those of the vectors that it names, are the same.
#[test]
fn every_format_of_the_page_has_vectors_of_its_wire_types() {
    let page = include_str!("../../docs/formats.md");
    let (_, rows) = page.split_once("| source | vectors |\n|---|---|---|---|---|---|\n").expect("the table");
    let mut without = Vec::new();
    for row in rows.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let (format, types, names) = (cells[0], code(cells[1]), code(cells[cells.len() - 1]));
        if cells.len() != 6 || names.is_empty() {
            without.push(format);
        }
        for name in names {
            let known = WIRE_TYPES.iter().find(|wire_type| wire_type.name == name);
            let known = known.unwrap_or_else(|| panic!("{format}: no vectors of the name '{name}'"));
            let of_vectors: Vec<String> =
                types_of(known).as_flattened().iter().map(|row| short(row.name())).collect();
            assert!(
                types.iter().any(|name| of_vectors.contains(name)),
                "{format}: {types:?}, {of_vectors:?}"
            );
        }
    }
    assert_eq!(without, ["| Protocol Buffers: tags, lengths", "| a format of your own"]);
}

#[test]
fn max_len_is_one_byte_for_every_seven_bits() {
    assert_eq!([u8::MAX_LEN, u16::MAX_LEN, u32::MAX_LEN, u64::MAX_LEN, u128::MAX_LEN], [2, 3, 5, 10, 19]);
    assert_eq!([i8::MAX_LEN, i16::MAX_LEN, i32::MAX_LEN, i64::MAX_LEN, i128::MAX_LEN], [2, 3, 5, 10, 19]);
    assert_eq!([usize::MAX_LEN, isize::MAX_LEN], [usize::BITS.div_ceil(7) as usize; 2]);
}

#[test]
fn s33_has_the_values_of_33_bits() {
    for value in [-1 << 32, (1 << 32) - 1] {
        assert_eq!(S33::new(value).map(S33::get), Some(value));
    }
    for value in [(-1 << 32) - 1, 1 << 32] {
        assert_eq!(S33::new(value), None);
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
