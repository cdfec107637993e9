//! `encode-calls` and `decode-calls`: short slices of 1, 8 and 64 values, one per call.
//!
//! With `-L1` the same few slices are repeated, and the CPU learns their branches. Otherwise there
//! are too many of them to learn. Values of one length have no branches to learn, so `1B` and
//! `2B` are measured with `-L1` only.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;

use crate::compare::{Work, compare, streams, to_encode};
use crate::contender::Contender;
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::ours;
use crate::peers::Peers;

const PER_CALL: [usize; 3] = [1, 8, 64];

/// The peers that are the fastest for few values.
const PEERS: [&str; 5] = ["plain", "integer-encoding", "leb128fmt", "bytes-varint", "prost"];

pub(crate) fn run<T: Peers>(criterion: &mut Criterion) {
    let mut contenders = vec![ours::detected::<T>()];
    contenders.extend(T::peers().into_iter().filter(|peer| PEERS.contains(&&peer.name[..])));
    for set in [Set::OneByte, Set::TwoBytes] {
        measure(criterion, set, SHORT, "-L1", &contenders);
    }
    for set in [Set::Log, Set::Mix] {
        if set == Set::Mix {
            contenders.extend(ours::slices());
        }
        measure(criterion, set, LONG, "", &contenders);
        measure(criterion, set, SHORT, "-L1", &contenders);
    }
}

/// Measures calls with the first `count` numbers of a set.
fn measure<T: Peers>(
    criterion: &mut Criterion,
    set: Set,
    count: usize,
    suffix: &str,
    contenders: &[Contender<T>],
) {
    let streams = streams(move || Stream::<T>::several(set, count));
    for len in PER_CALL {
        let name = format!("calls/{}-{}{suffix}/{len}", T::NAME, set.name());
        let encoders = contenders.iter().filter_map(|contender| {
            let operation = contender.encode.as_ref()?;
            let encode =
                move |values: &[T], dst: &mut [u8]| operation.encode_calls(black_box(len), values, dst);
            Some((&contender.name, encode))
        });
        compare(criterion, &format!("encode-{name}"), count, || to_encode(&streams), encoders);

        let slices = LazyCell::new(|| streams.iter().map(|stream| slices(stream, len)).collect::<Vec<_>>());
        let decoders = contenders.iter().filter_map(|contender| {
            let operation = contender.decode.as_ref()?;
            let decode =
                move |slices: &[&[u8]], dst: &mut [T]| operation.decode_calls(black_box(len), slices, dst);
            Some((&contender.name, decode))
        });
        let work = || {
            let Stream { values, bytes } = &streams[0];
            let inputs = slices.iter().map(|slices| &slices[..]).collect();
            Work { inputs, returned: bytes.len(), output: values, capacity: count }
        };
        compare(criterion, &format!("decode-{name}"), count, work, decoders);
    }
}

/// Returns the encodings of `len` values each.
fn slices<T: Peers>(stream: &Stream<T>, len: usize) -> Vec<&[u8]> {
    let mut rest = &stream.bytes[..];
    let lens = stream.values.chunks(len).map(zigzag_varint::encoded_len_slice);
    lens.map(|len| rest.split_off(..len).expect("the bytes of all values")).collect()
}
