//! The program with limited memory.

use std::process::Command;

/// Returns a command that runs `sweep` in half a GiB of address space. Only Linux enforces the
/// limit.
pub(crate) fn program() -> Command {
    let limit = if cfg!(target_os = "linux") { "ulimit -v 524288; " } else { "" };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_sweep")]);
    command
}
