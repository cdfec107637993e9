//! The profiler, in builds with the feature `profile`.

use crate::http::profiles::queue::Refusal;

/// Takes a profile; see [`Take`](crate::http::profiles::queue::Take).
#[cfg(feature = "profile")]
pub(in crate::http) fn take(hertz: u32, wait: &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal> {
    use pprof_views::{Capture, CaptureError};

    let capture = Capture::start(hertz).map_err(|error| match error {
        CaptureError::AlreadyRunning => Refusal::WholeSweep,
        CaptureError::Unsupported => Refusal::Unsupported(error.to_string()),
        _ => Refusal::Failed(error.to_string()),
    })?;
    if !wait() {
        return Err(Refusal::Abandoned);
    }
    let profile = capture.finish().map_err(|error| Refusal::Failed(error.to_string()))?;
    profile.to_gzip().map_err(|error| Refusal::Failed(error.to_string()))
}

/// Refuses, because this build has no profiler.
#[cfg(not(feature = "profile"))]
pub(in crate::http) fn take(_hertz: u32, _wait: &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal> {
    Err(Refusal::Unsupported("no profiler in this build; build it with --features http,profile".into()))
}
