//! The content that is served: web pages, and metrics for Prometheus.

pub(super) mod chart;
pub(super) mod metrics;
pub(super) mod page;
pub(super) mod rate_history;
