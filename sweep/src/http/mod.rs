//! A small HTTP server that shows a running sweep to scripts and Prometheus.
//!
//! It runs on one thread and does a bounded amount of work per second, so that clients cannot slow
//! the sweep. Connections are limited in number, rate and time.
//! On a loopback address it answers only requests for IP addresses and `localhost`, and others with
//! 421. This prevents web pages from reading it by DNS rebinding.
//!
//! | path | content |
//! |---|---|
//! | `/status.json` | the [`Status`](super::Status) |
//! | `/metrics` | metrics in Prometheus' text format 0.0.4 |

mod metrics;
mod routes;
mod server;

pub use server::Server;
