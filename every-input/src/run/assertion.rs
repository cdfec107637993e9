//! A sweep as one line of a test, which panics if an input fails.

use std::env;
use std::sync::Arc;
use std::thread;

use super::settings::RequestedMode;
use super::sweep::{ErasedSweep, Sweep};
use crate::check::driver::subject;
use crate::check::erased::ErasedCheck;
use crate::check::failure::Failure;
use crate::check::function::{Check, CheckResult};
use crate::error::SweepError;
use crate::plan::interval::Interval;
use crate::plan::space::Space;
use crate::report::sweep_report::Report;
use crate::watch::handle::Watch;
use crate::watch::periodic::ProgressLine;

/// The environment variable with the inputs to check alone, as a failure prints it.
const ONLY: &str = "SWEEP_ONLY";

/// Returns a sweep of every one of these inputs, whose [`check`](Sweep::check) is a test.
///
/// ```
/// use every_input::{all, exhaustive};
///
/// exhaustive(all::<u16>()).check(|x| x.count_ones() + x.count_zeros() == 16);
/// exhaustive(0.0f32..=1.0e-40).check(|x| x.sqrt() >= x);
/// ```
///
/// For a limit of time instead, take a sample of what does not fit:
///
/// ```
/// use std::time::Duration;
/// use every_input::{Sweep, all};
///
/// let sweep = Sweep::of(all::<u64>()).budget(Duration::from_millis(100));
/// sweep.check(|x| x.swap_bytes().swap_bytes() == x);
/// ```
pub fn exhaustive<S: Space>(space: S) -> Sweep<S> {
    Sweep::of(space).exhaustive()
}

impl<S: Space> Sweep<S> {
    /// Checks a function, and shows the progress on standard error.
    ///
    /// On a terminal that is a line, which the test runner does not hide. Elsewhere it is a text after one
    /// second, then at doubling intervals, and `cargo test -- --nocapture` shows it.
    ///
    /// Build tests with optimizations, and without overflow checks, which stop the vectorizer.
    ///
    /// # Panics
    ///
    /// Panics with the report if an input fails, or if the sweep cannot run. The message has the
    /// failing ranges, whose ends are exact among the inputs that were checked, and the value of the
    /// environment variable `SWEEP_ONLY` with which the test checks only these.
    ///
    /// ```should_panic
    /// use every_input::{all, exhaustive};
    ///
    /// exhaustive(all::<i16>()).check(|x| x.wrapping_abs() >= 0); // fails for i16::MIN
    /// ```
    #[track_caller]
    pub fn check<V: CheckResult>(self, function: impl Fn(S::Item) -> V + Sync) {
        self.check_with(function);
    }

    /// Checks a function as [`check`](Self::check) does, by any kind of check, such as
    /// [`agrees`](crate::agrees).
    ///
    /// # Panics
    ///
    /// Panics as [`check`](Self::check) does.
    ///
    /// ```
    /// use every_input::{SameBits, agrees, exhaustive};
    ///
    /// exhaustive(0.0f32..=1.0e-40).check_with(agrees(|x: f32| -x, |x| x * -1.0, SameBits));
    /// ```
    #[track_caller]
    pub fn check_with(self, check: impl Check<S::Item>) {
        self.assert(&check);
    }

    #[track_caller]
    fn assert(self, check: &dyn ErasedCheck<S::Item>) {
        let Self { space, erased } = self;
        erased.assert(&|sweep, name, watch| {
            sweep.run(space.count(), Ok(subject(name, &space, check)), watch, None)
        });
    }
}

/// Runs a sweep with the name of the test.
type Run<'r> = &'r dyn Fn(&ErasedSweep, &str, &Watch) -> Result<Report, SweepError>;

impl ErasedSweep {
    #[track_caller]
    fn assert(self, run: Run<'_>) {
        let name = thread::current().name().unwrap_or("main").to_owned();
        let watch = Arc::new(Watch::new());
        let result = match env::var(ONLY) {
            Ok(only) => self.only(&only),
            Err(_) => Ok(self),
        };
        let result = result.and_then(|sweep| {
            let _line = ProgressLine::or_log(Arc::clone(&watch), |line| eprintln!("{line}"));
            run(&sweep, &name, &watch).map_err(|error| error.to_string())
        });
        match result {
            Ok(report) if report.failures == 0 && report.complete => {}
            Ok(report) => panic!("\n{report}{}", replay(&report, &name)),
            Err(message) => panic!("{message}"),
        }
    }

    /// Restricts the sweep to the inputs with these texts, such as `1.0..=2.0 | 5.0`.
    fn only(mut self, texts: &str) -> Result<Self, String> {
        let space = self.settings.space.clone();
        let number = |text: &str| {
            let unknown = || {
                format!("{ONLY}: '{text}' is not an input of {}; copy it from a failure", self.inputs.name())
            };
            let own = |number: &i128| self.inputs.numbers.is_some_and(|numbers| numbers.contains(*number));
            let number = space.number(text.trim()).filter(own).ok_or_else(unknown)?;
            let shown = space.text(number);
            match space.number(&shown).filter(|&other| other != number) {
                None => Ok(number),
                Some(other) => Err(format!(
                    "space '{}': '{shown}' is the text of number {number}, and read as {other}; \
                     make `show` and `parse` agree",
                    space.name
                )),
            }
        };
        let interval = |text: &str| {
            let (first, last) = text.split_once("..=").unwrap_or((text, text));
            let reversed = || format!("{ONLY}: '{text}' is reversed; write the smaller bound first");
            Interval::new(number(first)?, number(last)?).ok_or_else(reversed)
        };
        let intervals: Result<Vec<_>, String> = texts.split(SEPARATOR).map(interval).collect();
        self.settings.requested_mode = RequestedMode::Exhaustive;
        self.ranges = Some(self.inputs.ranges(intervals?));
        Ok(self)
    }
}

/// Separates inputs. Their texts may contain commas, but rarely this.
const SEPARATOR: &str = " | ";

/// Returns the line that says how to check the failing inputs again.
fn replay(report: &Report, test: &str) -> String {
    let text = |failure: &Failure| match &failure.last {
        Some(last) => format!("{}..={last}", failure.value),
        None => failure.value.clone(),
    };
    let texts: Vec<_> = report.first_failures.iter().map(text).collect();
    if texts.is_empty() {
        return String::new();
    }
    let only = texts.join(SEPARATOR).replace('\'', r"'\''");
    format!("to check only these: {ONLY}='{only}' cargo test {test}\n")
}
