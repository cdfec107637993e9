//! The order of the functions in a view.

/// The order of the nodes to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// In descending order of the samples in the node itself.
    Flat,
    /// In descending order of the samples in the node and its callees.
    Cum,
}
