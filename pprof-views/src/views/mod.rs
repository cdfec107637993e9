//! The views of a profile: the tables `top`, `peek`, `list` and `tags` of `go tool pprof`, and flamegraphs.

mod dropped_frames;
mod error;
mod filters;
mod flamegraph;
mod graph;
mod heading;
mod labels;
mod list;
mod peek;
mod sample_types;
mod similar;
mod sources;
mod tags;
mod top;
mod truncated;
mod units;
mod view;

pub use error::ViewError;
pub(crate) use sample_types::SampleTypes;
pub use view::View;
#[cfg(feature = "program")]
pub(crate) use {filters::remove_samples, flamegraph::Work};
