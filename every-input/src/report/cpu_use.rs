//! How much of the CPUs a sweep has used, in all and by thread, as text.

use crate::report::sweep_report::{Report, ThreadCpu};
use crate::texts::plural;

/// The time in seconds from which on a thread is measured well enough to be named.
const LONG: f64 = 1.0;
/// The use of a CPU in percent from which on a thread that is not a worker is named.
const NOTABLE: f64 = 10.0;

/// Returns the use as one line, or two if threads besides the workers have used CPU time; `None` if the
/// system does not report it.
pub(crate) fn cpu_use(report: &Report) -> Option<String> {
    let percent = |thread: &ThreadCpu| 100.0 * thread.cpu_seconds / report.seconds.max(1e-9);
    let threads = report.cpu_by_thread.iter();
    let (workers, others): (Vec<_>, Vec<_>) = threads.partition(|thread| thread.worker);
    let (children, workers): (Vec<_>, Vec<_>) = workers.into_iter().partition(|one| one.name == "children");
    let children: Vec<f64> = children.into_iter().map(percent).collect();
    let used = report.cpu_seconds? / report.seconds.max(1e-9);
    let of = report.cpus.map_or("CPUs".into(), |cpus| format!("of {}", plural(cpus as u128, "CPU")));
    let mut text = format!("CPU: {used:.2} {of} used");
    if report.seconds < LONG {
        return Some(text);
    }
    if let (Some(first), Some(last)) = (workers.first(), workers.last()) {
        let shares = || workers.iter().map(|worker| percent(worker).round());
        let (least, most) = (shares().fold(f64::INFINITY, f64::min), shares().fold(0.0, f64::max));
        text += &format!("; {}", first.name);
        if workers.len() > 1 {
            text += &format!(" to {}", last.name);
        }
        text += &if least < most { format!(": {least} to {most} %") } else { format!(": {most} %") };
    }
    children.iter().for_each(|share| text += &format!("; children: {share:.0} %"));
    let others = others.into_iter().filter(|thread| percent(thread) >= NOTABLE);
    let others: Vec<_> = others.map(|one| format!("{} {:.0} %", one.name, percent(one))).collect();
    if !others.is_empty() {
        text += &format!("\nthreads besides the workers used CPU: {}", others.join(", "));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of a sweep of ten seconds on 64 CPUs with these threads.
    fn text(threads: &[(&str, f64, bool)]) -> Vec<String> {
        let thread = |&(name, cpu_seconds, worker): &(&str, f64, bool)| ThreadCpu {
            name: name.into(),
            cpu_seconds,
            worker,
        };
        let cpu_by_thread = threads.iter().map(thread).collect();
        let (cpu_seconds, cpus) = (Some(40.0), Some(64));
        let report = Report { seconds: 10.0, cpu_seconds, cpu_by_thread, cpus, ..Report::default() };
        cpu_use(&report).expect("a text").lines().map(str::to_owned).collect()
    }

    #[test]
    fn workers_are_a_range_and_other_threads_are_named_if_they_use_much() {
        assert_eq!(text(&[]), ["CPU: 4.00 of 64 CPUs used"]);
        assert_eq!(
            text(&[("main", 0.5, false), ("sweep-1", 9.94, true)]),
            ["CPU: 4.00 of 64 CPUs used; sweep-1: 99 %"]
        );
        let workers = [("sweep-1", 9.9, true), ("sweep-2", 9.7, true), ("sweep-10", 9.8, true)];
        assert_eq!(text(&workers), ["CPU: 4.00 of 64 CPUs used; sweep-1 to sweep-10: 97 to 99 %"]);
        let others = [
            ("children", 15.0, true),
            ("helper", 4.5, false),
            ("sweep-1", 1.0, true),
            ("unnamed", 1.0, false),
        ];
        assert_eq!(
            text(&others),
            [
                "CPU: 4.00 of 64 CPUs used; sweep-1: 10 %; children: 150 %",
                "threads besides the workers used CPU: helper 45 %, unnamed 10 %"
            ]
        );
    }
}
