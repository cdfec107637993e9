//! Tags of fields: the numbers and types of Protocol Buffers, and the end of every value that is skipped.
//! `prost` and the oracle agree.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use prost::encoding::{DecodeContext, WireType, decode_key, encode_key, skip_field};
use zigzag_varint::protobuf::{FieldError, Tag, TagType};
use zigzag_varint::{ErrorKind, Reader};
use zigzag_varint_oracle as oracle;

use crate::property::random::check_random_cases;
use crate::support::messages::{self, Fault, FaultAt, fault_at};

const TYPES: [(TagType, WireType); 6] = [
    (TagType::Varint, WireType::Varint),
    (TagType::I64, WireType::SixtyFourBit),
    (TagType::Len, WireType::LengthDelimited),
    (TagType::SGroup, WireType::StartGroup),
    (TagType::EGroup, WireType::EndGroup),
    (TagType::I32, WireType::ThirtyTwoBit),
];

/// Field numbers on both sides of every change of length, and the limits.
const NUMBERS: [u32; 11] =
    [1, 2, 15, 16, 2047, 2048, 262_143, 262_144, 33_554_431, 33_554_432, Tag::MAX_NUMBER];

#[test]
fn every_tag_is_the_key_of_prost() {
    for number in NUMBERS {
        for (tag_type, theirs) in TYPES {
            let tag = Tag::new(number, tag_type).expect("a valid number");
            let mut key = vec![];
            encode_key(number, theirs, &mut key);
            assert_eq!(tag.encode(), key);
            assert_eq!(decode_key(&mut &*key).ok(), Some((number, theirs)));
            assert_eq!((tag.number(), tag.tag_type()), (number, tag_type));
            assert_eq!(Tag::from_u32(tag.to_u32()), Some(tag));
            assert_eq!(Tag::decode(&[&key[..], &[0x07]].concat()), Ok((tag, key.len())));
            let mut reader = Reader::new(&key);
            assert_eq!((Tag::read(&mut reader), reader.is_empty()), (Ok(tag), true));
        }
    }
}

#[test]
fn a_tag_with_number_zero_or_an_unknown_type_is_an_error_at_its_last_byte() {
    for number in [0].into_iter().chain(NUMBERS) {
        for of in 0..8 {
            let tag = number << 3 | of;
            if number > 0 && of < 6 {
                continue;
            }
            let encoded = oracle::encode_all([u128::from(tag)]);
            assert_eq!((Tag::from_u32(tag), decode_key(&mut &*encoded).is_err()), (None, true));
            let error = |offset| FieldError::InvalidTag { tag, offset };
            assert_eq!(Tag::decode(&encoded), Err(error(encoded.len() - 1)));
            let src = [&[0x08, 0x07], &encoded[..]].concat();
            let mut reader = Reader::new(&src);
            assert_eq!(Tag::read(&mut reader).and_then(|tag| tag.skip(&mut reader)), Ok(()));
            assert_eq!(Tag::read(&mut reader), Err(error(src.len() - 1)));
            assert_eq!(reader.position(), 2);
        }
    }
    for number in [0, Tag::MAX_NUMBER + 1, u32::MAX] {
        assert_eq!(TYPES.map(|(tag_type, _)| Tag::new(number, tag_type)), [None; 6]);
    }
    let too_long = Tag::decode(&[0x88, 0x80, 0x80, 0x80, 0x80, 0x00]).map_err(fault_at);
    assert_eq!(too_long, Err((Fault::Varint(ErrorKind::TooLong), 4)));
}

/// Skips the first field of `src`, and returns the offset of its end.
fn skip(src: &[u8]) -> Result<usize, FaultAt> {
    let mut reader = Reader::new(src);
    let tag = Tag::read(&mut reader).map_err(fault_at)?;
    let begin = reader.position();
    let skipped = tag.skip(&mut reader).map_err(fault_at);
    assert!(skipped.is_ok() || reader.position() == begin, "a failed call keeps the position");
    let (number, of, _) = messages::tag(src, 0)?;
    let end = messages::value_end(src, begin, number, of, 0);
    assert_eq!(skipped.map(|()| reader.position()), end, "{src:02x?}");
    end
}

/// Returns where `prost` ends the first field of `src`.
fn skip_by_prost(src: &[u8]) -> Option<usize> {
    let mut rest = src;
    let (number, wire_type) = decode_key(&mut rest).ok()?;
    skip_field(wire_type, number, &mut rest, DecodeContext::default()).ok()?;
    Some(src.len() - rest.len())
}

