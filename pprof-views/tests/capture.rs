//! Tests that take profiles of this process. They are a separate test program, so that no other
//! test uses CPU time or opens files at the same time.

mod split;

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::panic::{catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use criterion::{BatchSize, Bencher, Criterion};
use pprof_views::criterion::Flamegraph;
use pprof_views::{Capture, CaptureError, Profile, View};

/// Held by the test that takes a profile, because a process takes one at a time.
static CAPTURE_LOCK: Mutex<()> = Mutex::new(());

/// Returns `None` where profiles cannot be taken.
fn lock_capture() -> Option<MutexGuard<'static, ()>> {
    Capture::IS_SUPPORTED.then(|| CAPTURE_LOCK.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The number of samples with which a share of 30 % is known to 15 percentage points.
const ENOUGH_SAMPLES: i64 = 200;

/// Returns a profile of some work with enough samples. How many there are in a second depends on the
/// timer of the system, so the work is done once, twice, four times and so on until there are enough.
fn profile_of(mut work: impl FnMut(u64)) -> Result<Profile, CaptureError> {
    let mut most = 0;
    for times in (0..12).map(|doubled| 1 << doubled) {
        let capture = Capture::start(1000)?;
        work(times);
        let profile = capture.finish()?;
        most = most.max(profile.total(0));
        if most >= ENOUGH_SAMPLES {
            return Ok(profile);
        }
    }
    panic!("at most {most} samples, not {ENOUGH_SAMPLES}");
}

#[test]
fn inlined_functions_have_their_shares_of_the_samples() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let profile = profile_of(|times| {
        black_box((0..500_000 * times).fold(1, |x, _| black_box(split::both(x))));
    })?;
    let top = View::new(&profile).top();
    let share = |name: &str| -> Option<f64> {
        let line = top.lines().find(|line| line.contains(name))?;
        line.split_whitespace().nth(1)?.strip_suffix('%')?.parse().ok()
    };
    assert!(share("split::three").is_some_and(|three| (15.0..45.0).contains(&three)), "{top}");
    assert!(share("split::seven").is_some_and(|seven| (55.0..85.0).contains(&seven)), "{top}");
    let listed = View::new(&profile).list("split::seven$")?;
    let lines = listed.lines().filter(|line| line.contains("x ^= x") && !line.contains(". ")).count();
    assert!(lines >= 2, "fewer than two lines have samples: {listed}");
    Ok(())
}

/// A function of this name as a thread pool can have it, into which the work is not inlined.
#[inline(never)]
fn __rust_begin_short_backtrace(work: fn(u64) -> u64, times: u64) -> u64 {
    black_box(black_box(work)(times))
}

#[inline(never)]
fn work_of_a_pool(times: u64) -> u64 {
    (0..200_000 * times).fold(1, |x, _| black_box(split::both(x)))
}

/// The callers of the work are the same functions of std in every stack.
#[test]
fn stacks_start_at_the_work_of_each_thread() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let profile = profile_of(|times| {
        let work = move || (0..200_000 * times).fold(1, |x, _| black_box(split::both(x)));
        let threads = [
            thread::spawn(work),
            thread::spawn(move || __rust_begin_short_backtrace(black_box(work_of_a_pool), times)),
        ];
        black_box(work());
        for thread in threads {
            thread.join().expect("the work does not panic");
        }
    })?;
    // A sample before or after the work of a thread has no function to start at.
    let table = View::new(&profile).focus("split::both")?.sort_by_cum().top_table();
    for outside in ["__rust_begin_short_backtrace", "clone3", "start_thread", "thread_start", "catch_unwind"]
    {
        assert!(!table.contains(outside), "{outside} in {table}");
    }
    let first = table.lines().nth(1).unwrap_or_default();
    assert!(first.contains("capture::split::both"), "the first row is {first} in {table}");
    // Nothing but frames is left out: this function has the samples of this thread.
    let own = table.lines().find(|line| line.contains("stacks_start_at_the_work_of_each_thread (inline)"));
    assert!(own.is_some(), "{table}");
    Ok(())
}

/// Functions that call each other, so that the compiler makes no loop of them.
mod recursion {
    use std::hint::black_box;

    #[inline(never)]
    pub(super) fn outer_a(depth: u64, times: u64) -> u64 {
        black_box(down(black_box(depth), times)).wrapping_add(1)
    }

    #[inline(never)]
    pub(super) fn outer_b(depth: u64, times: u64) -> u64 {
        black_box(down(black_box(depth), times)).wrapping_add(2)
    }

    #[inline(never)]
    fn down(depth: u64, times: u64) -> u64 {
        match depth {
            0 => (0..100_000 * times).fold(1, |x, _| black_box(super::split::both(x))),
            _ => black_box(black_box(down as fn(u64, u64) -> u64)(depth - 1, times)).wrapping_add(depth),
        }
    }
}

