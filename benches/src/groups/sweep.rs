//! `sweep`: the inner loop of the sweep program over consecutive numbers. For each block it makes
//! the numbers, encodes them, compares the bytes with the oracle, decodes them and compares the
//! numbers.
//!
//! The peers take blocks too. Value by value they were never faster, and up to 1.6 times slower.

use std::hint::black_box;

use criterion::Criterion;
use varint_sweep::oracle::ConsecutiveOracle;

use crate::contender::{Decode, Encode};
use crate::corpus::{SHORT, Stream};
use crate::measure::Group;
use crate::ours::kernels;
use crate::peers::{IntegerEncoding, Plain, Prost};

/// Values per operation, in blocks that fit the L1 cache.
const VALUES: usize = 64 * SHORT;

const STARTS: [(&str, i64); 4] =
    [("small", 0), ("1e8", 100_000_000), ("1e12", 1_000_000_000_000), ("MIN", i64::MIN)];

pub(crate) fn run(criterion: &mut Criterion) {
    let mut contenders: Vec<(String, Box<dyn Sweep>)> =
        kernels().map(|(name, kernel)| (name, Box::new(kernel) as _)).collect();
    contenders.push(("plain".into(), Box::new(Plain)));
    contenders.push(("integer-encoding".into(), Box::new(IntegerEncoding)));
    contenders.push(("prost".into(), Box::new(Prost)));

    for (set, start) in STARTS {
        let mut group = Group::new(criterion, format!("sweep/i64/{set}"), VALUES);
        for (name, contender) in &contenders {
            group.bench(
                name,
                &mut Block::new(),
                |_| (),
                |block| contender.sweep(black_box(start), block),
                |_, right| right == VALUES,
            );
        }
        group.finish();
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

trait Sweep {
    /// Returns how many of the [`VALUES`] numbers from `start` are in blocks without a failure.
    fn sweep(&self, start: i64, block: &mut Block) -> usize;
}

impl<C: Encode<i64> + Decode<i64>> Sweep for C {
    fn sweep(&self, start: i64, block: &mut Block) -> usize {
        let Block { values, bytes, decoded } = block;
        let mut oracle = ConsecutiveOracle::starting_at(start.into(), true);
        let mut by_length = Default::default();
        let mut right = 0;
        for first in (start..).step_by(SHORT).take(VALUES / SHORT) {
            for (slot, value) in values.iter_mut().zip(first..) {
                *slot = value;
            }
            let encoded = self.encode(values, bytes);
            let got = black_box(&bytes[..encoded]);
            if oracle.check(SHORT, got, &mut by_length)
                && self.decode(got, decoded) == encoded
                && values == decoded
            {
                right += SHORT;
            }
        }
        right
    }
}
