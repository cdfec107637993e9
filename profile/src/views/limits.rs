//! How much a view may show, so that its memory is bounded for every profile.

/// Nodes of a graph, and calls between them.
pub(super) const NODES: usize = 1 << 18;
pub(super) const EDGES: usize = 1 << 20;
/// Bytes of a table.
pub(super) const TABLE: usize = 16 << 20;
/// Bytes of all stacks of a flamegraph as text, its frames, and bytes of the picture.
pub(super) const STACKS: usize = 64 << 20;
pub(super) const PICTURE_FRAMES: usize = 1 << 19;
pub(super) const PICTURE: usize = 32 << 20;
