//! Metrics of a sweep in Prometheus' text format 0.0.4.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::watch::handle::Watch;
use crate::watch::status::{State, Status};

/// The content type of the format.
pub(in crate::http) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Returns all metrics with help, type and values. Unknown values are left out.
pub(in crate::http) fn metrics(watch: &Watch) -> String {
    let status = Status::of(watch);
    let mut text = Metrics::default();
    let or_none = |text: &Option<String>| text.clone().unwrap_or_default();
    let mode = status.mode.map(|mode| mode.to_string());
    text.family("sweep_info", "gauge", "The sweep, as labels.");
    let labels = [
        ("program", status.program.clone()),
        ("type", or_none(&status.value_type)),
        ("mode", or_none(&mode)),
        ("codec", or_none(&status.codec)),
        ("kernel", or_none(&status.kernel)),
        ("fingerprint", or_none(&status.fingerprint)),
        ("shard", or_none(&status.shard)),
    ];
    text.sample(&labels, 1);
    text.one("sweep_running", "gauge", "1 while the sweep runs.", u8::from(status.state == State::Running));
    text.family("sweep_values_total", "counter", "Values checked, by encoded length in bytes.");
    for (length, values) in &status.by_length {
        text.sample(&[("length", length.to_string())], values);
    }
    text.one("sweep_failures_total", "counter", "Values that failed.", status.failures);
    if let Some(of) = status.of {
        text.one("sweep_planned_values", "gauge", "Values to check in total.", of);
    }
    text.one(
        "sweep_completed_ratio",
        "gauge",
        "Fraction of the work that is done, from 0 to 1.",
        status.part,
    );
    if let Some(eta) = status.eta_seconds {
        text.one(
            "sweep_remaining_seconds",
            "gauge",
            "Estimated time remaining, at the rate of this run.",
            eta,
        );
    }
    text.one(
        "sweep_elapsed_seconds",
        "gauge",
        "Time since the first value, earlier runs included.",
        status.seconds,
    );
    if let Some(threads) = status.threads {
        text.one("sweep_threads", "gauge", "Worker threads.", threads);
    }
    if let Some(cpu) = status.cpu_seconds {
        text.one(
            "sweep_cpu_seconds_total",
            "counter",
            "CPU time of the program, earlier runs included.",
            cpu,
        );
    }
    if !status.thread_cpu_seconds.is_empty() {
        text.family(
            "sweep_thread_cpu_seconds_total",
            "counter",
            "CPU time of each worker thread, earlier runs included.",
        );
        for (thread, cpu) in status.thread_cpu_seconds.iter().enumerate() {
            text.sample(&[("thread", thread.to_string())], cpu);
        }
    }
    if let Some(saved) = watch.saved() {
        let help = "When the checkpoint was last saved, in seconds since 1970.";
        text.one("sweep_checkpoint_saved_timestamp_seconds", "gauge", help, since_1970(saved));
    }
    text.text
}

fn since_1970(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

#[derive(Default)]
struct Metrics {
    text: String,
    name: &'static str,
}

impl Metrics {
    fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.name = name;
        self.put(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    fn one(&mut self, name: &'static str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.family(name, kind, help);
        self.sample(&[], value);
    }

    fn sample(&mut self, labels: &[(&str, String)], value: impl std::fmt::Display) {
        self.text += self.name;
        for (index, (label, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            self.put(format_args!("{}{label}=\"{value}\"", if index == 0 { '{' } else { ',' }));
        }
        self.put(format_args!("{} {value}\n", if labels.is_empty() { "" } else { "}" }));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(text); // writing to a String cannot fail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        let mut metrics = Metrics { name: "x", ..Metrics::default() };
        metrics.sample(&[("a", "\\ \" \n".into()), ("b", String::new())], 1);
        assert_eq!(metrics.text, "x{a=\"\\\\ \\\" \\n\",b=\"\"} 1\n");
    }
}
