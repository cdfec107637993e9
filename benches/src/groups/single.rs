//! `single`: one value after another, by the APIs for one value and the safe peers.

use std::cell::LazyCell;

use criterion::Criterion;

use crate::compare::compare_both;
use crate::corpus::Set::{Bytes, Ids, Log, Message, Mix, Rand, Skew, Tile};
use crate::corpus::{LONG, SHORT, Stream};
use crate::ours;
use crate::peers::Peers;

/// Lengths that are constant, repeat as in messages, or vary.
pub(crate) fn run<T: Peers>(criterion: &mut Criterion) {
    let mut contenders = ours::single_values::<T>();
    contenders.extend(T::peers().into_iter().filter(|peer| peer.name != "varint-simd-unsafe"));
    let constant = [1, 2, 3, 4, 5, 8, 9, 10].into_iter().filter(|length| *length as usize <= T::MAX_LEN);
    let long =
        constant.map(Bytes).chain([Tile, Mix, Skew, Log, Rand, Message, Ids]).map(|set| ("", LONG, set));
    let short = [Mix, Log, Ids].map(|set| ("-L1", SHORT, set));
    for (suffix, count, set) in long.chain(short) {
        let names = ["encode", "decode"]
            .map(|operation| format!("single/{operation}-{}{suffix}/{}", T::NAME, set.name()));
        let streams = LazyCell::new(|| Stream::<T>::several(set, count));
        compare_both(criterion, &names, count, &streams, &contenders);
    }
}
