//! The benchmarks, group by group. Their names are `operation/type/set/contender`.

mod apps;
mod article;
mod few;
mod single;
mod slices;

use criterion::Criterion;

use crate::corpus::Set::{self, Bytes, From1e8, FromMin, Log, Mix, Rand, Skew, Tile};

pub(crate) fn run(criterion: &mut Criterion) {
    // The first sets are for long streams, the second for short ones. `u64` has all of them; the
    // other types have those that may differ.
    let some = [Bytes(1), Mix, Rand];
    slices::run::<u64>(criterion, &Set::HEADLINE, &Set::HEADLINE);
    slices::run::<u32>(criterion, &[Bytes(1), Bytes(2), Mix, Skew, Tile, Log, Rand], &some);
    slices::run::<i64>(criterion, &[Bytes(1), Bytes(2), Mix, Log, Rand, From1e8, FromMin], &some);
    single::run::<u64>(criterion);
    single::run::<u32>(criterion);
    single::run::<i64>(criterion);
    few::run(criterion);
    apps::run(criterion);
    article::run(criterion);
}
