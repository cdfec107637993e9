//! The benchmarks, group by group. Their names are `operation/type/set/contender`.

mod apps;
mod article;
mod slices;

use criterion::Criterion;

use crate::corpus::Set::{self, From1e8, FromMin, Log, Mix, OneByte, Rand, Skew, Tile, TwoBytes};

pub(crate) fn run(criterion: &mut Criterion) {
    // The first sets are for long streams, the second for short ones. `u64` has all of them; the
    // other types have those that may differ.
    let some = [OneByte, Mix, Rand];
    slices::run::<u64>(criterion, &Set::ALL, &Set::ALL);
    slices::run::<u32>(criterion, &[OneByte, TwoBytes, Mix, Skew, Tile, Log, Rand], &some);
    slices::run::<i64>(criterion, &[OneByte, TwoBytes, Mix, Log, Rand, From1e8, FromMin], &some);
    apps::run(criterion);
    article::run(criterion);
}
