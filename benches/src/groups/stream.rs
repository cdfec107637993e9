//! `encode` and `decode`: whole streams, every contender on every set.

use std::hint::black_box;

use criterion::Criterion;

use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::measure::Group;
use crate::ours::{self, ByteByByte, Io};
use crate::peers::Peers;

pub(crate) fn run<T: Peers>(criterion: &mut Criterion, long: &[Set], short: &[Set]) {
    for (suffix, count, sets) in [("", LONG, long), ("-L1", SHORT, short)] {
        for &set in sets {
            let stream = Stream::<T>::new(set, count);
            let kind = format!("{}{suffix}/{}", T::NAME, set.name());
            // The APIs that take one byte at a time are measured with one type and one size only.
            let per_byte = T::NAME == "u64" && count == LONG;
            encode(criterion, &format!("encode/{kind}"), &stream, per_byte);
            decode(criterion, &format!("decode/{kind}"), &stream, per_byte);
        }
    }
}

fn encode<T: Peers>(criterion: &mut Criterion, name: &str, stream: &Stream<T>, per_byte: bool) {
    let mut encoders = ours::encoders();
    if per_byte {
        encoders.push(("ours-io".into(), Box::new(Io)));
    }
    encoders.extend(T::encoders());

    let Stream { values, bytes } = stream;
    let mut group = Group::new(criterion, name.into(), values.len());
    let mut dst = vec![0; Stream::<T>::max_len(values.len())];
    for (name, encoder) in &encoders {
        group.bench(
            name,
            &mut dst,
            |dst| dst.fill(0),
            |dst| encoder.encode(black_box(values), dst),
            |dst, len| dst[..len] == *bytes,
        );
    }
    group.finish();
}

fn decode<T: Peers>(criterion: &mut Criterion, name: &str, stream: &Stream<T>, per_byte: bool) {
    let mut decoders = ours::decoders();
    if per_byte {
        decoders.push(("ours-decoder".into(), Box::new(ByteByByte)));
        decoders.push(("ours-io".into(), Box::new(Io)));
    }
    decoders.extend(T::decoders());

    let Stream { values, bytes } = stream;
    let mut group = Group::new(criterion, name.into(), values.len());
    let mut dst = vec![T::default(); values.len()];
    for (name, decoder) in &decoders {
        group.bench(
            name,
            &mut dst,
            |dst| dst.fill(T::default()),
            |dst| decoder.decode(black_box(bytes), dst),
            |dst, len| len == bytes.len() && dst == values,
        );
    }
    group.finish();
}
