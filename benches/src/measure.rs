//! One benchmark: a first run checks the result and counts allocations, then criterion takes the
//! time.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use zigzag_varint_benches::name::is_ours;

/// Benchmarks that do the same work: contenders on one set of numbers.
pub(crate) struct Group<'c> {
    group: BenchmarkGroup<'c, WallTime>,
    name: String,
    may_allocate: bool,
}

impl<'c> Group<'c> {
    /// Returns a group with a name such as `decode/u64/mix`. Each of its operations handles
    /// `values` values.
    pub(crate) fn new(criterion: &'c mut Criterion, name: String, values: usize) -> Self {
        let mut group = criterion.benchmark_group(&name);
        group.throughput(Throughput::Elements(values as u64)).sampling_mode(SamplingMode::Flat);
        Self { group, name, may_allocate: false }
    }

    /// Permits this crate's own contenders to allocate.
    pub(crate) fn with_allocations(self) -> Self {
        Self { may_allocate: true, ..self }
    }

    /// Measures `operation` on `state`. A first run starts from a `reset` state, and its result
    /// must be right. The allocations of that run are printed below the time. This crate's own
    /// contenders must not allocate.
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
            println!("{:24}alloc:  {count} allocs/op, {bytes} B/op", ""); // in the column of criterion's lines
            let may_allocate = self.may_allocate || !is_ours(name);
            assert!(count == 0 || may_allocate, "{}/{name} allocates memory", self.name);
        }
    }

    /// Measures an operation that another process performs. `start` starts the process, and `run`
    /// performs the operation that many times and returns the duration.
    pub(crate) fn bench_process<P>(
        &mut self,
        name: &str,
        start: impl Fn() -> P,
        run: impl Fn(&mut P, u64) -> Duration,
    ) {
        let mut process = None;
        self.group.bench_function(name, |bencher| {
            let process = process.get_or_insert_with(&start);
            bencher.iter_custom(|times| run(process, times));
        });
    }

    /// Ends the group.
    pub(crate) fn finish(self) {
        self.group.finish();
    }
}
