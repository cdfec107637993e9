//! `delta-encode` and `delta-decode`: sequences as differences. The contenders are the crate's
//! delta functions, two passes over a `Vec`, and a plain loop. `-x2` and `-x3` are interleaved
//! sequences of two and three components.

use criterion::Criterion;
use zigzag_varint::{Kernel, Varint, decode_slice, encode_slice};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::inputs::Inputs;
use crate::measure::Group;
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
    let mut contenders: Vec<(String, Box<dyn Both>)> =
        kernels().map(|(name, kernel)| (name, Box::new(Fused::<N>(kernel)) as _)).collect();
    contenders.push(("two-passes".into(), Box::new(TwoPasses::<N>)));
    contenders.push(("plain".into(), Box::new(PlainDelta::<N>)));

    // The set contains the differences, so its bytes are those of the sequence.
    let streams = Stream::<i64>::several(set, count);
    let sequences: Vec<_> = streams.iter().map(|stream| sums::<N>(&stream.values)).collect();
    let (values, bytes) = (&sequences[0], &streams[0].bytes);

    let mut group = Group::new(criterion, format!("delta-encode/{kind}/{}", set.name()), count);
    let mut inputs = Inputs::new(sequences.iter().cloned());
    let mut dst = vec![0; Stream::<u64>::max_len(count)];
    for (name, contender) in &contenders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(0),
            |values, dst| contender.encode(values, dst),
            |dst, len| dst[..len] == *bytes,
        );
    }
    group.finish();

    let mut group = Group::new(criterion, format!("delta-decode/{kind}/{}", set.name()), count);
    let mut inputs = Inputs::new(streams.iter().map(|stream| stream.bytes.clone()));
    let mut dst = vec![0; count];
    for (name, contender) in &contenders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(0),
            |bytes, dst| contender.decode(bytes, dst),
            |dst, len| len == bytes.len() && dst == values,
        );
    }
    group.finish();
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

trait Both: Encode<u64> + Decode<u64> {}

impl<C: Encode<u64> + Decode<u64>> Both for C {}

/// The delta functions of a kernel.
struct Fused<const N: usize>(Kernel);

impl<const N: usize> Encode<u64> for Fused<N> {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        self.0.encode_delta_slice([0; N], src, dst).expect(VALID)
    }
}

impl<const N: usize> Decode<u64> for Fused<N> {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
        self.0.decode_delta_slice([0; N], src, dst).expect(VALID).bytes
    }
}

/// The differences in a `Vec`, which the slice functions of the crate encode and decode.
struct TwoPasses<const N: usize>;

impl<const N: usize> Encode<u64> for TwoPasses<N> {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        let before = [0; N].iter().chain(src);
        let deltas: Vec<i64> =
            src.iter().zip(before).map(|(value, before)| value.wrapping_sub(*before) as i64).collect();
        encode_slice(&deltas, dst).expect(VALID)
    }
}

impl<const N: usize> Decode<u64> for TwoPasses<N> {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
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
}

/// A loop over single values.
struct PlainDelta<const N: usize>;

impl<const N: usize> Encode<u64> for PlainDelta<N> {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
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
}

impl<const N: usize> Decode<u64> for PlainDelta<N> {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
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
}
