//! `encode-calls` and `decode-calls`: a stream in calls of 1, 2, 4, ... values, which show the cost
//! of a call.

use std::hint::black_box;

use criterion::Criterion;

use crate::contender::{Decode, Encode};
use crate::corpus::{SHORT, Set, Stream};
use crate::measure::Group;
use crate::ours::{Detected, kernels};
use crate::peers::{IntegerEncoding, Plain};

const PER_CALL: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

pub(crate) fn run(criterion: &mut Criterion) {
    let stream = Stream::<u64>::new(Set::Mix, SHORT);
    for per_call in PER_CALL {
        encode(criterion, per_call, &stream);
        decode(criterion, per_call, &stream);
    }
}

fn encode(criterion: &mut Criterion, per_call: usize, stream: &Stream<u64>) {
    let mut encoders: Vec<(String, Box<dyn Encode<u64>>)> =
        kernels().map(|(name, kernel)| (name, Box::new(kernel) as _)).collect();
    encoders.push(("ours-detected".into(), Box::new(Detected)));
    encoders.push(("plain".into(), Box::new(Plain)));
    encoders.push(("integer-encoding".into(), Box::new(IntegerEncoding)));

    let Stream { values, bytes } = stream;
    let mut group = Group::new(criterion, format!("encode-calls/u64-mix/{per_call}"), values.len());
    let mut dst = vec![0; Stream::<u64>::max_len(values.len())];
    for (name, encoder) in &encoders {
        group.bench(
            name,
            &mut dst,
            |dst| dst.fill(0),
            |dst| encoder.encode_calls(black_box(per_call), black_box(values), dst),
            |dst, len| dst[..len] == *bytes,
        );
    }
    group.finish();
}

fn decode(criterion: &mut Criterion, per_call: usize, stream: &Stream<u64>) {
    let mut decoders: Vec<(String, Box<dyn Decode<u64>>)> =
        kernels().map(|(name, kernel)| (name, Box::new(kernel) as _)).collect();
    decoders.push(("ours-detected".into(), Box::new(Detected)));
    decoders.push(("plain".into(), Box::new(Plain)));
    decoders.push(("integer-encoding".into(), Box::new(IntegerEncoding)));

    let Stream { values, bytes } = stream;
    let mut group = Group::new(criterion, format!("decode-calls/u64-mix/{per_call}"), values.len());
    let mut dst = vec![0; values.len()];
    for (name, decoder) in &decoders {
        group.bench(
            name,
            &mut dst,
            |dst| dst.fill(0),
            |dst| decoder.decode_calls(black_box(per_call), black_box(bytes), dst),
            |dst, len| len == bytes.len() && dst == values,
        );
    }
    group.finish();
}