/// Returns the tag of a field.
fn tag(number: u32, tag_type: TagType) -> Vec<u8> {
    oracle::encode_all([u128::from(number) * 8 + tag_type as u128])
}

/// Valid fields of all types, with groups.
fn fields() -> BoxedStrategy<Vec<u8>> {
    let field = |(number, of, value, contents): (u32, usize, u64, Vec<u8>)| {
        let (of, value) = match of {
            0 => (TagType::Varint, oracle::encode_all([u128::from(value)])),
            1 => (TagType::I64, value.to_le_bytes().to_vec()),
            2 => (TagType::Len, [oracle::encode_all([contents.len() as u128]), contents].concat()),
            _ => (TagType::I32, value.to_le_bytes()[..4].to_vec()),
        };
        [tag(number, of), value].concat()
    };
    let simple = (select(&NUMBERS[..]), 0..4usize, any::<u64>(), vec(any::<u8>(), 0..9)).prop_map(field);
    let in_groups = |inner: BoxedStrategy<Vec<u8>>| {
        (select(&NUMBERS[..]), vec(inner, 0..4)).prop_map(|(number, inner)| {
            [tag(number, TagType::SGroup), inner.concat(), tag(number, TagType::EGroup)].concat()
        })
    };
    simple.boxed().prop_recursive(6, 40, 4, in_groups).boxed()
}

#[test]
fn a_skipped_field_ends_at_its_end_and_a_cut_one_where_the_input_ends() {
    check_random_cases(2000, fields(), &|field| {
        let followed = [&field[..], &[0xff; 3]].concat();
        assert_eq!((skip(&field), skip(&followed)), (Ok(field.len()), Ok(field.len())));
        assert_eq!(skip_by_prost(&followed), Some(field.len()));
        for cut in 0..field.len() {
            let (fault, offset) = skip(&field[..cut]).expect_err("a cut field");
            let incomplete = matches!(
                fault,
                Fault::Varint(ErrorKind::Truncated) | Fault::Length(ErrorKind::Truncated) | Fault::Missing(_)
            );
            assert_eq!((incomplete, offset, skip_by_prost(&field[..cut])), (true, cut, None), "{fault:?}");
        }
    });
}

#[test]
fn only_the_innermost_open_group_can_end() {
    assert_eq!(skip(b"\x0b\x13\x14\x0c"), Ok(4));
    assert_eq!(skip(b"\x0b\x13\x0c\x14"), Err((Fault::UnexpectedEnd(1), 2)));
    assert_eq!(skip(b"\x0b\x84\x01\x0c"), Err((Fault::UnexpectedEnd(16), 2)));
    assert_eq!(skip(b"\x0c"), Err((Fault::UnexpectedEnd(1), 0)));
    assert_eq!(skip(b"\x0b\x06"), Err((Fault::InvalidTag(6), 1)));
    for src in [&b"\x0b\x13\x0c\x14"[..], b"\x0c", b"\x0b\x06"] {
        assert_eq!(skip_by_prost(src), None);
    }
}

#[test]
fn a_hundred_groups_can_be_open_and_more_are_an_error_without_recursion() {
    let nested = |depth| [vec![0x0b; depth], vec![0x0c; depth]].concat();
    for depth in [1, 99, 100] {
        assert_eq!((skip(&nested(depth)), skip_by_prost(&nested(depth))), (Ok(2 * depth), Some(2 * depth)));
    }
    for depth in [101, 1_000_000] {
        assert_eq!(skip(&nested(depth)), Err((Fault::TooDeep, 100)));
        assert_eq!(skip_by_prost(&nested(depth)), None);
    }
}

#[test]
fn the_messages_of_errors_name_the_field_and_the_offset() {
    let message = |src: &[u8]| {
        let mut reader = Reader::new(src);
        let skipped = Tag::read(&mut reader).and_then(|tag| tag.skip(&mut reader));
        skipped.unwrap_err().to_string()
    };
    assert_eq!(message(b"\x00"), "invalid tag: field number 0 (at offset 0)");
    assert_eq!(message(b"\x87\x01"), "invalid tag: field 16 has the unknown type 7 (at offset 1)");
    assert_eq!(message(b"\x0b\x14"), "unexpected end of group 2 (at offset 1)");
    assert_eq!(message(&[0x0b; 101]), "nested groups: more than 100 (at offset 100)");
    assert_eq!(message(b"\x08\x80"), "truncated varint: input ends at offset 2");
    assert_eq!(message(b"\x0d\x80"), "truncated payload: input ends at offset 2, 3 of 4 bytes missing");
}
