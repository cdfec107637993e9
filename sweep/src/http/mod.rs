//! A small HTTP server that shows a running sweep to browsers, scripts and Prometheus.
//!
//! It runs on one thread and does a bounded amount of work per second, so that clients cannot slow
//! the sweep. Connections are limited in number, rate and time.
//! On a loopback address it answers only requests for IP addresses and `localhost`, and others with
//! 421. This prevents web pages from reading it by DNS rebinding.
//!
//! | path | content |
//! |---|---|
//! | `/` | a web page with the progress |
//! | `/status.json` | the [`Status`](super::Status) |
//! | `/status.json?end` | the same at the end of the sweep, or after a minute |
//! | `/metrics` | metrics in Prometheus' text format 0.0.4 |

mod metrics;
mod responses;
mod routes;
mod server;

pub use server::Server;
