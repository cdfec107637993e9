//! The memory that a profile may take, so that it is bounded for every file.
//!
//! Each entry of a table is charged before it is stored, with all that the views will make of it.
//! Reading and showing a profile takes less than 256 MiB in total; `tests/profile/memory.rs` has
//! the profiles that take the most. The limits of the views themselves are in `views/limits.rs`.

use super::error::ProfileError;
use super::model::{Function, Line, Location, Mapping};

/// Bytes of a profile, unpacked: eight times what Grafana Pyroscope, which stores those of whole
/// clusters, takes by default.
pub(super) const UNPACKED: usize = 32 << 20;
/// Bytes of a single sample, location or the like.
pub(super) const MESSAGE: usize = 1 << 20;
/// Bytes of a string. Tables repeat names.
pub(super) const STRING: usize = 64 << 10;
/// Sample types, and comments.
pub(super) const FEW: usize = 100;
/// Frames in the stacks of all samples, inlined ones included: what takes time.
pub(super) const FRAMES: usize = 1 << 27;

/// Bytes that all tables may take.
const TABLES: usize = 192 << 20;
/// A growing vector takes three times its content for a moment: the old one, and a new one of twice
/// the capacity.
const GROWING: usize = 3;
/// A number in a hash table, likewise, with its key.
const NUMBERED: usize = 60;
/// A name that is shown, beside its text: in the vector and the hash table of all names.
const NAMED: usize = 200;

/// What entries take in bytes.
pub(super) const VALUE: usize = GROWING * size_of::<i64>();
pub(super) const FRAME: usize = GROWING * size_of::<u32>();
pub(super) const SAMPLE: usize = GROWING * size_of::<(u32, u32)>();
pub(super) const LINE: usize = GROWING * size_of::<Line>() + 16;
pub(super) const LOCATION: usize = GROWING * size_of::<Location>() + NUMBERED;
pub(super) const FUNCTION: usize = GROWING * size_of::<Function>() + 2 * NUMBERED + 2 * NAMED;
pub(super) const MAPPING: usize = GROWING * size_of::<Mapping>() + 2 * NUMBERED + 2 * NAMED;
/// A string that is shown with this number of bytes: as it is, and as the name of a function, a
/// file and a library.
pub(super) const fn string(bytes: usize) -> usize {
    GROWING * size_of::<u32>() + 8 * bytes
}

/// What is left of the memory that the tables may take.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: TABLES }
    }

    /// Takes `bytes` for each of `count` entries.
    ///
    /// # Errors
    ///
    /// [`ProfileError::TooMuch`] if less than that is left.
    pub(super) fn charge(&mut self, count: usize, bytes: usize) -> Result<(), ProfileError> {
        match count.checked_mul(bytes).and_then(|bytes| self.left.checked_sub(bytes)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(ProfileError::TooMuch(TABLES)),
        }
    }
}
