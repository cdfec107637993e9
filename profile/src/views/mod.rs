//! The views of a profile: the tables and the call graph of `go tool pprof`, and flamegraphs.

mod columns;
mod dot;
mod error;
mod filters;
mod flamegraph;
mod graph;
mod heading;
mod limits;
mod tables;
mod text;
mod units;
mod view;

pub use error::ViewError;
pub use view::View;
