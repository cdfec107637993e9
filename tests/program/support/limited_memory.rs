//! The program with little memory.

use std::process::Command;

/// `sweep` in half a GiB of address space, where the system can limit it.
pub(crate) fn program() -> Command {
    let limit = if cfg!(target_os = "linux") { "ulimit -v 524288; " } else { "" };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_sweep")]);
    command
}
