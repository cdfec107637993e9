//! One benchmark: checked once, its allocations counted once, then timed.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use zigzag_varint_benches::name::is_ours;

/// Benchmarks that do the same work: rivals over one set of numbers.
pub(crate) struct Group<'c> {
    group: BenchmarkGroup<'c, WallTime>,
    name: String,
}

impl<'c> Group<'c> {
    /// A group named like `decode/u64/mix`, each of whose operations handles `values` values.
    pub(crate) fn new(criterion: &'c mut Criterion, name: String, values: usize) -> Self {
        let mut group = criterion.benchmark_group(&name);
        group.throughput(Throughput::Elements(values as u64)).sampling_mode(SamplingMode::Flat);
        Self { group, name }
    }

    /// Times `operation` on `state`, after a first run from a state that was `reset`, whose outcome must be right. Says below
    /// the time what that run allocated, which for this crate's own contenders must be nothing.
    pub(crate) fn bench<S, R>(
        &mut self,
        name: &str,
        state: &mut S,
        reset: impl FnOnce(&mut S),
        mut operation: impl FnMut(&mut S) -> R,
        is_right: impl FnOnce(&S, R) -> bool,
    ) {
        let mut first = Some((reset, is_right));
        let mut allocations = None;
        self.group.bench_function(name, |bencher| {
            if let Some((reset, is_right)) = first.take() {
                reset(state);
                let mut result = None;
                let counted = allocation_counter::measure(|| result = Some(operation(black_box(state))));
                let right = result.is_some_and(|result| is_right(state, result));
                assert!(right, "{}/{name}: wrong result", self.name);
                allocations = Some((counted.count_total, counted.bytes_total));
            }
            bencher.iter(|| operation(black_box(state)));
        });
        if let Some((count, bytes)) = allocations {
            println!("{:24}alloc:  {count} allocs/op, {bytes} B/op", ""); // in the column of criterion's own lines
            assert!(count == 0 || !is_ours(name), "{}/{name} allocates", self.name);
        }
    }

    /// Ends the group.
    pub(crate) fn finish(self) {
        self.group.finish();
    }
}
