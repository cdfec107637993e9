//! Programs in any language, as child processes that get blocks of inputs on their standard input
//! and return results on their standard output.

mod checks;
mod child;
mod codec;
mod pool;
mod protocol;

pub use checks::{ExecDecoder, ExecFunctions};
pub(crate) use child::child_groups;
pub use child::kill_children;
pub use codec::ExecCodec;

/// The protocol of child processes, in Markdown, and programs that speak it, with the names of their
/// files.
pub const PROTOCOL: [(&str, &str); 5] = [
    ("README.md", include_str!("../../examples/exec/README.md")),
    ("child.py", include_str!("../../examples/exec/child.py")),
    ("child.js", include_str!("../../examples/exec/child.js")),
    ("child.go", include_str!("../../examples/exec/child.go")),
    ("child.c", include_str!("../../examples/exec/child.c")),
];
