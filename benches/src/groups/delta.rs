//! `delta-encode` and `delta-decode`: sequences as differences. The contenders are the crate's
//! delta functions, two passes over a `Vec`, and a plain loop.

use std::hint::black_box;

use criterion::Criterion;
use zigzag_varint::{Kernel, Varint, decode_slice, encode_slice};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::measure::Group;
use crate::ours::kernels;

pub(crate) fn run(criterion: &mut Criterion) {
    let mut contenders: Vec<(String, Box<dyn Both>)> =
        kernels().map(|(name, kernel)| (name, Box::new(Fused(kernel)) as _)).collect();
    contenders.push(("two-passes".into(), Box::new(TwoPasses)));
    contenders.push(("plain".into(), Box::new(PlainDelta)));

    for (suffix, count) in [("", LONG), ("-L1", SHORT)] {
        for set in [Set::OneByte, Set::Mix, Set::Rand] {
            // The set contains the differences, so its bytes are those of the sequence.
            let Stream { values: steps, bytes } = Stream::<i64>::new(set, count);
            let sum = |sum: &mut u64, step| {
                *sum = sum.wrapping_add_signed(step);
                Some(*sum)
            };
            let values: Vec<u64> = steps.into_iter().scan(0, sum).collect();
            let kind = format!("u64{suffix}/{}", set.name());

            let mut group = Group::new(criterion, format!("delta-encode/{kind}"), count);
            let mut dst = vec![0; Stream::<u64>::max_len(count)];
            for (name, contender) in &contenders {
                group.bench(
                    name,
                    &mut dst,
                    |dst| dst.fill(0),
                    |dst| contender.encode(black_box(&values), dst),
                    |dst, len| dst[..len] == *bytes,
                );
            }
            group.finish();

            let mut group = Group::new(criterion, format!("delta-decode/{kind}"), count);
            let mut dst = vec![0; count];
            for (name, contender) in &contenders {
                group.bench(
                    name,
                    &mut dst,
                    |dst| dst.fill(0),
                    |dst| contender.decode(black_box(&bytes), dst),
                    |dst, len| len == bytes.len() && *dst == values,
                );
            }
            group.finish();
        }
    }
}

trait Both: Encode<u64> + Decode<u64> {}

impl<C: Encode<u64> + Decode<u64>> Both for C {}

/// The delta functions of a kernel.
struct Fused(Kernel);

impl Encode<u64> for Fused {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        self.0.encode_delta_slice([0], src, dst).expect(VALID)
    }
}

impl Decode<u64> for Fused {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
        self.0.decode_delta_slice([0], src, dst).expect(VALID).bytes
    }
}

/// The differences in a `Vec`, which the slice functions of the crate encode and decode.
struct TwoPasses;

impl Encode<u64> for TwoPasses {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        let before = std::iter::once(&0).chain(src);
        let deltas: Vec<i64> =
            src.iter().zip(before).map(|(value, before)| value.wrapping_sub(*before) as i64).collect();
        encode_slice(&deltas, dst).expect(VALID)
    }
}

impl Decode<u64> for TwoPasses {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
        let mut deltas = vec![0i64; dst.len()];
        let bytes = decode_slice(src, &mut deltas).expect(VALID).bytes;
        let mut sum = 0u64;
        for (slot, delta) in dst.iter_mut().zip(deltas) {
            sum = sum.wrapping_add_signed(delta);
            *slot = sum;
        }
        bytes
    }
}

/// A loop over single values.
struct PlainDelta;

impl Encode<u64> for PlainDelta {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        let (mut before, mut at) = (0, 0);
        for &value in src {
            let delta = value.wrapping_sub(before) as i64;
            at += delta.encode_to_slice(&mut dst[at..]).expect(VALID);
            before = value;
        }
        at
    }
}

impl Decode<u64> for PlainDelta {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
        let (mut sum, mut at) = (0u64, 0);
        for slot in dst {
            let (delta, len) = i64::decode(&src[at..]).expect(VALID);
            sum = sum.wrapping_add_signed(delta);
            *slot = sum;
            at += len;
        }
        at
    }
}
