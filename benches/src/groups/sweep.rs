//! `sweep`: the inner loop of the sweep program over consecutive numbers. For each block it makes
//! the numbers, encodes them, compares the bytes with the oracle, decodes them and compares the
//! numbers.
//!
//! The peers take blocks too. Value by value they were never faster, and up to 1.6 times slower.

use std::hint::black_box;

use criterion::Criterion;
use varint_sweep::oracle::ConsecutiveOracle;

use crate::contender::{Contender, Operation};
use crate::corpus::{SHORT, Stream};
use crate::measure::Group;
use crate::ours;
use crate::peers::Peers;

/// Values per operation, in blocks that fit the L1 cache.
const VALUES: usize = 64 * SHORT;

const STARTS: [(&str, i64); 4] =
    [("small", 0), ("1e8", 100_000_000), ("1e12", 1_000_000_000_000), ("MIN", i64::MIN)];

/// The peers that are the fastest at this.
const PEERS: [&str; 3] = ["plain", "integer-encoding", "prost"];

pub(crate) fn run(criterion: &mut Criterion) {
    let mut contenders = ours::slices();
    contenders.extend(i64::peers().into_iter().filter(|peer| PEERS.contains(&&peer.name[..])));
    for (set, start) in STARTS {
        let mut group = Group::new(criterion, &format!("sweep/i64/{set}"), VALUES);
        for Contender { name, encode, decode } in &contenders {
            let (Some(encode), Some(decode)) = (encode, decode) else { continue };
            group.bench(
                name,
                &mut Block::new(),
                |_| (),
                |_| false,
                |block| sweep(&**encode, &**decode, black_box(start), block),
                |_, right| right == VALUES,
            );
        }
    }
}

/// The buffers of one worker.
struct Block {
    values: Vec<i64>,
    bytes: Vec<u8>,
    decoded: Vec<i64>,
}

impl Block {
    fn new() -> Self {
        Self {
            values: vec![0; SHORT],
            bytes: vec![0; Stream::<i64>::max_len(SHORT)],
            decoded: vec![0; SHORT],
        }
    }
}

/// Returns how many of the [`VALUES`] numbers from `start` are in blocks without a failure.
fn sweep(
    encode: &dyn Operation<i64, u8>,
    decode: &dyn Operation<u8, i64>,
    start: i64,
    block: &mut Block,
) -> usize {
    let Block { values, bytes, decoded } = block;
    let mut oracle = ConsecutiveOracle::starting_at(start.into(), true);
    let mut by_length = Default::default();
    let mut right = 0;
    for first in (start..).step_by(SHORT).take(VALUES / SHORT) {
        for (slot, value) in values.iter_mut().zip(first..) {
            *slot = value;
        }
        let encoded = encode.run(values, bytes);
        let got = black_box(&bytes[..encoded]);
        if oracle.check(SHORT, got, &mut by_length)
            && decode.run(got, decoded) == encoded
            && values == decoded
        {
            right += SHORT;
        }
    }
    right
}
