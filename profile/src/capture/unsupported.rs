//! Where no profile can be taken: it says so.

use std::convert::Infallible;

use crate::sweep::profile::error::CaptureError;
use crate::sweep::profile::model::Profile;

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
