//! The wire types other than the integers: every API agrees with the oracle about values, errors
//! and offsets.

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt};

use crate::support::pieces::Pieces;
use crate::support::strategies::{Sample, check_random, samples};
use crate::support::streams::{Rng, edge_cases};
use crate::support::wire_types::{WireType, wire_types};

impl WireType {
    /// Compares every API that decodes with the oracle.
    fn check_bytes(&self, src: &[u8], capacity: usize) {
        let &Self { name, rule, ref decoders, .. } = self;
        let first = rule.decode(src);
        for (api, decode) in &decoders.first {
            assert_eq!(decode(src), first, "{api}, {name}, {src:02x?}");
        }

        let some = rule.decode_all(src, capacity);
        for (api, decode) in &decoders.slice {
            assert_eq!(decode(src, capacity), some, "{api}, {name}, {capacity} of {src:02x?}");
        }
        for kernel in Kernel::available() {
            let decoded = (decoders.slice_by)(kernel, src, capacity);
            assert_eq!(decoded, some, "{kernel}, {name}, {capacity} of {src:02x?}");
        }

        let all = rule.decode_all(src, usize::MAX);
        let mut appended = Vec::new();
        let count = at((decoders.append)(src, &mut appended));
        assert_eq!((&appended, count), (&all.values, counted(&all)), "decode_append, {name}, {src:02x?}");
        let vec = at((decoders.decode_to_vec)(src).map(|values| values.len()));
        assert_eq!(vec, counted(&all), "decode_to_vec, {name}, {src:02x?}");
        assert_eq!(at((decoders.validate)(src)), counted(&all), "validate, {name}, {src:02x?}");

        for len in [1, 3, src.len().div_ceil(2).max(1), usize::MAX] {
            let pieces = Pieces::new(src, || len);
            for (api, decode) in &decoders.stream {
                assert_eq!(decode(&pieces, capacity.max(1)), all, "{api}, {name}, {len} of {src:02x?}");
            }
        }
    }

    /// Compares every API that encodes with the oracle.
    fn check_values(&self, values: &[u128]) {
        let &Self { name, rule, ref encoders, .. } = self;
        let encoded: Vec<_> = values.iter().map(|&value| rule.encode(value)).collect();
        let bytes = encoded.concat();
        for (api, append) in &encoders.append {
            let mut dst = vec![0xaa];
            assert_eq!(append(values, &mut dst), bytes.len(), "{api}, {name}, {values:?}");
            assert_eq!((dst[0], &dst[1..]), (0xaa, &bytes[..]), "{api}, {name}, {values:?}");
        }
        let exact = |encode: &dyn Fn(&mut [u8]) -> Result<usize, BufferTooSmall>| {
            let mut dst = vec![0xaa; bytes.len()];
            assert_eq!((encode(&mut dst), &dst), (Ok(bytes.len()), &bytes), "{name}, {values:?}");
            if let Some(available) = bytes.len().checked_sub(1) {
                let error = BufferTooSmall { needed: bytes.len(), available };
                assert_eq!(encode(&mut dst[1..]), Err(error), "{name}, {values:?}");
            }
        };
        exact(&|dst| (encoders.encode_slice)(values, dst));
        assert_eq!((encoders.encoded_len_slice)(values), bytes.len(), "{name}, {values:?}");
        for kernel in Kernel::available() {
            exact(&|dst| (encoders.encode_slice_by)(kernel, values, dst));
            assert_eq!((encoders.encoded_len_slice_by)(kernel, values), bytes.len(), "{name}, {kernel}");
        }
        for (&value, bytes) in values.iter().zip(&encoded) {
            assert_eq!((encoders.encoded_len)(value), bytes.len(), "{name}, {value}");
            let mut dst = [0xaa; 20];
            assert_eq!((encoders.encode_to_slice)(value, &mut dst), Ok(bytes.len()), "{name}, {value}");
            assert!(dst.starts_with(bytes) && dst[bytes.len()..].iter().all(|&byte| byte == 0xaa), "{name}");
            let short = (encoders.encode_to_slice)(value, &mut dst[..bytes.len() - 1]);
            assert_eq!(short.map_err(|error| error.needed), Err(bytes.len()), "{name}, {value}");
        }
    }

