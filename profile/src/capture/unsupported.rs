//! The sampling on unsupported systems: it always returns an error.

use std::convert::Infallible;

use super::error::CaptureError;
use crate::format::Profile;

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
