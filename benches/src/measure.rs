//! One benchmark: a first run checks the result and counts allocations, then criterion takes the
//! time.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use allocation_counter::AllocationInfo;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use zigzag_varint_benches::name::is_ours;

use crate::inputs::Inputs;

/// The allocations per operation of the benchmarks that have run, by their full names.
pub(crate) static ALLOCATIONS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

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

    /// Prints the rate in bytes too: each operation handles `bytes` encoded bytes.
    pub(crate) fn with_bytes(mut self, values: usize, bytes: usize) -> Self {
        let (elements, bytes) = (values as u64, bytes as u64);
        self.group.throughput(Throughput::ElementsAndBytes { elements, bytes });
        self
    }

    /// Permits this crate's own contenders to allocate.
    pub(crate) fn with_allocations(self) -> Self {
        Self { may_allocate: true, ..self }
    }

    /// Measures `operation` on `state`. A first run starts from a `reset` state, and its result
    /// must be right. This crate's own contenders must not allocate.
    pub(crate) fn bench<S, R>(
        &mut self,
        name: &str,
        state: &mut S,
        reset: impl FnOnce(&mut S),
        mut operation: impl FnMut(&mut S) -> R,
        is_right: impl FnOnce(&S, R) -> bool,
    ) {
        let full_name = format!("{}/{name}", self.name);
        let mut first = Some((reset, is_right));
        let mut allocations = None;
        self.group.bench_function(name, |bencher| {
            if let Some((reset, is_right)) = first.take() {
                reset(state);
                allocations = Some(check(&full_name, state, &mut operation, is_right));
            }
            bencher.iter(|| operation(black_box(state)));
        });
        self.report(name, allocations);
    }

    /// Measures `operation` on each of the inputs in turn, and on `state`. The first run is on the
    /// first input. The time for changing the input is not counted.
    pub(crate) fn bench_inputs<I: Copy, S, R>(
        &mut self,
        name: &str,
        inputs: &mut Inputs<I>,
        state: &mut S,
        reset: impl FnOnce(&mut S),
        mut operation: impl FnMut(&[I], &mut S) -> R,
        is_right: impl FnOnce(&S, R) -> bool,
    ) {
        inputs.rewind();
        if inputs.is_one() {
            let operation = |state: &mut S| operation(black_box(inputs.current()), state);
            self.bench(name, state, reset, operation, is_right);
            return;
        }
        let full_name = format!("{}/{name}", self.name);
        let mut first = Some((reset, is_right));
        let mut allocations = None;
        self.group.bench_function(name, |bencher| {
            if let Some((reset, is_right)) = first.take() {
                reset(state);
                let mut operation = |state: &mut S| operation(inputs.current(), state);
                allocations = Some(check(&full_name, state, &mut operation, is_right));
            }
            bencher.iter_custom(|times| {
                let mut total = Duration::ZERO;
                for _ in 0..times {
                    inputs.advance();
                    let start = Instant::now();
                    black_box(operation(black_box(inputs.current()), black_box(state)));
                    total += start.elapsed();
                }
                total
            });
        });
        self.report(name, allocations);
    }

    /// Keeps the allocations of the first run, if there was one.
    fn report(&self, name: &str, allocations: Option<AllocationInfo>) {
        let Some(AllocationInfo { count_total, .. }) = allocations else { return };
        let full_name = format!("{}/{name}", self.name);
        let may_allocate = self.may_allocate || !is_ours(name);
        assert!(count_total == 0 || may_allocate, "{full_name} allocates memory");
        ALLOCATIONS.lock().expect("one thread").insert(full_name, count_total as u32);
    }

    /// Ends the group.
    pub(crate) fn finish(self) {
        self.group.finish();
    }
}

/// Runs the operation once, checks its result, and returns the allocations.
fn check<S, R>(
    name: &str,
    state: &mut S,
    operation: &mut impl FnMut(&mut S) -> R,
    is_right: impl FnOnce(&S, R) -> bool,
) -> AllocationInfo {
    let mut result = None;
    let allocations = allocation_counter::measure(|| result = Some(operation(black_box(state))));
    let right = result.is_some_and(|result| is_right(state, result));
    assert!(right, "{name}: wrong result");
    allocations
}
