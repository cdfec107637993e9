//! What is shown of a profile: tables as `go tool pprof` prints them, and flamegraphs.

mod error;
mod flame;
mod graph;
mod limits;
mod tables;
mod units;
mod view;

pub use error::ViewError;
pub use view::View;
