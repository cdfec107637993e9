//! One benchmark: checked once, its allocations counted once, then timed.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};

/// Benchmarks that do the same work: rivals over one set of numbers.
pub(crate) struct Group<'c> {
    group: BenchmarkGroup<'c, WallTime>,
    name: String,
    /// Of every benchmark that ran: its name and its allocations per operation.
    allocations: Vec<(String, u64)>,
}

impl<'c> Group<'c> {
    /// A group named like `decode/u64/mix`, each of whose operations handles `values` values.
    pub(crate) fn new(criterion: &'c mut Criterion, name: String, values: usize) -> Self {
        let mut group = criterion.benchmark_group(&name);
        group.throughput(Throughput::Elements(values as u64)).sampling_mode(SamplingMode::Flat);
        Self { group, name, allocations: Vec::new() }
    }

    /// Times `operation` on `state`, after a first run from a state that was `reset`, whose outcome must be right.
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
                allocations = Some(counted.count_total);
            }
            bencher.iter(|| operation(black_box(state)));
        });
        self.allocations.extend(allocations.map(|count| (name.to_owned(), count)));
    }

    /// Ends the group and says what it allocated, in one line: nothing where the filter left no benchmark.
    pub(crate) fn finish(self) {
        self.group.finish();
        if self.allocations.is_empty() {
            return;
        }
        let exceptions: Vec<String> = self
            .allocations
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let but =
            if exceptions.is_empty() { String::new() } else { format!(" but for {}", exceptions.join(", ")) };
        println!("{}: 0 allocs/op in {} benchmarks{but}\n", self.name, self.allocations.len());
    }
}