/// Returns the samples of the only node that `peek` shows for a function, and all samples.
fn samples(profile: &Profile, function: &str) -> Result<(i64, i64), Box<dyn Error>> {
    let view = View::new(profile).sample_index("samples")?;
    let peek = view.peek(function)?;
    let row = peek.lines().find(|row| row.contains("  | ")).ok_or("no row")?;
    Ok((row.split_whitespace().nth(3).ok_or("no column")?.parse()?, profile.total(0)))
}

#[test]
fn a_recursion_of_300_has_all_its_frames() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let profile = profile_of(|times| {
        black_box(recursion::outer_a(300, times));
        black_box(recursion::outer_b(300, 2 * times));
    })?;
    for (function, share) in [("recursion::outer_a$", 1.0 / 3.0), ("recursion::outer_b$", 2.0 / 3.0)] {
        let (found, all) = samples(&profile, function)?;
        assert!((found as f64 / all as f64 - share).abs() < 0.15, "{function} has {found} of {all} samples");
    }
    let focus = View::new(&profile).focus("outer_b")?.ignore("outer_a")?.top();
    assert!(focus.contains("recursion::outer_b") && !focus.contains("[truncated]"), "{focus}");
    Ok(())
}

#[test]
fn a_recursion_of_20000_is_below_a_root_that_says_so() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let profile = profile_of(|times| {
        let thread = thread::Builder::new().stack_size(64 << 20);
        let thread = thread.spawn(move || black_box(recursion::outer_b(20_000, times))).expect("a thread");
        thread.join().expect("the work does not panic");
    })?;
    let (truncated, all) = samples(&profile, r"^\[truncated\]$")?;
    assert!(truncated as f64 > 0.9 * all as f64, "only {truncated} of {all} samples");
    let view = View::new(&profile);
    let top = view.top();
    let line = top.lines().find(|line| line.starts_with("Truncated stacks: ")).ok_or("no line")?;
    let svg = String::from_utf8(view.flamegraph()?)?;
    assert!(svg.contains(line), "the flamegraph lacks: {line}");
    for table in [view.peek("split::both")?, view.list("split::three")?] {
        assert!(table.contains(line), "no line in {table}");
    }
    assert!(!top.contains("outer_b"), "it cannot be known: {top}");
    Ok(())
}

/// The handler of a signal needs more than the 16 KiB that a thread has at least.
#[test]
fn threads_with_small_stacks_are_profiled() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    for (size, depth) in [(16 << 10, 10), (64 << 10, 300)] {
        let profile = profile_of(|times| {
            let threads = [(); 2].map(|()| {
                let thread = thread::Builder::new().stack_size(size);
                thread.spawn(move || black_box(recursion::outer_a(depth, times))).expect("a thread")
            });
            for thread in threads {
                thread.join().expect("the work does not panic");
            }
        })?;
        let (found, all) = samples(&profile, "recursion::outer_a$")?;
        assert!(found as f64 > 0.9 * all as f64, "{found} of {all} samples in threads of {size} bytes");
    }
    Ok(())
}

#[test]
fn a_profile_ends_on_a_thread_with_a_small_stack() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let thread = thread::Builder::new().stack_size(64 << 10);
    let profile = thread.spawn(|| Capture::start(99)?.finish())?.join().expect("no panic")?;
    assert_eq!(profile.sample_types().count(), 2);
    Ok(())
}

#[test]
fn a_second_profile_can_start_only_after_the_first_has_ended() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let first = Capture::start(99)?;
    assert!(matches!(Capture::start(99), Err(CaptureError::AlreadyRunning)));
    drop(first);
    let second = Capture::start(99)?;
    assert!(matches!(Capture::start(99), Err(CaptureError::AlreadyRunning)));
    second.finish()?;
    Capture::start(99)?.finish()?;
    Ok(())
}

#[test]
fn frequencies_out_of_range_are_errors() {
    for hertz in [0, 1001, u32::MAX] {
        let started = Capture::start(hertz);
        assert!(matches!(started, Err(CaptureError::InvalidFrequency(given)) if given == hertz));
    }
}

#[test]
fn a_program_with_another_allocator_has_no_profile_of_the_heap() {
    assert!(pprof_views::heap::profile().is_err_and(|error| match error {
        CaptureError::NoHeapProfiler => Capture::IS_SUPPORTED,
        CaptureError::Unsupported => !Capture::IS_SUPPORTED,
        _ => false,
    }));
}

/// Few systems take a thousand samples per second. The values must not depend on the number of
/// samples taken.
#[cfg(target_os = "linux")]
#[test]
fn samples_add_up_to_the_cpu_time_of_the_system() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let mut ticks = 0;
    let profile = profile_of(|times| {
        let (before, mut x) = (cpu_ticks(), 1);
        while cpu_ticks() < before + 100 * times {
            x = (0..10_000).fold(x, |x, _| black_box(split::both(x)));
        }
        ticks = cpu_ticks() - before;
    })?;
    let nanos = profile.total(1);
    let ratio = nanos as f64 / (ticks * 10_000_000) as f64;
    assert!((0.9..1.1).contains(&ratio), "{nanos} ns in the profile, {ticks} ticks of 10 ms in the system");
    Ok(())
}

