//! `encode` and `decode`: whole streams, every contender on every set.

use criterion::Criterion;

use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::inputs::Inputs;
use crate::measure::Group;
use crate::ours::{self, ByteByByte, Io};
use crate::peers::Peers;

pub(crate) fn run<T: Peers>(criterion: &mut Criterion, long: &[Set], short: &[Set]) {
    for (suffix, count, sets) in [("", LONG, long), ("-L1", SHORT, short)] {
        for &set in sets {
            let streams = Stream::<T>::several(set, count);
            let kind = format!("{}{suffix}/{}", T::NAME, set.name());
            // The APIs that take one byte at a time are measured with one type and one size only.
            let per_byte = T::NAME == "u64" && count == LONG;
            encode(criterion, &format!("encode/{kind}"), &streams, per_byte);
            decode(criterion, &format!("decode/{kind}"), &streams, per_byte);
        }
    }
}

fn encode<T: Peers>(criterion: &mut Criterion, name: &str, streams: &[Stream<T>], per_byte: bool) {
    let mut encoders = ours::encoders();
    if per_byte {
        encoders.push(("ours-io".into(), Box::new(Io)));
    }
    encoders.extend(T::encoders());

    let Stream { values, bytes } = &streams[0];
    let mut group = Group::new(criterion, name.into(), values.len());
    let mut inputs = Inputs::new(streams.iter().map(|stream| stream.values.clone()));
    let mut dst = vec![0; Stream::<T>::max_len(values.len())];
    for (name, encoder) in &encoders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(0),
            |values, dst| encoder.encode(values, dst),
            |dst, len| dst[..len] == *bytes,
        );
    }
    group.finish();
}

fn decode<T: Peers>(criterion: &mut Criterion, name: &str, streams: &[Stream<T>], per_byte: bool) {
    let mut decoders = ours::decoders();
    if per_byte {
        decoders.push(("ours-decoder".into(), Box::new(ByteByByte)));
        decoders.push(("ours-io".into(), Box::new(Io)));
    }
    decoders.extend(T::decoders());

    let Stream { values, bytes } = &streams[0];
    let mut group = Group::new(criterion, name.into(), values.len());
    let mut inputs = Inputs::new(streams.iter().map(|stream| stream.bytes.clone()));
    let mut dst = vec![T::default(); values.len()];
    for (name, decoder) in &decoders {
        group.bench_inputs(
            name,
            &mut inputs,
            &mut dst,
            |dst| dst.fill(T::default()),
            |bytes, dst| decoder.decode(bytes, dst),
            |dst, len| len == bytes.len() && dst == values,
        );
    }
    group.finish();
}
