//! The sampling on unsupported systems: it takes no samples, and returns errors.

use std::convert::Infallible;

use super::error::CaptureError;
use crate::format::Profile;

pub(super) const IS_SUPPORTED: bool = false;

pub(super) struct Sampling {
    never: Infallible,
}

impl Sampling {
    pub(super) fn start(_hertz: u32) -> Result<Self, CaptureError> {
        Err(CaptureError::Unsupported)
    }

    pub(super) fn finish(self) -> Result<Profile, CaptureError> {
        match self.never {}
    }
}

#[cfg(feature = "heap")]
pub(super) mod heap {
    use std::convert::Infallible;

    use crate::capture::error::CaptureError;
    use crate::format::Profile;

    pub(crate) fn set_rate(_bytes: usize) {}

    pub(crate) fn allocated(_pointer: *mut u8, _size: usize) {}

    pub(crate) fn freed(_pointer: *mut u8) -> Option<Infallible> {
        None
    }

    pub(crate) fn restore(_pointer: *mut u8, _sample: Option<Infallible>) {}

    pub(crate) fn profile(_default_type: &str) -> Result<Profile, CaptureError> {
        Err(CaptureError::Unsupported)
    }
}
