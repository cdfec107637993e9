//! `encode` and `decode`: whole streams, every contender on every set.

use std::cell::LazyCell;

use criterion::Criterion;

use crate::compare::{Streams, Work, compare, compare_both, streams};
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
            let streams = streams(move || Stream::several(set, count));
            compare_both(criterion, &names, count, &streams, &contenders);
            for name in &names {
                copy(criterion, name, count, &streams);
            }
        }
    }
}

/// Measures a copy of the values or of their bytes, whichever are more: no contender can do with
/// less.
fn copy<T: Peers>(criterion: &mut Criterion, name: &str, values: usize, streams: &Streams<T>) {
    let larger = LazyCell::new(|| {
        let len = (values * size_of::<T>()).max(streams[0].bytes.len());
        (0..len).map(|index| index as u8).collect::<Vec<_>>()
    });
    let work =
        || Work { inputs: vec![&larger], returned: larger.len(), output: &larger, capacity: larger.len() };
    let memcpy = |src: &[u8], dst: &mut [u8]| {
        dst.copy_from_slice(src);
        src.len()
    };
    compare(criterion, name, values, work, [("memcpy", memcpy)]);
}
