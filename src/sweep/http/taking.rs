//! The profiler behind the routes: there is none in this build.

use super::captures::{Form, Refusal};

/// Takes none; see [`Take`](super::captures::Take).
pub(super) fn take(_hertz: u32, _form: Form, _wait: &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal> {
    Err(Refusal::Unsupported("this build takes no profiles".into()))
}
