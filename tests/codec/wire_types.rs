//! The wire types other than the integers: every API agrees with the oracle about values, errors
//! and offsets.

use crate::support::strategies::{Sample, check_random, samples};
use crate::support::streams::{Rng, edge_cases};
use crate::support::wire_types::wire_types;

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
