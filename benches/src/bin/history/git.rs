//! The benchmarked code, as git identifies it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use zigzag_varint_benches::host::output;

/// A commit, or a working tree that differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// The commit's full name.
    pub(crate) commit: String,
    /// A hash that identifies the uncommitted changes of a working tree; empty if there are none.
    pub(crate) changes: String,
    /// Seconds since 1970.
    pub(crate) committed: i64,
    /// The first line of the commit's message.
    pub(crate) subject: String,
}

impl Code {
    /// Returns a short name such as `1c279a4` or `1c279a4-dirty-0d3fb2e`.
    pub(crate) fn label(&self) -> String {
        let commit = self.commit.get(..7).unwrap_or(&self.commit);
        if self.changes.is_empty() { commit.to_owned() } else { format!("{commit}-dirty-{}", self.changes) }
    }
}

/// Returns the root of the working tree that contains the current folder.
pub(crate) fn root() -> Option<PathBuf> {
    output("git", &["rev-parse", "--show-toplevel"]).map(PathBuf::from)
}

/// Returns the code of that working tree, or `None` if there is no working tree, commit or git.
pub(crate) fn here() -> Option<Code> {
    let text = output("git", &["log", "-1", "--no-show-signature", "--format=%H%n%ct%n%s", "HEAD"])?;
    let mut lines = text.lines();
    let (commit, committed) = (lines.next()?.to_owned(), lines.next()?.parse().ok()?);
    let subject = lines.next().unwrap_or_default().to_owned();
    Some(Code { commit, changes: changes()?, committed, subject })
}

/// Returns seven digits of a hash of all changes to tracked files, or an empty string if there are
/// none.
fn changes() -> Option<String> {
    let diff = Command::new("git")
        .args(["diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color"])
        .output()
        .ok()
        .filter(|output| output.status.success())?
        .stdout;
    if diff.is_empty() {
        return Some(String::new());
    }
    let mut hash = Command::new("git")
        .args(["hash-object", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    hash.stdin.take()?.write_all(&diff).ok()?;
    let name = String::from_utf8(hash.wait_with_output().ok()?.stdout).ok()?;
    name.get(..7).map(str::to_owned)
}

/// Returns the full name of the commit of a revision such as `HEAD~2` or `v0.1.0`.
pub(crate) fn resolve(revision: &str) -> Option<String> {
    let revision = format!("{revision}^{{commit}}");
    output("git", &["rev-parse", "--quiet", "--verify", "--end-of-options", &revision])
}
