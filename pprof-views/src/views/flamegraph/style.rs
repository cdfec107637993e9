//! How flamegraphs are drawn.

use inferno::flamegraph::Palette;

/// The title, the order and the colours of a flamegraph.
#[derive(Clone, Debug, Default)]
pub(in crate::views) struct Style {
    pub(super) title: Option<String>,
    /// Whether the outermost frames are at the top.
    pub(super) is_icicle: bool,
    /// Whether stacks start with the innermost frames.
    pub(super) is_reversed: bool,
    pub(super) palette: Palette,
}
