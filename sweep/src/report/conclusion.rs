//! The last lines of a report as text, whatever was checked: speed, failures, ending and result.

use std::fmt::{self, Display};

use super::numbers::{grouped, plural};
use super::sweep_report::Ending;

/// How long a run took and how fast it was, from `in` on.
pub(crate) struct Speed {
    pub(crate) seconds: f64,
    pub(crate) threads: usize,
    /// What was checked, in the plural, and how many of them per second.
    pub(crate) checked: &'static str,
    pub(crate) per_second: f64,
    /// CPU time of all threads, if the system reports it, and the CPU time that they could have used.
    pub(crate) cpu_seconds: Option<f64>,
    pub(crate) available_cpu_seconds: f64,
}

impl Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seconds, checked, available_cpu_seconds: available, .. } = self;
        let (threads, rate) = (plural(self.threads as u128, "thread"), grouped(self.per_second as u128));
        write!(f, "in {seconds:.2} s on {threads}, {rate} {checked}/s")?;
        let Some(cpu) = self.cpu_seconds else { return Ok(()) };
        let percent = 100.0 * cpu / available.max(1e-9);
        write!(f, "; CPU {cpu:.2} s of {available:.2} s ({percent:.0} %)")
    }
}

/// Lists the first of `count` failures, called by `noun`; nothing if there are none.
pub(crate) fn failures(
    f: &mut fmt::Formatter<'_>,
    noun: &str,
    first: &[impl Display],
    count: u64,
) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    writeln!(f, "\n{noun}s:")?;
    first.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
    let more = count.saturating_sub(first.len() as u64);
    if more > 0 { writeln!(f, "  and {} more", grouped(more.into())) } else { Ok(()) }
}

/// Says why the run ended, if it is not complete.
pub(crate) fn ending(f: &mut fmt::Formatter<'_>, noun: &str, ending: Ending) -> fmt::Result {
    match ending {
        Ending::Complete => Ok(()),
        Ending::Failures => writeln!(f, "\nstopped: {noun}s enough (--max-failures 0 counts them all)"),
        Ending::Breakdown => writeln!(f, "\nstopped: the codec broke down too often"),
        Ending::Interrupted => writeln!(f, "\ninterrupted: only what is named above was checked"),
        Ending::Running => writeln!(f, "\nnot at its end: only what is named above was checked"),
    }
}

/// Returns the result: whether there were failures, called by `noun`, in or about what was `checked`.
pub(crate) fn result(noun: &str, failures: u64, checked: &str, complete: bool) -> String {
    match failures {
        0 if complete => format!("OK: no {noun} {checked}"),
        0 => format!("INCOMPLETE: no {noun} {checked}"),
        _ => format!("FAILED: {} {checked}", plural(failures.into(), noun)),
    }
}