    /// Checks that a value of any width is decoded by the wire type without the canonical rule, and
    /// that other widths are errors.
    fn check_padding(&self, value: u128) {
        let &Self { name, rule, max_len, ref encoders, .. } = self;
        let shortest = rule.encode(value).len();
        for width in 0..=20 {
            let mut dst = vec![0xaa; width];
            let padded = (encoders.encode_padded)(value, &mut dst);
            if (shortest..=max_len).contains(&width) {
                let lenient = zigzag_varint_oracle::Rule { canonical: false, ..rule };
                assert_eq!(
                    (padded, lenient.decode(&dst)),
                    (Ok(()), Ok((value, width))),
                    "{name}, {dst:02x?}"
                );
            } else {
                assert!(padded.is_err(), "{name}, {value}: {width}");
                assert!(dst.iter().all(|&byte| byte == 0xaa), "{name}, {value}: nothing is written");
            }
        }
    }
}

fn at(result: Result<usize, BulkError>) -> Result<usize, BulkError<ErrorAt>> {
    result.map_err(|BulkError { progress, error }| BulkError { progress, error: error.into() })
}

fn counted(outcome: &BulkOutcome<u128>) -> Result<usize, BulkError<ErrorAt>> {
    let progress = Progress { values: outcome.values.len(), bytes: outcome.bytes };
    outcome.error.map_or(Ok(progress.values), |error| Err(BulkError { progress, error }))
}

/// Up to eleven bytes for the first value: runs of one byte, with one byte changed and another last
/// byte.
#[test]
fn hostile_bytes_match_the_oracle() {
    const LAST: [u8; 14] = [0, 1, 2, 3, 7, 8, 0x0f, 0x10, 0x3f, 0x40, 0x70, 0x78, 0x7e, 0x7f];
    let mut inputs = vec![vec![]];
    for len in 1..=11 {
        for fill in [0x80, 0xff] {
            for (odd, other) in
                [(0, fill), (0, 0x81), (len / 2, 0x87), (3, 0x88), (4, 0x8f), (4, 0x90), (4, 0xf7)]
            {
                for last in LAST.into_iter().chain([0x80, 0xff]) {
                    let mut src = vec![fill; len];
                    src[odd.min(len - 1)] = other;
                    src[len - 1] = last;
                    inputs.push(src);
                }
            }
        }
    }
    inputs.extend(
        [17, 18, 19, 20]
            .into_iter()
            .flat_map(|len| LAST.map(|last| [&vec![0x80; len - 1][..], &[last]].concat())),
    );
    inputs.sort();
    inputs.dedup();
    for wire_type in wire_types() {
        for src in &inputs {
            wire_type.check_bytes(src, 2);
        }
    }
}

/// An edge case after values, before values, and at the end, around the lengths of blocks.
#[test]
fn errors_have_the_same_place_in_every_stream() {
    let cases: Vec<_> =
        [edge_cases::<u8>(), edge_cases::<u32>(), edge_cases::<u64>(), edge_cases::<u128>()].concat();
    for wire_type in wire_types() {
        let mut rng = Rng(46);
        for case in &cases {
            let before = rng.below(70);
            let start: Vec<u8> = (0..before).map(|_| rng.below(64) as u8).collect();
            wire_type.check_bytes(&[&start[..], case].concat(), before + 3);
            wire_type.check_bytes(&[&start[..], case, &[0x05; 9]].concat(), before);
        }
        for before in [255, 256, 257, 600] {
            wire_type.check_bytes(
                &[&vec![0x01; before][..], &[0xff; 21], &[0x01]].concat(),
                usize::from(u16::MAX),
            );
        }
    }
}

#[test]
fn random_bytes_match_the_oracle() {
    let wire_types = wire_types();
    let check = |Sample { bytes, n, .. }: Sample| {
        wire_types.iter().for_each(|wire_type| wire_type.check_bytes(&bytes, n));
    };
    check_random(samples::<u64>(), &check);
    check_random(samples::<u32>(), &check);
}

#[test]
fn values_are_written_as_the_format_says() {
    for wire_type in wire_types() {
        let edges = wire_type.rule.edge_values();
        edges.iter().for_each(|&value| wire_type.check_values(&[value]));
        edges.iter().for_each(|&value| wire_type.check_padding(value));
        let mut rng = Rng(46);
        for len in [0, 2, 9, 31, 32, 33, 100, 255, 256, 257, 600, 5000] {
            let few: Vec<_> = (0..len).map(|_| edges[rng.below(edges.len().min(12))]).collect();
            let any: Vec<_> = (0..len).map(|_| edges[rng.below(edges.len())]).collect();
            wire_type.check_values(&few);
            wire_type.check_values(&any);
        }
        for len in [3, 33, 257] {
            let values = (0..len).map(|_| edges[rng.below(edges.len())]);
            let bytes: Vec<u8> = values.flat_map(|value| wire_type.rule.encode(value)).collect();
            wire_type.check_bytes(&bytes, len);
        }
    }
}
