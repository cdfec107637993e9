//! The limits on the size of a view, so that its memory is bounded for every profile.

/// The maximum number of nodes and edges of a graph.
pub(super) const NODES: usize = 1 << 18;
pub(super) const EDGES: usize = 1 << 20;
/// The maximum size of a table in bytes.
pub(super) const TEXT_BYTES: usize = 16 << 20;
/// The maximum size of all stacks of a flamegraph as text, in bytes.
pub(super) const STACK_BYTES: usize = 64 << 20;
/// The maximum number of frames in a flamegraph.
pub(super) const FLAMEGRAPH_FRAMES: usize = 1 << 19;
/// The maximum size of the SVG of a flamegraph in bytes.
pub(super) const SVG_BYTES: usize = 32 << 20;