/// Returns the CPU time of this process in ticks. Linux reports it in ticks of 10 ms on all
/// machines.
#[cfg(target_os = "linux")]
fn cpu_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("a file of Linux");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let user_and_system = after_name.split_whitespace().skip(11).take(2);
    user_and_system.map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

/// The default unwinder of pprof-rs crashes if a signal interrupts the unwinding of a panic.
#[test]
fn a_process_that_catches_a_million_panics_can_be_profiled() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let caught = |_| catch_unwind(|| resume_unwind(Box::new(()))).is_err();
    let profile = profile_of(|times| {
        let panics = 500_000 * times;
        let threads = [(); 2].map(|()| thread::spawn(move || (0..panics).filter(|&n| caught(n)).count()));
        let counts = threads.map(|thread| thread.join().expect("all panics are caught"));
        assert_eq!(counts, [panics as usize; 2]);
    })?;
    assert!(View::new(&profile).top().contains("panic"));
    Ok(())
}

#[inline(never)]
fn measured(x: u64) -> u64 {
    (0..1000).fold(x, |x, i| black_box(x).rotate_left(5) ^ i)
}

/// Runs a benchmark of this name for some seconds, of which criterion needs one to warm up.
fn profile_benchmark(name: &str, profiler: Flamegraph, folder: &Path, seconds: u64) {
    let mut criterion = Criterion::default()
        .with_profiler(profiler)
        .output_directory(folder)
        .profile_time(Some(Duration::from_secs(seconds)));
    criterion.bench_function(name, |bencher| bencher.iter(|| measured(black_box(1))));
}

/// The trait `Profiler` of a variant of criterion, which calls in this order at most.
#[test]
fn a_profile_that_is_not_stopped_or_not_started_has_no_files() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let files = folder.path().join("files");
    let mut profiler = Flamegraph::new();
    profiler.stop(&files);
    assert!(!files.exists());
    profiler.start("first");
    profiler.start("second"); // takes the place of the first
    assert!(matches!(Capture::start(99), Err(CaptureError::AlreadyRunning)));
    let mut x = 1;
    // How long a sample takes depends on the timer of the system.
    let is_written = (0..12).map(|doubled| 1 << doubled).any(|times| {
        x = (0..200_000 * times).fold(x, |x, _| black_box(split::both(x)));
        profiler.stop(&files);
        profiler.start("second");
        let graph = fs::read_to_string(files.join("flamegraph.svg"));
        graph.is_ok_and(|graph| graph.contains(">second<") && graph.contains("split::both"))
    });
    assert!(is_written, "no flamegraph with a sample of the work");
    profiler.stop(&files);
    Capture::start(99)?.finish()?;
    fs::remove_dir_all(&files)?;
    profiler.stop(&files);
    assert!(!files.exists());
    Ok(())
}

#[test]
fn time_of_std_functions_that_criterion_calls_belongs_to_the_benchmark() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let mut criterion = Criterion::default()
        .with_profiler(Flamegraph::new().hertz(1000))
        .output_directory(folder.path())
        .profile_time(Some(Duration::from_secs(2)));
    // Nothing but reading the time before and after each iteration takes time.
    let nothing = |bencher: &mut Bencher| bencher.iter_batched(|| (), |()| (), BatchSize::PerIteration);
    criterion.bench_function("nothing", nothing);
    let graph = fs::read_to_string(folder.path().join("nothing/profile/flamegraph.svg"))?;
    assert!(graph.contains(">nothing<") && !graph.contains("std::time"), "{graph}");
    Ok(())
}

#[test]
fn a_benchmark_has_one_tower_in_its_flamegraph() -> Result<(), Box<dyn Error>> {
    let Some(_lock) = lock_capture() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    // No profile can be taken at this frequency, and the benchmark runs all the same.
    profile_benchmark("none", Flamegraph::new().hertz(0), folder.path(), 1);
    assert!(!folder.path().join("none/profile").exists());

    let files = folder.path().join("a _b_ & c/profile");
    // How many samples there are in a second depends on the timer of the system.
    let flamegraph = |seconds| {
        profile_benchmark("a <b> & c", Flamegraph::new(), folder.path(), seconds);
        fs::read_to_string(files.join("flamegraph.svg")).unwrap_or_default()
    };
    let has_sample = |graph: &String| graph.contains("capture::measured");
    let graph = [1, 4, 16, 64].into_iter().map(flamegraph).find(has_sample).expect("a sample");
    for text in [">a &lt;b&gt; &amp; c<", "s of CPU time"] {
        assert!(graph.contains(text), "no '{text}' in {graph}");
    }
    // Criterion calls a benchmark from two places, to warm up and to measure.
    assert_eq!(graph.matches("<title>capture::measured (").count(), 1, "not one tower: {graph}");
    for text in ["criterion::", "warm_up"] {
        assert!(!graph.contains(text), "'{text}' in {graph}");
    }
    assert!(files.join("cpu.pb.gz").is_file() && files.join("top.txt").is_file());
    Ok(())
}
