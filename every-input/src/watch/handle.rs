//! The handle with which other threads observe and stop a running sweep.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use crate::check::failure::Failure;
use crate::check::panics::lock;
use crate::error::SweepError;
use crate::plan::interval::union;
use crate::plan::space_names::by_name;
use crate::report::cpu_use::cpu_use;
use crate::report::running_report::RunningReport;
use crate::report::setting::{LIBRARY, setting};
use crate::report::sweep_report::{Ending, Report};
use crate::state::failure_list::FailureList;
use crate::texts::{grouped, long_time};
use crate::watch::governor;
use crate::watch::progress::SweepProgress;

/// A handle shared with a running sweep, with which it can be observed and stopped.
///
/// [`Status::of`](crate::Status::of) returns what it does.
#[derive(Default)]
pub struct Watch {
    /// Empty for this library.
    program: String,
    replay_command: Option<String>,
    stopped: AtomicBool,
    pub(crate) running: OnceLock<Arc<RunningReport>>,
    pub(crate) checkpoint: OnceLock<PathBuf>,
    saved: Mutex<Option<SystemTime>>,
    pub(crate) end: OnceLock<Result<Report, SweepError>>,
    on_warning: Option<Box<OnWarning>>,
    notes: Mutex<Vec<String>>,
    pub(crate) failure_list: Option<Arc<FailureList>>,
}

/// The number of inputs up to which a sweep takes so little time that it needs no warning.
const SMALL: u128 = 1 << 20;

type OnWarning = dyn Fn(&str) + Send + Sync;

impl Watch {
    /// Returns a watch for one sweep, whose report names this library as the program.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a watch for one sweep by a program with this name and version. Reports name the
    /// program, and a checkpoint of another program is refused.
    ///
    /// Messages name the settings of the sweep as options of the program, such as `--max-failures 0`
    /// for [`Sweep::max_failures`](crate::Sweep::max_failures).
    pub fn for_program(program: impl Into<String>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    /// Sets a command that checks single values again, without its ranges. It is written for a
    /// shell, such as `sweep --type i64 --codec bulk --exhaustive`.
    ///
    /// [`Status::replay`](crate::Status::replay) is this command with the ranges of the listed
    /// failures.
    pub fn replay_command(mut self, command: impl Into<String>) -> Self {
        self.replay_command = Some(command.into());
        self
    }

    /// Sets a function that is called with each warning, such as one before a sweep of all values that
    /// is estimated to take longer than a day. A plan of more than 2^20 values is measured for that,
    /// which takes a moment.
    pub fn on_warning(mut self, call: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_warning = Some(Box::new(call));
        self
    }

    /// Writes all failures to this list, while a report has only the first ones. If the list cannot
    /// be written, the sweep ends as if it was interrupted; see [`FailureList::error`].
    pub fn list_failures(mut self, list: Arc<FailureList>) -> Self {
        self.failure_list = Some(list);
        self
    }

    /// Returns the warnings so far.
    pub(crate) fn notes(&self) -> Vec<String> {
        lock(&self.notes).clone()
    }

    pub(crate) fn warn(&self, warning: &str) {
        lock(&self.notes).push(warning.to_owned());
        if let Some(warn) = &self.on_warning {
            warn(warning);
        }
    }

    pub(crate) fn program(&self) -> &str {
        if self.program.is_empty() { LIBRARY } else { &self.program }
    }

    /// Returns whether the sweep has begun to check values. With the checkpoint of a complete sweep it
    /// never does.
    pub fn has_begun(&self) -> bool {
        self.running.get().is_some()
    }

    /// Returns what is checked, the progress, and the CPU use of the threads since the start as lines of
    /// text; `None` if the sweep has not begun to check values.
    pub fn progress(&self) -> Option<String> {
        let running = self.running.get()?;
        let report = running.saved(Ending::Running).report;
        let text = format!("{}: {}", report.title(), SweepProgress::of(running).text(running.space.noun));
        Some(text + &cpu_use(&report).map(|cpu| "\n".to_owned() + &cpu).unwrap_or_default())
    }

    /// Asks the sweep to end with the calls under way and return its report.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Returns whether the sweep was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Warns if the power saving of the CPUs makes rates vary, unless a sweep is small. The first sweep
    /// of the process prints it, and each has it in its status.
    pub(crate) fn warn_of_governor(&self, values: Option<u128>) {
        if values.is_some_and(|values| values <= SMALL) {
            return;
        }
        static IS_PRINTED: AtomicBool = AtomicBool::new(false);
        let Some(note) = governor::note(Path::new(governor::CPUS)) else { return };
        if self.on_warning.is_some() && !IS_PRINTED.swap(true, Relaxed) {
            self.warn(&note);
        } else {
            lock(&self.notes).push(note);
        }
    }

    /// Warns if checking every one of these values takes longer than a day. `measure` returns the
    /// time in seconds.
    pub(crate) fn warn_of_long_sweep(&self, values: u128, measure: impl FnOnce() -> f64) {
        const DAY: f64 = 86_400.0;
        if self.on_warning.is_some() && values > SMALL {
            let seconds = measure();
            if seconds > DAY {
                let [sample, shard] = ["sample", "shard"].map(|method| setting(self.program(), method));
                self.warn(&format!(
                    "checking {} values takes about {} on this machine; check a random sample with {sample}, or \
                     divide them among machines with {shard}",
                    grouped(values),
                    long_time(seconds)
                ));
            }
        }
    }

    /// Returns the command that checks these failures again, if there is one.
    pub(crate) fn replay(&self, failures: &[Failure], value_type: &str) -> Option<String> {
        let (mut command, space) = (self.replay_command.clone()?, by_name(value_type)?);
        let ranges = union(failures.iter().filter_map(|failure| failure.reproducing_inputs(&space)));
        command.extend(ranges.iter().map(|range| format!(" {}..={}", range.first, range.last)));
        (!ranges.is_empty()).then_some(command)
    }

    pub(crate) fn saved_now(&self) {
        *lock(&self.saved) = Some(SystemTime::now());
    }

    /// Returns the time at which this run last saved its checkpoint.
    pub(crate) fn saved(&self) -> Option<SystemTime> {
        *lock(&self.saved)
    }
}
