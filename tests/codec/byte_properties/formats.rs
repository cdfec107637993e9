//! Length-prefixed payloads in slices.

use crate::property::input::Input;
use crate::support::frames::{self, Rules};
use crate::support::wires::edge_cases;
use zigzag_varint_oracle as oracle;

/// The first byte chooses the rules, and the second the limit: at or next to the length in the prefix, or
/// any other. The rest is read.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, limit) = (input.byte(), input.byte());
    let src = input.rest();
    let len = oracle::decode(src, 64, false).map_or(0, |(len, _)| usize::try_from(len).unwrap_or(usize::MAX));
    let max_len = match limit % 8 {
        0 => usize::MAX,
        1 => len,
        2 => len.saturating_sub(1),
        3 => len.saturating_add(1),
        _ => limit.into(),
    };
    let rules = Rules { max_len, u32_prefix: choice & 0x40 != 0, canonical: choice & 0x80 != 0 };
    let expected = frames::read(src, rules);
    assert_eq!(frames::by_slice(src, rules), expected, "slice {src:02x?} with {rules:?}");
    assert_eq!(frames::by_prefix(src, rules), expected, "prefix {src:02x?} with {rules:?}");
    assert_eq!(frames::by_reader(src, rules), expected, "Reader {src:02x?} with {rules:?}");
}

pub fn examples() -> Vec<Vec<u8>> {
    let headers = [[0x00, 0], [0x40, 1], [0x80, 2], [0xc0, 3], [0x00, 9]];
    let mut examples = super::after(headers);
    // Without valid values before them, so that the edge case is the first value.
    let edge_cases = [64, 32].map(edge_cases).concat().into_iter().enumerate();
    examples.extend(edge_cases.map(|(n, edge_case)| [&headers[n % 4], &edge_case[..]].concat()));
    examples
}
