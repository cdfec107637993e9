//! A flamegraph for each benchmark of the crate [`criterion`](https://docs.rs/criterion) (feature
//! `criterion`), or of its variants (feature `program`).
//!
//! Give criterion the profiler:
//!
//! ```no_run
//! use criterion::{Criterion, criterion_group, criterion_main};
//! use pprof_views::criterion::Flamegraph;
//!
//! fn sum(c: &mut Criterion) {
//!     let values: Vec<u64> = (0..1000).collect();
//!     c.bench_function("sum", |b| b.iter(|| values.iter().map(std::hint::black_box).sum::<u64>()));
//! }
//!
//! criterion_group! {
//!     name = benches;
//!     config = Criterion::default().with_profiler(Flamegraph::new());
//!     targets = sum
//! }
//! criterion_main!(benches);
//! ```
//!
//! `cargo bench --bench NAME -- --profile-time 5` then runs each benchmark for five seconds. It
//! prints the five functions with the most CPU time, counting small functions of the standard
//! library in their callers, and the paths of the files that [`Flamegraph`] writes. Without
//! `--profile-time`, benchmarks run as before, and at the end `cargo bench` prints this command on
//! standard error. `--quiet` omits it.
//!
//! - Without `--bench NAME`, cargo passes `--profile-time` also to the library's unit tests, which do
//!   not know it. `bench = false` under `[lib]` prevents that.
//! - A share of the time is accurate to about 10 percentage points with 100 samples, to 3 with 1,000
//!   and to 1 with 10,000. Five seconds have up to 1,250 samples.
//! - The profile includes what criterion does not time: the set-up of `iter_batched`, what a
//!   benchmark does before it calls `iter`, and the first second, in which criterion warms up.
//!   [`Flamegraph::ignore`] leaves out what is not to be seen.
//! - The outermost frame is the benchmark. The frames of criterion and rayon are left out, and so
//!   are functions of the standard library that criterion calls, such as `Vec::extend`. Time that
//!   they use themselves belongs to the outermost frame. This requires debug information: set
//!   `debug = 1` in `[profile.bench]`.
//! - The version of criterion must be the same. Cargo may choose a newer one for this crate than for
//!   older benchmarks; `cargo update criterion@0.8 --precise 0.5.1` makes both use 0.5.1.
//!
//! # Variants of criterion
//!
//! The feature `criterion` implements the trait `Profiler` of criterion 0.5 to 0.8. A variant, such as
//! `codspeed-criterion-compat`, and another version have a trait of their own. Enable only the
//! feature `program` for them, and implement it:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use criterion::Criterion;
//! use pprof_views::criterion::Flamegraph;
//!
//! struct Profiler(Flamegraph);
//!
//! impl criterion::profiler::Profiler for Profiler {
//!     fn start_profiling(&mut self, id: &str, _folder: &Path) { self.0.start(id) }
//!     fn stop_profiling(&mut self, _id: &str, folder: &Path) { self.0.stop(folder) }
//! }
//!
//! let criterion = Criterion::default().with_profiler(Profiler(Flamegraph::new()));
//! # let _ = criterion;
//! ```
//!
//! [`Flamegraph::start`] before `divan::main()` and [`Flamegraph::stop`] after it make one profile of all
//! benchmarks of the crate `divan`. Other harnesses were not tried.

mod hint;
mod summary;

use std::fmt::Display;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::{fs, process};

use regex_lite::Regex;

use crate::Capture;
use hint::Hint;
use summary::Summary;

/// Profiles each benchmark if the benchmarks run with `--profile-time`.
///
/// It writes three files to the folder `profile` among criterion's results of a benchmark, such as
/// `target/criterion/sum/profile/`:
///
/// - `flamegraph.svg`, a flamegraph for browsers.
/// - `cpu.pb.gz`, a profile in pprof's format with all frames of the samples that are not ignored.
/// - `top.txt`, the table of [`View::top`](crate::View::top) without the frames of criterion and rayon.
///
/// If a profile cannot be taken, for instance because the system is not supported, the benchmarks
/// run without it, and the reason is printed once. If a file cannot be written, the process ends
/// with exit code 1.
pub struct Flamegraph {
    hertz: u32,
    ignored: Option<Regex>,
    /// The benchmark whose profile is being taken.
    running: Option<(String, Capture)>,
    last_error: String,
    hint: Hint,
}

impl Flamegraph {
    /// Creates a profiler that takes 250 samples per second of CPU time.
    pub fn new() -> Self {
        Self { hertz: 250, ignored: None, running: None, last_error: String::new(), hint: Hint }
    }

    /// Sets the number of samples per second of CPU time, as in [`Capture::start`].
    pub fn hertz(self, hertz: u32) -> Self {
        Self { hertz, ..self }
    }

