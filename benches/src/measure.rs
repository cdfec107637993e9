//! One benchmark: a first run checks the result and counts allocations, then criterion takes the
//! time.

use std::hint::black_box;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use allocation_counter::AllocationInfo;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use zigzag_varint_results::environment::Environment;
use zigzag_varint_results::measurement::{Measurement, folder, is_ours};

/// Criterion's folder, which `cargo clean` keeps.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/criterion");

/// The name of the baseline to which criterion saves results, and what is saved with them.
pub(crate) static SAVED_AS: OnceLock<(String, Environment)> = OnceLock::new();

/// The benchmarks that have run, without their times, which criterion writes to files.
pub(crate) static MEASURED: Mutex<Vec<Measurement>> = Mutex::new(Vec::new());

/// Benchmarks that do the same work: contenders on one set of numbers.
pub(crate) struct Group<'c> {
    group: BenchmarkGroup<'c, WallTime>,
    name: String,
    values: u32,
    may_allocate: bool,
}

impl<'c> Group<'c> {
    /// Returns a group with a name such as `decode/u64/mix`. Each of its operations handles
    /// `values` values.
    pub(crate) fn new(criterion: &'c mut Criterion, name: &str, values: usize) -> Self {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(values as u64)).sampling_mode(SamplingMode::Flat);
        Self { group, name: name.into(), values: values as u32, may_allocate: false }
    }

    /// Permits this crate's own contenders to allocate.
    pub(crate) fn with_allocations(self) -> Self {
        Self { may_allocate: true, ..self }
    }

    /// Measures `operation` on `state`. A first run starts from a `reset` state, and its result
    /// must be right. This crate's own contenders must not allocate.
    ///
    /// Before each iteration, `next` changes the input and returns true, or returns false if there
    /// is only one. If the benchmark does not run, neither does any of the functions.
    pub(crate) fn bench<S, R>(
        &mut self,
        name: &str,
        state: &mut S,
        reset: impl Fn(&mut S),
        next: impl Fn(&mut S) -> bool,
        operation: impl Fn(&mut S) -> R,
        is_right: impl Fn(&S, R) -> bool,
    ) {
        let full_name = format!("{}/{name}", self.name);
        let mut allocations = None;
        let start = SystemTime::now();
        self.group.bench_function(name, |bencher| {
            allocations.get_or_insert_with(|| {
                untimed(|| {
                    reset(state);
                    let mut result = None;
                    let allocations =
                        allocation_counter::measure(|| result = Some(operation(black_box(state))));
                    let right = result.is_some_and(|result| is_right(state, result));
                    assert!(right, "{full_name}: wrong result");
                    allocations
                })
            });
            bencher.iter_custom(|times| {
                let (mut total, mut rest) = (Duration::ZERO, times);
                while rest > 0 {
                    let batch = if untimed(|| next(state)) { 1 } else { rest };
                    let start = Instant::now();
                    for _ in 0..batch {
                        black_box(operation(black_box(state)));
                    }
                    total += start.elapsed();
                    rest -= batch;
                }
                total
            });
        });
        let Some(AllocationInfo { count_total, bytes_total, .. }) = allocations else { return };
        let may_allocate = self.may_allocate || !is_ours(name);
        assert!(count_total == 0 || may_allocate, "{full_name} allocates memory");
        if let Some((baseline, environment)) = SAVED_AS.get() {
            let baseline = folder(Path::new(FOLDER), &self.name, name).join(baseline);
            if let Err(error) = environment.save(&baseline, start) {
                eprintln!("bench: {}: {error}; the machine of this result stays unknown", baseline.display());
            }
        }
        let (table, set) = self.name.rsplit_once('/').expect("operation/type/set");
        MEASURED.lock().expect("one thread").push(Measurement {
            table: table.into(),
            set: set.into(),
            contender: name.into(),
            values: self.values,
            samples: 0,
            nanoseconds: 0.0,
            allocations: count_total as u32,
            allocated: bytes_total,
        });
    }
}

/// Does what is not timed. It is one function, so that it can be left out of profiles, which
/// contain all that the program does.
#[inline(never)]
fn untimed<R>(work: impl FnOnce() -> R) -> R {
    black_box(work()) // no tail call, which would remove this function from the stack
}
