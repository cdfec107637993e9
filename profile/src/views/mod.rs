//! The views of a profile: the tables of `go tool pprof`, and flamegraphs.

mod error;
mod flamegraph;
mod graph;
mod limits;
mod tables;
mod units;
mod view;

pub use error::ViewError;
pub use view::View;