    /// Leaves out the samples with a function or file in their stack that matches the regular
    /// expression `pattern`, as [`View::ignore`](crate::View::ignore) does, from all that is written and printed.
    ///
    /// What criterion does not time is thus kept out of the profile. The number of ignored samples
    /// stands beside that of the others, and percentages are relative to the others. Compilers
    /// inline small functions, which debug information or `#[inline(never)]` keeps recognizable.
    ///
    /// # Panics
    ///
    /// Panics if `pattern` is not a regular expression.
    ///
    /// # Examples
    ///
    /// Profile sorting without the preparation of the values:
    ///
    /// ```
    /// use criterion::{BatchSize, Criterion};
    /// use pprof_views::criterion::Flamegraph;
    ///
    /// #[inline(never)]
    /// fn shuffled() -> Vec<u32> {
    ///     (0..1000u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect()
    /// }
    ///
    /// let mut criterion = Criterion::default().with_profiler(Flamegraph::new().ignore("::shuffled$"));
    /// # let folder = std::env::temp_dir().join(format!("pprof-views-{}", std::process::id()));
    /// # let second = std::time::Duration::from_secs(1);
    /// # criterion = criterion.output_directory(&folder).profile_time(Some(second));
    /// criterion.bench_function("sort", |b| {
    ///     b.iter_batched(shuffled, |mut values| values.sort_unstable(), BatchSize::SmallInput)
    /// });
    /// # if let Ok(table) = std::fs::read_to_string(folder.join("sort/profile/top.txt")) {
    /// #     assert!(table.contains("sort") && !table.contains("shuffled"), "{table}");
    /// #     std::fs::remove_dir_all(folder).unwrap();
    /// # }
    /// ```
    #[track_caller]
    pub fn ignore(self, pattern: &str) -> Self {
        match Regex::new(pattern) {
            Ok(regex) => Self { ignored: Some(regex), ..self },
            Err(error) => panic!("invalid regular expression '{pattern}': {error}"),
        }
    }

    /// Starts to profile the benchmark `id`. Criterion calls this with the feature `criterion`.
    ///
    /// If a profile cannot be taken, the reason is printed, and [`stop`](Self::stop) does nothing. A
    /// profile that was started before and not stopped is discarded, and a message says so.
    pub fn start(&mut self, id: &str) {
        self.hint.withdraw();
        if let Some((previous, _)) = self.running.take() {
            self.report(&previous, &format!("'{id}' started before it was stopped"));
        }
        match Capture::start(self.hertz) {
            Ok(capture) => self.running = Some((id.to_owned(), capture)),
            Err(error) => self.report(id, &error),
        }
    }

    /// Ends the profile that [`start`](Self::start) has started, prints its hottest functions, and
    /// writes its files to `folder`, which is created. Does nothing if there is no such profile.
    pub fn stop(&mut self, folder: &Path) {
        let Some((id, capture)) = self.running.take() else { return };
        let result = capture
            .finish()
            .map_err(Into::into)
            .and_then(|profile| Summary::new(&id, profile, self.ignored.as_ref()));
        let summary = match result {
            Ok(summary) => summary,
            Err(error) => return self.report(&id, &error),
        };
        end_status_line();
        println!("{}", summary.text);
        for (name, content) in summary.files {
            let path = folder.join(name);
            if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&path, content)) {
                eprintln!(
                    "cannot write {}: {error}; make the folder writable, or set CRITERION_HOME to another",
                    path.display()
                );
                process::exit(1);
            }
            println!("{}", path.display());
        }
        println!();
    }

    /// Prints why there is no profile of a benchmark, unless it is the reason of the previous one.
    fn report(&mut self, id: &str, error: &dyn Display) {
        let error = error.to_string();
        if error != self.last_error {
            end_status_line();
            eprintln!("{id}: no flamegraph: {error}");
            self.last_error = error;
        }
    }
}

impl Default for Flamegraph {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "criterion")]
impl ::criterion::profiler::Profiler for Flamegraph {
    fn start_profiling(&mut self, id: &str, _folder: &Path) {
        self.start(id);
    }

    fn stop_profiling(&mut self, _id: &str, folder: &Path) {
        self.stop(folder);
    }
}

/// Ends the line in which criterion shows its progress on a terminal.
fn end_status_line() {
    if stdout().is_terminal() {
        eprintln!();
    }
}

#[cfg(test)]
mod tests {
    use std::any::type_name_of_val;

    use super::*;

    #[test]
    fn samples_of_the_start_and_stop_of_a_profile_are_left_out() -> Result<(), regex_lite::Error> {
        let own = Regex::new(summary::OWN)?;
        for name in [type_name_of_val(&Flamegraph::start), type_name_of_val(&Flamegraph::stop)] {
            assert!(own.is_match(name), "{name}");
        }
        assert!(own.is_match("<pprof_views::criterion::Flamegraph as criterion::profiler::Profiler>::stop"));
        assert!(own.is_match("pprof_views::capture::sampling::Sampling::stop"));
        assert!(!own.is_match("pprof_views::criterion::summary::tests::measured"));
        Ok(())
    }

    #[test]
    #[should_panic(expected = "invalid regular expression 'untimed(': ")]
    fn ignore_names_an_invalid_pattern() {
        Flamegraph::new().ignore("untimed(");
    }
}
