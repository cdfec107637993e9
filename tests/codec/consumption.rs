//! What a call consumes, whatever the chunks of its input: the rule in the documentation of the crate,
//! section "After an error".

use zigzag_varint::BulkError;
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint_oracle::ErrorAt;

use crate::support::pieces::Pieces;
use crate::support::wire_types::{AnyWireType, Source, wire_types};
use crate::support::wires::{Rng, edge_cases, longest};

/// Bytes that are often continuation bytes, so that most values are long and many are invalid.
fn random_bytes(rng: &mut Rng, len: usize) -> Vec<u8> {
    let byte = |choice: u64| match (choice % 16, (choice >> 8) as u8) {
        (0..6, any) => any | 0x80,
        (6..9, _) => 0x80,
        (9..12, _) => 0xff,
        (12, _) => 0,
        (13, any) => any & 0x7f,
        (14, any) => any & 0x03,
        (_, any) => any,
    };
    (0..len).map(|_| byte(rng.next())).collect()
}

/// Returns the input of each type as random bytes, edge cases, and both after valid values.
fn inputs(wire_type: AnyWireType, rng: &mut Rng) -> Vec<Vec<u8>> {
    let bits = wire_type.rule().wire_bits();
    let mut inputs: Vec<_> = (0..20)
        .map(|_| {
            let len = 1 + rng.below(longest(bits) + 2);
            random_bytes(rng, len)
        })
        .collect();
    inputs.extend((0..3).map(|_| edge_cases(bits).swap_remove(rng.below(20))));
    inputs.iter().flat_map(|src| [src.clone(), [&[0x01, 0x00], &src[..]].concat()]).collect()
}

/// Returns `src` in every division into at most four chunks.
fn chunkings(src: &[u8]) -> Vec<Pieces<'_>> {
    let mut chunkings = Vec::new();
    for first in 1..=src.len() {
        for second in first..=src.len() {
            for third in second..=src.len() {
                let mut lens = [first, second - first, third - second].into_iter().filter(|&len| len > 0);
                chunkings.push(Pieces::new(src, || lens.next().unwrap_or(usize::MAX)));
            }
        }
    }
    chunkings
}

/// Returns the number of bytes that are consumed after an error of the varint at `begin`: those up to the
/// one at the offset, or all if the varint is truncated. In the last chunk of a `Buf`, it stays.
fn consumed(source: Source, input: &Pieces, begin: usize, error: ErrorAt) -> usize {
    let before_last = input.len() - input.0.back().map_or(0, |last| last.map_or(0, <[u8]>::len));
    match source {
        Source::Buf if begin >= before_last => begin,
        _ => error.offset + usize::from(error.kind != Truncated),
    }
}

#[test]
fn a_failed_call_consumes_the_bytes_up_to_the_one_at_the_offset() {
    let mut rng = Rng(72);
    for &wire_type in wire_types() {
        for src in inputs(wire_type, &mut rng) {
            let first = wire_type.rule().decode(&src);
            let all = wire_type.rule().decode_all(&src, usize::MAX);
            for pieces in chunkings(&src) {
                for source in Source::ALL {
                    let mut input = pieces.clone();
                    let read = wire_type.read_from(source, &mut input);
                    let context = || format!("{source:?}, {}, {:02x?}", wire_type.name(), pieces.0);
                    assert_eq!(read, first.map(|(value, _)| value), "{}", context());
                    let expected =
                        first.map_or_else(|error| consumed(source, &pieces, 0, error), |(_, len)| len);
                    assert_eq!(src.len() - input.len(), expected, "a value: {}", context());

                    let mut input = pieces.clone();
                    let read = wire_type.values_from(source, &mut input, src.len() + 1, &mut Vec::new());
                    let error = read.err().map(|BulkError { error, .. }| error);
                    assert_eq!(error, all.error, "{}", context());
                    let expected =
                        error.map_or(all.bytes, |error| consumed(source, &pieces, all.bytes, error));
                    assert_eq!(src.len() - input.len(), expected, "values: {}", context());
                }
            }
        }
    }
}

/// So the bytes before the offset are not enough to know the error, and the byte at the offset is.
#[test]
fn the_byte_at_the_offset_decides() {
    let mut rng = Rng(73);
    for &wire_type in wire_types() {
        for src in (0..30).flat_map(|_| inputs(wire_type, &mut rng)) {
            let Err(error) = wire_type.decode(&src) else { continue };
            let context = || format!("{}, {src:02x?}", wire_type.name());
            let truncated = ErrorAt { kind: Truncated, offset: error.offset };
            assert_eq!(wire_type.decode(&src[..error.offset]), Err(truncated), "{}", context());
            let known = src.len().min(error.offset + 1);
            assert_eq!(wire_type.decode(&src[..known]), Err(error), "{}", context());
            let (pulled, taken) = wire_type.decode_from(&src);
            assert_eq!(taken, known, "{}", context());
            assert_eq!(
                pulled.map(|value| value.map_err(ErrorAt::from)),
                (error.kind != Truncated).then_some(Err(error))
            );
        }
    }
}
