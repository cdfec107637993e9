//! `encode` and `decode`: whole streams, every contender on every set.

use std::cell::LazyCell;

use criterion::Criterion;

use crate::compare::{Work, compare, to_decode, to_encode};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::ours;
use crate::peers::Peers;

pub(crate) fn run<T: Peers>(criterion: &mut Criterion, long: &[Set], short: &[Set]) {
    let mut contenders = ours::slices::<T>();
    contenders.extend(ours::single_values());
    contenders.extend(T::peers());
    for (suffix, count, sets) in [("-L1", SHORT, short), ("", LONG, long)] {
        // The APIs that take one byte at a time are measured with one type and one size only.
        if count == LONG && T::NAME == "u64" {
            contenders.extend(ours::single_bytes());
        }
        for &set in sets {
            let names = ["encode", "decode"]
                .map(|operation| format!("{operation}/{}{suffix}/{}", T::NAME, set.name()));
            let [encode, decode] = &names;
            let streams = LazyCell::new(|| Stream::<T>::several(set, count));
            let encoders = contenders.iter().filter_map(|one| Some((&one.name, one.encode.as_ref()?)));
            compare(criterion, encode, count, || to_encode(&streams), encoders);
            let decoders = contenders.iter().filter_map(|one| Some((&one.name, one.decode.as_ref()?)));
            compare(criterion, decode, count, || to_decode(&streams), decoders);
            for name in &names {
                copy(criterion, name, count, || (count * size_of::<T>()).max(streams[0].bytes.len()));
            }
        }
    }
}

/// Measures a copy of `len` bytes: as many as the values or their encodings have, whichever are more. No
/// contender can do with less.
fn copy(criterion: &mut Criterion, name: &str, values: usize, len: impl FnOnce() -> usize) {
    let bytes = LazyCell::new(|| (0..len()).map(|index| index as u8).collect::<Vec<_>>());
    let work = || Work { inputs: vec![&bytes], returned: bytes.len(), output: &bytes, capacity: bytes.len() };
    let memcpy = |src: &[u8], dst: &mut [u8]| {
        dst.copy_from_slice(src);
        src.len()
    };
    compare(criterion, name, values, work, [("memcpy", memcpy)]);
}
