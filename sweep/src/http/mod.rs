//! A sweep watched from a browser, by scripts, by Prometheus and by pprof: a small HTTP server.
//!
//! It runs on one thread of its own and does a bounded amount of work per second whatever comes in, so that nobody can
//! slow the sweep: connections are limited in number, rate and time, bodies are not read, and one profile at a time is
//! taken. On a loopback address it answers requests for IP addresses and `localhost` alone, others with 421, so that no web
//! page can read it under a name of its own.
//!
//! | path | what it is |
//! |---|---|
//! | `/` | a page for people |
//! | `/status.json` | the [`Status`](super::Status) |
//! | `/metrics` | Prometheus' text format 0.0.4 |
//! | `/debug/pprof/` | a page of the profiles |
//! | `/debug/pprof/profile?seconds=N` | a CPU profile, as Go's net/http/pprof serves it |
//! | `/debug/pprof/flamegraph?seconds=N` | the same as a picture |

mod address;
mod content;
mod host_names;
mod profiles;
mod request_limits;
mod responses;
mod routes;
mod server;

pub use address::Address;
pub use server::Server;
