//! The other wire formats, compared with their oracles: signed LEB128, padded encodings, the table of
//! wire types, and length-prefixed payloads.

use zigzag_varint::LengthPrefix;

use crate::property::input::Input;
use crate::support::frames::{self, Rules};
use crate::support::oracle::{self, Int};
use crate::support::padded_encodings;
use crate::support::sleb128_grammar::{self, Sleb};
use crate::support::wire_types::wire_types;

/// The first byte chooses the type and the strictness or the wire type, the second the format. For payloads, a third
/// byte chooses the limit.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, format) = (input.byte(), input.byte());
    let canonical = choice & 0x80 != 0;
    match format % 8 {
        0..=2 => by_signed_type!(choice, signed(input.rest(), canonical)),
        3 => by_type!(choice, padded(input.rest())),
        4 | 5 => {
            let wire_types = wire_types();
            wire_types[usize::from(choice) % wire_types.len()].check_bytes(input.rest(), 3);
        }
        6 => {
            let limit = input.byte();
            payload(input.rest(), limit, choice & 0x40 != 0, canonical);
        }
        _ => write_payload(input.byte().into(), input.rest()),
    }
}

/// Compares the decoder with the grammar, and checks the encoders with the value.
fn signed<T: Sleb>(src: &[u8], canonical: bool) {
    let expected = sleb128_grammar::decode::<T>(src, canonical);
    sleb128_grammar::check_apis(src, canonical, expected);
    sleb128_grammar::check_s33(src, canonical);
    if let Ok((value, _)) = expected {
        sleb128_grammar::check_value(value);
    }
}

fn padded<T: Int>(src: &[u8]) {
    if let Ok((value, _)) = oracle::decode::<T>(src, false) {
        padded_encodings::check(value);
    }
}

/// Reads a payload with a limit at or next to the length in the prefix, or any other limit.
fn payload(src: &[u8], limit: u8, u32_prefix: bool, canonical: bool) {
    let len =
        oracle::decode::<u64>(src, false).map_or(0, |(len, _)| usize::try_from(len).unwrap_or(usize::MAX));
    let max_len = match limit % 8 {
        0 => usize::MAX,
        1 => len,
        2 => len.saturating_sub(1),
        3 => len.saturating_add(1),
        _ => limit.into(),
    };
    let rules = Rules { max_len, u32_prefix, canonical };
    let expected = frames::read(src, rules);
    assert_eq!(frames::by_slice(src, rules), expected, "slice {src:02x?} with {rules:?}");
    assert_eq!(frames::by_prefix(src, rules), expected, "prefix {src:02x?} with {rules:?}");
    assert_eq!(frames::by_reader(src, rules), expected, "Reader {src:02x?} with {rules:?}");
}

/// Writes a payload and reads it back, unless it does not fit.
fn write_payload(capacity: usize, payload: &[u8]) {
    let prefix = LengthPrefix::new(payload.len());
    let expected = frames::frame(payload);
    let mut dst = [0xaa; 256 + 8];
    match prefix.encode_to_slice(payload, &mut dst[..capacity]) {
        Ok(used) => {
            assert_eq!((&dst[..used], used), (&expected[..], expected.len()));
            assert!(dst[used..].iter().all(|&byte| byte == 0xaa), "nothing is written past the end");
            assert_eq!(prefix.canonical().decode(&dst[..used]), Ok((payload, used)));
        }
        Err(error) => {
            assert!(
                capacity < expected.len() && dst == [0xaa; 256 + 8],
                "{error}, capacity {capacity}, frame {expected:02x?}"
            );
        }
    }
    if let Some(max_len) = payload.len().checked_sub(1) {
        assert!(LengthPrefix::new(max_len).encode_to_slice(payload, &mut dst).is_err());
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    let headers: [&[u8]; 16] = [
        &[0x06, 0],
        &[0x84, 0],
        &[0x00, 1],
        &[0x81, 1],
        &[0x02, 2],
        &[0x0c, 3],
        &[0x08, 3],
        &[0x80, 4],
        &[0x02, 5],
        &[0x04, 4],
        &[0x06, 5],
        &[0x00, 6, 0],
        &[0x40, 6, 1],
        &[0x80, 6, 2],
        &[0xc0, 6, 3],
        &[0x00, 7, 14],
    ];
    let mut examples = super::examples::after(&headers);
    // Without valid values before them, so that the edge case is the first value.
    let edge_cases = crate::support::streams::edge_cases::<u64>()
        .into_iter()
        .chain(crate::support::streams::edge_cases::<u32>());
    examples.extend(edge_cases.enumerate().map(|(n, edge_case)| [headers[n % 15], &edge_case].concat()));
    examples
}
