//! Programs in any language, as child processes that get blocks of inputs on their standard input
//! and return results on their standard output.

mod child;
mod codec;
mod decoder;
mod functions;
mod pool;
mod program;
mod protocol;

pub(crate) use child::child_groups;
pub use child::kill_children;
pub use codec::ExecCodec;
pub use decoder::ExecDecoder;
pub use functions::ExecFunctions;
pub use program::ExecProgram;
pub use protocol::Task as ExecTask;

/// The protocol of child processes, in Markdown, and programs that speak it, with the names of their
/// files.
pub const PROTOCOL: [(&str, &str); 6] = [
    ("README.md", include_str!("../../examples/exec/README.md")),
    ("child.py", include_str!("../../examples/exec/child.py")),
    ("child.js", include_str!("../../examples/exec/child.js")),
    ("child.go", include_str!("../../examples/exec/child.go")),
    ("child.c", include_str!("../../examples/exec/child.c")),
    ("math.c", include_str!("../../examples/exec/math.c")),
];
