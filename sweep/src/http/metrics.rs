//! Metrics of a sweep in Prometheus' text format 0.0.4.

use std::fmt::Write;
use std::time::UNIX_EPOCH;

use crate::report::sweep_report::{Ending, Report};
use crate::watch::handle::Watch;
use crate::watch::status::Status;

/// The content type of the format.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A sample of a metric: its labels and its value.
type Sample = (Vec<(&'static str, String)>, f64);

/// Returns all metrics with help, type and values. Unknown values are left out.
pub(super) fn metrics(watch: &Watch) -> String {
    let Status { report, of, part, eta_seconds, .. } = Status::of(watch);
    let one =
        |value: Option<f64>| -> Vec<Sample> { value.map(|value| (vec![], value)).into_iter().collect() };
    let of_report = |get: fn(&Report) -> Option<f64>| one(report.as_ref().and_then(get));
    let saved = watch.saved().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let numbered = |label: &'static str, numbers: Vec<(usize, f64)>| -> Vec<Sample> {
        let sample = |(number, value): (usize, f64)| (vec![(label, number.to_string())], value);
        numbers.into_iter().map(sample).collect()
    };
    let lengths = report.as_ref().map(|report| &report.by_length);
    let lengths = lengths.into_iter().flatten().map(|(&length, &values)| (length, values as f64));
    let threads = report.as_ref().map(|report| &report.thread_cpu_seconds);
    let threads = threads.into_iter().flatten().copied().enumerate();
    let is_running = |report: &Report| Some(f64::from(u8::from(report.ending == Ending::Running)));
    let families: [(&str, &str, &str, Vec<Sample>); 12] = [
        ("sweep_info", "gauge", "The sweep, as labels.", report.iter().map(info).collect()),
        ("sweep_running", "gauge", "1 while the sweep runs.", of_report(is_running)),
        (
            "sweep_values_total",
            "counter",
            "Values checked, by encoded length in bytes.",
            numbered("length", lengths.collect()),
        ),
        (
            "sweep_failures_total",
            "counter",
            "Values that failed.",
            of_report(|report| Some(report.failures as f64)),
        ),
        ("sweep_planned_values", "gauge", "Values to check in total.", one(of.map(|values| values as f64))),
        (
            "sweep_completed_ratio",
            "gauge",
            "Fraction of the work that is done, from 0 to 1.",
            one(Some(part)),
        ),
        (
            "sweep_remaining_seconds",
            "gauge",
            "Estimated time remaining, at the rate of this run.",
            one(eta_seconds),
        ),
        (
            "sweep_elapsed_seconds",
            "gauge",
            "Time since the first value, earlier runs included.",
            of_report(|report| Some(report.seconds)),
        ),
        ("sweep_threads", "gauge", "Worker threads.", of_report(|report| Some(report.threads as f64))),
        (
            "sweep_cpu_seconds_total",
            "counter",
            "CPU time of the program, earlier runs included.",
            of_report(|report| report.cpu_seconds),
        ),
        (
            "sweep_thread_cpu_seconds_total",
            "counter",
            "CPU time of each worker thread, earlier runs included.",
            numbered("thread", threads.collect()),
        ),
        (
            "sweep_checkpoint_saved_timestamp_seconds",
            "gauge",
            "When the checkpoint was last saved, in seconds since 1970.",
            one(saved.map(|time| time.as_secs_f64())),
        ),
    ];
    let mut text = String::new();
    for (name, kind, help, samples) in families.iter().filter(|(.., samples)| !samples.is_empty()) {
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n"); // writing to a String cannot fail
        for (labels, value) in samples {
            let _ = writeln!(text, "{name}{} {value}", labelled(labels));
        }
    }
    text
}

/// Returns the sample whose labels describe the sweep.
fn info(report: &Report) -> Sample {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_default();
    let labels = vec![
        ("program", report.program.clone()),
        ("type", report.value_type.clone()),
        ("mode", report.mode.to_string()),
        ("codec", report.codec.clone()),
        ("kernel", or_none(&report.kernel)),
        ("fingerprint", report.fingerprint.clone()),
        ("shard", or_none(&report.shard)),
    ];
    (labels, 1.0)
}

/// Returns the labels in braces, or nothing if there are none.
fn labelled(labels: &[(&str, String)]) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<_> =
        labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
    if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) }
}
