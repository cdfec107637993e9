//! `encode` and `decode`: whole streams, every contender on every set.

use std::cell::LazyCell;

use criterion::Criterion;

use crate::compare::{Work, compare, compare_both};
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::ours;
use crate::peers::Peers;

pub(crate) fn run<T: Peers>(criterion: &mut Criterion, long: &[Set], short: &[Set]) {
    let mut contenders = ours::slices::<T>();
    contenders.extend(T::peers());
    for (suffix, count, sets) in [("-L1", SHORT, short), ("", LONG, long)] {
        for &set in sets {
            let names = ["encode", "decode"]
                .map(|operation| format!("{operation}/{}{suffix}/{}", T::NAME, set.name()));
            let streams = LazyCell::new(|| Stream::<T>::several(set, count));
            compare_both(criterion, &names, count, &streams, &contenders);
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
