//! `encode-calls` and `decode-calls`: short slices of 1, 2, 4, ... values, one per call.
//!
//! With `-L1` the same few slices are repeated, and the CPU learns their branches. Otherwise there
//! are too many of them to learn. Values of one length have no branches to learn, so `1B` and
//! `2B` are measured with `-L1` only.

use std::hint::black_box;

use criterion::Criterion;

use crate::contender::{Decoder, Encoder};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::inputs::Inputs;
use crate::measure::Group;
use crate::ours::{Detected, kernels};
use crate::peers::Peers;

const PER_CALL: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The peers that are the fastest for few values.
const PEERS: [&str; 5] = ["plain", "integer-encoding", "leb128fmt", "bytes-varint", "prost"];

pub(crate) fn run<T: Peers>(criterion: &mut Criterion) {
    for set in [Set::OneByte, Set::TwoBytes] {
        measure::<T>(criterion, set, SHORT, "-L1");
    }
    for set in [Set::Mix, Set::Log] {
        measure::<T>(criterion, set, LONG, "");
        measure::<T>(criterion, set, SHORT, "-L1");
    }
}

/// Measures calls with the first `count` numbers of a set.
fn measure<T: Peers>(criterion: &mut Criterion, set: Set, count: usize, suffix: &str) {
    let streams = Stream::several(set, count);
    for per_call in PER_CALL {
        let name = format!("calls/{}-{}{suffix}/{per_call}", T::NAME, set.name());
        encode::<T>(criterion, format!("encode-{name}"), set, per_call, &streams);
        decode::<T>(criterion, format!("decode-{name}"), set, per_call, &streams);
    }
}

fn encode<T: Peers>(
    criterion: &mut Criterion,
    name: String,
    set: Set,
    per_call: usize,
    streams: &[Stream<T>],
) {
    let mut encoders: Vec<Encoder<T>> = vec![("ours-detected".into(), Box::new(Detected))];
    if set == Set::Mix {
        encoders.extend(kernels().map(|(name, kernel)| (name, Box::new(kernel) as _)));
    }
    encoders.extend(T::encoders().into_iter().filter(|(name, _)| PEERS.contains(&name.as_str())));

    let Stream { values, bytes } = &streams[0];
    let mut inputs = Inputs::new(streams.iter().map(|stream| stream.values.clone()));
    let mut group = Group::new(criterion, name, values.len());
    let mut dst = vec![0; Stream::<T>::max_len(values.len())];
    for (name, encoder) in &encoders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(0),
            |values, dst| encoder.encode_calls(black_box(per_call), values, dst),
            |dst, len| dst[..len] == *bytes,
        );
    }
    group.finish();
}

fn decode<T: Peers>(
    criterion: &mut Criterion,
    name: String,
    set: Set,
    per_call: usize,
    streams: &[Stream<T>],
) {
    let mut decoders: Vec<Decoder<T>> = vec![("ours-detected".into(), Box::new(Detected))];
    if set == Set::Mix {
        decoders.extend(kernels().map(|(name, kernel)| (name, Box::new(kernel) as _)));
    }
    decoders.extend(T::decoders().into_iter().filter(|(name, _)| PEERS.contains(&name.as_str())));

    let Stream { values, bytes } = &streams[0];
    let mut inputs = Inputs::new(streams.iter().map(|stream| slices(stream, per_call)));
    let mut group = Group::new(criterion, name, values.len());
    let mut dst = vec![T::default(); values.len()];
    for (name, decoder) in &decoders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(T::default()),
            |slices, dst| decoder.decode_calls(black_box(per_call), slices, dst),
            |dst, len| len == bytes.len() && dst == values,
        );
    }
    group.finish();
}

/// Returns the encodings of `per_call` values each.
fn slices<T: Peers>(stream: &Stream<T>, per_call: usize) -> Vec<&[u8]> {
    let mut rest = &stream.bytes[..];
    let lens = stream.values.chunks(per_call).map(zigzag_varint::encoded_len_slice);
    lens.map(|len| rest.split_off(..len).expect("the bytes of all values")).collect()
}
