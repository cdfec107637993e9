//! The views of a profile: the tables `top`, `peek` and `list` of `go tool pprof`, and flamegraphs.

mod error;
mod filters;
mod flamegraph;
mod graph;
mod heading;
mod list;
mod peek;
mod sources;
mod top;
mod units;
mod view;

pub use error::ViewError;
pub use view::View;
#[cfg(feature = "criterion")]
pub(crate) use {filters::remove_samples, flamegraph::Work};
