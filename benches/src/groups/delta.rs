//! `delta-encode` and `delta-decode`: sequences as differences. The contenders are the crate's
//! delta functions, two passes over a `Vec`, and a plain loop. `-x2` and `-x3` are interleaved
//! sequences of two and three components.

use criterion::Criterion;
use zigzag_varint::{Delta, Kernel, Varint, decode_slice, encode_slice};

use crate::compare::{compare_both, streams};
use crate::contender::{Contender, VALID};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::ours::kernels;

pub(crate) fn run(criterion: &mut Criterion) {
    for set in [Set::OneByte, Set::Mix, Set::Tile, Set::Rand] {
        components::<1>(criterion, "u64", set, LONG);
        components::<1>(criterion, "u64-L1", set, SHORT);
        components::<2>(criterion, "u64-x2", set, LONG);
        components::<3>(criterion, "u64-x3", set, LONG);
    }
}

/// Measures sequences of `N` interleaved components.
fn components<const N: usize>(criterion: &mut Criterion, kind: &str, set: Set, count: usize) {
    let fused = |(name, kernel): (String, Kernel)| {
        Contender::new(
            name,
            move |src, dst| Delta::zigzag([0; N]).with_kernel(kernel).encode_slice(src, dst).expect(VALID),
            move |src, dst| {
                Delta::zigzag([0; N]).with_kernel(kernel).decode_slice(src, dst).expect(VALID).bytes
            },
        )
    };
    let mut contenders: Vec<_> = kernels().map(fused).collect();
    contenders.push(Contender::new("two-passes", encode_in_two_passes::<N>, decode_in_two_passes::<N>));
    contenders.push(Contender::new("plain", encode_plain::<N>, decode_plain::<N>));

    let names = ["encode", "decode"].map(|name| format!("delta-{name}/{kind}/{}", set.name()));
    // The set contains the differences, so its bytes are those of the sequence.
    let sequence = |Stream { values, bytes }: Stream<i64>| Stream { values: sums::<N>(&values), bytes };
    let streams = streams(move || Stream::several(set, count).into_iter().map(sequence).collect());
    compare_both(criterion, &names, count, &streams, &contenders);
}

/// Returns the sequence of `N` interleaved components with these differences.
fn sums<const N: usize>(steps: &[i64]) -> Vec<u64> {
    let mut sums = [0u64; N];
    let add = |(index, step): (usize, &i64)| {
        let sum = &mut sums[index % N];
        *sum = sum.wrapping_add_signed(*step);
        *sum
    };
    steps.iter().enumerate().map(add).collect()
}

/// Encodes the differences from a `Vec` with the slice functions of this crate.
fn encode_in_two_passes<const N: usize>(src: &[u64], dst: &mut [u8]) -> usize {
    let before = [0; N].iter().chain(src);
    let deltas: Vec<i64> =
        src.iter().zip(before).map(|(value, before)| value.wrapping_sub(*before) as i64).collect();
    encode_slice(&deltas, dst).expect(VALID)
}

fn decode_in_two_passes<const N: usize>(src: &[u8], dst: &mut [u64]) -> usize {
    let mut deltas = vec![0i64; dst.len()];
    let bytes = decode_slice(src, &mut deltas).expect(VALID).bytes;
    let mut sums = [0u64; N];
    for (point, deltas) in dst.chunks_mut(N).zip(deltas.chunks(N)) {
        for ((slot, sum), delta) in point.iter_mut().zip(&mut sums).zip(deltas) {
            *sum = sum.wrapping_add_signed(*delta);
            *slot = *sum;
        }
    }
    bytes
}

/// Encodes one difference at a time.
fn encode_plain<const N: usize>(src: &[u64], dst: &mut [u8]) -> usize {
    let (mut before, mut at) = ([0; N], 0);
    for point in src.chunks(N) {
        for (&value, before) in point.iter().zip(&mut before) {
            let delta = value.wrapping_sub(*before) as i64;
            at += delta.encode_to_slice(&mut dst[at..]).expect(VALID);
            *before = value;
        }
    }
    at
}

fn decode_plain<const N: usize>(src: &[u8], dst: &mut [u64]) -> usize {
    let (mut sums, mut at) = ([0u64; N], 0);
    for point in dst.chunks_mut(N) {
        for (slot, sum) in point.iter_mut().zip(&mut sums) {
            let (delta, len) = i64::decode(&src[at..]).expect(VALID);
            *sum = sum.wrapping_add_signed(delta);
            *slot = *sum;
            at += len;
        }
    }
    at
}
