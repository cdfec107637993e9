//! What is served: the pages for people, and the metrics for Prometheus.

pub(super) mod chart;
pub(super) mod metrics;
pub(super) mod page;
pub(super) mod rate_history;
