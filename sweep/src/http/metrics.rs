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
    let mut text = String::new();
    let mut add = |name: &str, help: &str, samples: Vec<Sample>| {
        let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
        if !samples.is_empty() {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n"); // cannot fail in a String
        }
        for (labels, value) in samples {
            let _ = writeln!(text, "{name}{} {value}", labelled(&labels));
        }
    };
    let one = |value: Option<f64>| -> Vec<Sample> { Vec::from_iter(value.map(|value| (vec![], value))) };
    let of_report = |get: fn(&Report) -> Option<f64>| one(report.as_ref().and_then(get));
    let of_length = |(length, &count): (&usize, &u64)| (vec![("length", length.to_string())], count as f64);
    let lengths = report.iter().flat_map(|report| &report.by_length).map(of_length).collect();
    let is_running = |report: &Report| Some(f64::from(u8::from(report.ending == Ending::Running)));
    let saved = watch.saved().and_then(|time| time.duration_since(UNIX_EPOCH).ok());

    add("sweep_info", "The sweep, as labels.", report.iter().map(info).collect());
    add("sweep_running", "1 while the sweep runs.", of_report(is_running));
    add("sweep_values_total", "Values checked, by encoded length in bytes.", lengths);
    add("sweep_failures_total", "Values that failed.", of_report(|report| Some(report.failures as f64)));
    add("sweep_planned_values", "Values to check in total.", one(of.map(|values| values as f64)));
    add("sweep_completed_ratio", "Fraction of the work that is done, from 0 to 1.", one(Some(part)));
    add("sweep_remaining_seconds", "Estimated time remaining, at the rate of this run.", one(eta_seconds));
    let elapsed = of_report(|report| Some(report.seconds));
    add("sweep_elapsed_seconds", "Time since the first value, earlier runs included.", elapsed);
    add("sweep_threads", "Worker threads.", of_report(|report| Some(report.threads as f64)));
    let cpu = of_report(|report| report.cpu_seconds);
    add("sweep_cpu_seconds_total", "CPU time of the program, earlier runs included.", cpu);
    let help = "When the checkpoint was last saved, in seconds since 1970.";
    add("sweep_checkpoint_saved_timestamp_seconds", help, one(saved.map(|time| time.as_secs_f64())));
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

fn labelled(labels: &[(&str, String)]) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<_> =
        labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
    if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) }
}
