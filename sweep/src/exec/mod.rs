//! Programs in any language, as child processes that get blocks of inputs on their standard input
//! and return results on their standard output.

mod child;
mod codec;
mod decoder;
mod functions;
mod pool;
mod protocol;
mod stderr;

pub use child::kill_children;
pub use codec::ExecCodec;
pub use decoder::ExecDecoder;
pub use functions::ExecFunctions;
pub use pool::ExecError;

/// The protocol of child processes, in Markdown.
pub const PROTOCOL: &str = include_str!("../../examples/exec/README.md");

/// Programs that speak [`PROTOCOL`], with the names of their files.
pub const EXAMPLE_CHILDREN: [(&str, &str); 4] = [
    ("child.py", include_str!("../../examples/exec/child.py")),
    ("child.js", include_str!("../../examples/exec/child.js")),
    ("child.go", include_str!("../../examples/exec/child.go")),
    ("child.c", include_str!("../../examples/exec/child.c")),
];
