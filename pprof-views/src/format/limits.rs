//! The limits of reading a profile.

/// The maximum size of a profile that is read. A profile may come from anybody, and a small file can
/// expand to any size.
///
/// # Examples
///
/// ```no_run
/// use pprof_views::{Limits, Profile};
///
/// let limits = Limits { bytes: 1 << 30, ..Limits::default() };
/// let profile = Profile::from_reader(std::fs::File::open("large.pb.gz")?, limits)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of bytes, uncompressed. The default is 128 MiB: the largest heap profiles that
    /// people show have less than 50 MiB.
    pub bytes: u64,
    /// The maximum number of frames in all stacks, at most [`u32::MAX`]. Each location of a stack may have
    /// any number of inlined functions, so that the size does not limit it. The default is 134,217,728.
    pub frames: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 128 << 20, frames: 128 << 20 }
    }
}
