//! The `Reader`: all calls in any order, for all wire types, next to guard pages.

use std::iter::from_fn;

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::strategies::{Sample, check_random, samples};
use crate::support::wire_types::check_bytes::gather;
use crate::support::wire_types::{AnyWireType, chosen, wire_types};
use crate::support::wires::{backgrounds, edge_cases, positions};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::Reader;
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt};

/// Makes a call for each pair of bytes, so that each starts where another one ended, with the
/// look-ahead that the other one left.
fn check_calls(src: &[u8], choices: &[u8]) {
    let mut reader = Reader::new(src);
    for pair in choices.chunks_exact(2) {
        let (wire_type, n) = (chosen(pair[1]), usize::from(pair[0] / 7 % 8));
        let (name, at) = (wire_type.name(), reader.position());
        let rest = &src[at..];
        assert_eq!((reader.remaining(), reader.is_empty()), (rest, rest.is_empty()));
        let first = wire_type.rule().decode(rest).map_err(|error| error.shifted(at));
        let several = wire_type.rule().decode_all(rest, n);
        let error = several.error.map(|error| error.shifted(at));
        let consumed = match pair[0] % 7 {
            0 => {
                let skipped = reader.skip_values(n).map_err(ErrorAt::from);
                assert_eq!(skipped, oracle::skip(rest, n).map_err(|error| error.shifted(at)));
                skipped.unwrap_or(0)
            }
            1 => {
                let raw = reader.read_bytes(n);
                assert_eq!(raw.ok(), rest.get(..n));
                raw.map_or(0, <[u8]>::len)
            }
            2 => {
                let mut values = Vec::new();
                let read = wire_type.read_slice(&mut reader, n, &mut values);
                assert_eq!(
                    (values, read.err().map(|failed| failed.error)),
                    (several.values, error),
                    "{name}"
                );
                several.bytes
            }
            3 => {
                let read = gather(from_fn(wire_type.values(&mut reader)).take(n));
                assert_eq!(read, (several.values, error), "{name} {rest:02x?}");
                several.bytes
            }
            4 => {
                check_into_values(wire_type, &reader, n);
                0
            }
            5 => {
                let missing = ErrorAt { kind: Truncated, offset: at };
                let byte = reader.read_byte().map_err(ErrorAt::from);
                assert_eq!(byte, rest.first().copied().ok_or(missing));
                rest.len().min(1)
            }
            _ => {
                let read = wire_type.read(&mut reader).map_err(ErrorAt::from);
                assert_eq!(read, first.map(|(value, _)| value), "{name} {rest:02x?}");
                first.map_or(0, |(_, len)| len)
            }
        };
        assert_eq!(reader.position(), at + consumed, "{name} {rest:02x?}");
    }
}

/// An owning iterator, and a clone of it after `n` items, have the items left. There is nothing after
/// the end or the first error.
fn check_into_values(wire_type: AnyWireType, reader: &Reader, n: usize) {
    let all = wire_type.rule().decode_all(reader.remaining(), usize::MAX);
    let error = all.error.map(|error| error.shifted(reader.position()));
    for mut next in wire_type.owned_values(reader.clone(), n) {
        let left = all.values.get(n..).unwrap_or_default().to_vec();
        let error = error.filter(|_| n <= all.values.len());
        assert_eq!(gather(from_fn(&mut next)), (left, error), "{}", wire_type.name());
        assert!((0..3).all(|_| next().is_none()), "the iterator is fused");
    }
    let mut reader = reader.clone();
    let mut next = wire_type.values(&mut reader);
    while let Some(Ok(_)) = next() {}
    assert!((0..3).all(|_| next().is_none()), "the iterator is fused");
}

#[test]
fn calls_continue_from_the_current_position() {
    for bits in [8, 16, 32, 64, 128] {
        check_random(samples(bits), &|Sample { bytes, more, n, .. }| {
            let mut pages = Guarded::new(bytes.len() + 1);
            let src = pages.copy(Edge::Back, &bytes);
            let defaults = (0..20).map(|turn| (n * 7 + turn * 11) as u8);
            check_calls(src, &more.into_iter().chain(defaults).collect::<Vec<_>>());
        });
    }
}

/// More than three of the reader's widest windows.
const LENGTHS: usize = 3 * 64 + 20;

/// More than two of them. Tests that try every position take time proportional to its square.
const SPAN: usize = 150;

/// Reads all of `src` next to either guard page.
fn read_all(wire_type: AnyWireType, pages: &mut Guarded, src: &[u8]) {
    let expected = wire_type.rule().decode_all(src, usize::MAX);
    for edge in Edge::BOTH {
        let mut reader = Reader::new(pages.copy(edge, src));
        let (values, error) = gather(from_fn(wire_type.values(&mut reader)));
        let read = BulkOutcome { values, bytes: reader.position(), error };
        assert_eq!(read, expected, "{} ({edge:?}) from {src:02x?}", wire_type.name());
    }
}

#[test]
fn inputs_of_every_length_match_the_oracle() {
    let mut pages = Guarded::new(LENGTHS);
    for wire_type in wire_types() {
        for numbers in backgrounds(wire_type.rule().wire_bits(), LENGTHS) {
            let bytes = oracle::encode_all(&numbers);
            for len in 0..=LENGTHS {
                read_all(*wire_type, &mut pages, &bytes[..len]);
            }
        }
    }
}

#[test]
fn invalid_bytes_at_every_position_match_the_oracle() {
    let mut pages = Guarded::new(SPAN);
    for wire_type in wire_types().iter().step_by(5) {
        let bits = wire_type.rule().wire_bits();
        for numbers in backgrounds(bits, SPAN) {
            let valid = oracle::encode_all(&numbers);
            for (turn, edge_case) in edge_cases(bits).into_iter().enumerate() {
                for at in positions(SPAN, turn) {
                    let bytes = [&valid[..at], &edge_case, &valid].concat();
                    read_all(*wire_type, &mut pages, &bytes[..SPAN]);
                }
            }
        }
    }
}
