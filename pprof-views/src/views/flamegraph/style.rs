//! How flamegraphs are drawn.

use inferno::flamegraph::{Direction, Options, Palette};

/// The title, the order and the colours of a flamegraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    pub(super) title: Option<String>,
    /// Whether the outermost frames are at the top.
    pub(super) is_icicle: bool,
    /// Whether stacks start with the innermost frames.
    pub(super) is_reversed: bool,
    pub(super) palette: Palette,
}

impl Style {
    pub(super) fn apply(&self, options: &mut Options<'_>) {
        if let Some(title) = &self.title {
            options.title = crate::names::printable(title);
        }
        if self.is_icicle {
            options.direction = Direction::Inverted;
        }
        options.colors = self.palette;
    }
}
