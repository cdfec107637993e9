//! The content that is served: a page that draws the status, and metrics for Prometheus.

pub(super) mod metrics;
