//! Length-prefixed payloads in slices.

use zigzag_varint::{BufferTooSmall, FrameError, LengthPrefix};

use crate::property::input::Input;
use crate::support::frames::{self, Rules};
use crate::support::wires::edge_cases;
use zigzag_varint_oracle as oracle;

/// The first byte chooses between reading and writing, and the rules; the second the limit.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, limit) = (input.byte(), input.byte());
    if choice % 8 < 6 {
        payload(input.rest(), limit, choice & 0x40 != 0, choice & 0x80 != 0);
    } else {
        write_payload(limit.into(), input.rest());
    }
}

/// Reads a payload with a limit at or next to the length in the prefix, or any other limit.
fn payload(src: &[u8], limit: u8, u32_prefix: bool, canonical: bool) {
    let len = oracle::decode(src, 64, false).map_or(0, |(len, _)| usize::try_from(len).unwrap_or(usize::MAX));
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
            let too_small = BufferTooSmall { needed: expected.len(), available: capacity };
            assert!(capacity < expected.len(), "{expected:02x?} fits");
            assert_eq!((error, dst), (FrameError::BufferTooSmall(too_small), [0xaa; 256 + 8]));
        }
    }
    if let Some(max_len) = payload.len().checked_sub(1) {
        assert!(LengthPrefix::new(max_len).encode_to_slice(payload, &mut dst).is_err());
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    let headers = [[0x00, 0], [0x40, 1], [0x80, 2], [0xc0, 3], [0x07, 14], [0x00, 9]];
    let mut examples = super::after(headers);
    // Without valid values before them, so that the edge case is the first value.
    let edge_cases = [64, 32].map(edge_cases).concat().into_iter().enumerate();
    examples.extend(edge_cases.map(|(n, edge_case)| [&headers[n % 4], &edge_case[..]].concat()));
    examples
}
