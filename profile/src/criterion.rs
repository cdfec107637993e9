//! A flamegraph for each benchmark of the crate [`criterion`](https://docs.rs/criterion) (feature
//! `criterion`).
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
//! library in their callers, and the paths of the files that it writes (see [`Output`]). Without
//! `--profile-time`, benchmarks run as before.
//!
//! - Without `--bench NAME`, cargo passes `--profile-time` to the unit tests of the library as well,
//!   which do not know it. `bench = false` under `[lib]` prevents that.
//! - A share of the time is accurate to about 10 percentage points with 100 samples, to 3 with 1,000
//!   and to 1 with 10,000. Five seconds have up to 1,250 samples.
//! - The profile includes what criterion does not time: the set-up of `iter_batched`, what a
//!   benchmark does before it calls `iter`, and the first second, in which criterion warms up.
//! - The outermost frame is the benchmark. The frames of criterion and rayon are left out, and so
//!   are functions of the standard library that criterion calls, such as `Vec::extend`. Time that
//!   they use themselves belongs to the outermost frame. This requires debug information: set
//!   `debug = 1` in `[profile.bench]`.
//! - The version of criterion must be the same. Cargo may choose a newer one for this crate than for
//!   older benchmarks; `cargo update criterion@0.8.2 --precise 0.5.1` makes both use 0.5.1.

use std::error::Error;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::{fs, process};

use criterion::profiler::Profiler;

use crate::views::Work;
use crate::{Capture, Profile, View, ViewError};

/// Functions that call a benchmark or a part of it, and those of the panics that they catch.
const CALLERS: &str =
    "^<?(criterion|alloca|rayon|rayon_core|crossbeam_[a-z]+)::|^<?(std|core)::panic(king)?::";
/// The source files of the standard library.
const STD: &str = "/library/(core|alloc|std)/src/";
/// Those of its source files whose functions are small and nearly always inlined.
const SMALL: &str = concat!(
    "/library/(stdarch|alloc/src/(boxed|slice|vec)|core/src/(array|clone|cmp|convert|hint|intrinsics|",
    "iter|mem|num|ops|option|ptr|result|slice/(index|iter|mod|raw)|sync))[/.]",
);

/// A file that [`Flamegraph`] writes to the folder `profile` among criterion's results of a
/// benchmark, such as `target/criterion/sum/profile/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// `flamegraph.svg`, a flamegraph for browsers.
    Svg,
    /// `cpu.pb.gz`, a profile in pprof's format with all frames.
    Pprof,
    /// `top.txt`, the table of [`View::top`] without the frames of criterion and rayon.
    Top,
}

impl Output {
    const ALL: &[Self] = &[Self::Svg, Self::Pprof, Self::Top];

    fn file_name(self) -> &'static str {
        match self {
            Self::Svg => "flamegraph.svg",
            Self::Pprof => "cpu.pb.gz",
            Self::Top => "top.txt",
        }
    }
}

/// Profiles each benchmark if the benchmarks run with `--profile-time`.
///
/// If a profile cannot be taken, for instance because the system is not supported, the benchmarks
/// run without it, and the reason is printed once. If a file cannot be written, the process ends
/// with exit code 1.
pub struct Flamegraph {
    hertz: u32,
    outputs: Vec<Output>,
    running: Option<Capture>,
    last_error: String,
}

impl Flamegraph {
    /// Creates a profiler that takes 250 samples per second of CPU time and writes all files.
    pub fn new() -> Self {
        Self { hertz: 250, outputs: Output::ALL.to_vec(), running: None, last_error: String::new() }
    }

    /// Sets the number of samples per second of CPU time, as in [`Capture::start`].
    pub fn hertz(self, hertz: u32) -> Self {
        Self { hertz, ..self }
    }

    /// Sets which files are written.
    pub fn outputs(self, outputs: &[Output]) -> Self {
        Self { outputs: outputs.to_vec(), ..self }
    }

    /// Prints why there is no profile of a benchmark, unless it is the reason of the previous one.
    fn report(&mut self, id: &str, error: &dyn Error) {
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

impl Profiler for Flamegraph {
    fn start_profiling(&mut self, id: &str, _folder: &Path) {
        match Capture::start(self.hertz) {
            Ok(capture) => self.running = Some(capture),
            Err(error) => self.report(id, &error),
        }
    }

    fn stop_profiling(&mut self, id: &str, folder: &Path) {
        let Some(capture) = self.running.take() else { return };
        let result = capture
            .finish()
            .map_err(Into::into)
            .and_then(|profile| Summary::new(id, &profile, &self.outputs));
        let summary = match result {
            Ok(summary) => summary,
            Err(error) => return self.report(id, &*error),
        };
        end_status_line();
        println!("{}", summary.text);
        for (output, content) in summary.files {
            let path = folder.join(output.file_name());
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
}

/// What is printed and written for a benchmark.
struct Summary {
    text: String,
    files: Vec<(Output, Vec<u8>)>,
}

impl Summary {
    fn new(id: &str, profile: &Profile, outputs: &[Output]) -> Result<Self, Box<dyn Error>> {
        let (samples, seconds) = (profile.total(0), profile.total(1) as f64 / 1e9);
        let amount = format!("{seconds:.2} s of CPU time, {samples} samples");
        let is_detailed = has_debug_information(profile);
        // Without it, the work may be part of these functions.
        let without = |pattern| if is_detailed { hide(profile, pattern) } else { Ok(View::new(profile)) };
        let view = without(CALLERS)?;
        let content = |&output: &Output| {
            let content = match output {
                Output::Svg => view.flamegraph_of(&Work { name: id, amount: &amount, wrappers: STD })?,
                Output::Pprof => profile.to_gzip()?,
                Output::Top => view.top()?.into_bytes(),
            };
            Ok((output, content))
        };
        let files = outputs.iter().map(content).collect::<Result<_, Box<dyn Error>>>()?;
        let hottest = without(&format!("{CALLERS}|{SMALL}"))?.node_count(5).top_table()?;
        let mut text = format!("{id}: {amount}\n");
        // Fewer than five functions may have samples of their own.
        for row in hottest.lines().filter(|row| !row.trim_start().starts_with("0 ")) {
            text += &format!("{row}\n");
        }
        if !is_detailed {
            text += "no debug information: inlined functions and lines are unknown; \
                     set `debug = 1` in [profile.bench] of Cargo.toml, and no `strip`\n";
        }
        Ok(Self { text, files })
    }
}

/// Returns whether there is debug information of Rust code, other than that of the standard library.
fn has_debug_information(profile: &Profile) -> bool {
    let mut files = profile.tables.function.iter().map(|function| profile.text(function.filename));
    files
        .any(|file| file.ends_with(".rs") && !file.starts_with("/rustc/") && !file.starts_with("/rust/deps/"))
}

/// Returns a view without the functions and files that match, if there are any.
fn hide<'p>(profile: &'p Profile, pattern: &str) -> Result<View<'p>, ViewError> {
    match View::new(profile).hide(pattern) {
        Err(ViewError::NoMatch(_)) => Ok(View::new(profile)),
        view => view,
    }
}

/// Ends the line in which criterion shows its progress on a terminal.
fn end_status_line() {
    if stdout().is_terminal() {
        eprintln!();
    }
}
