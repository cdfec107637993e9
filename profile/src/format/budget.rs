//! The limits on the memory that a profile may use.
//!
//! Each entry of a table is charged before it is stored. The charge includes the memory that the
//! views need for it. Reading and showing a profile uses less than 256 MiB in total.
//! `tests/profile/memory.rs` has the profiles that use the most. The limits of the views are in
//! `views/limits.rs`.

use super::error::ProfileError;
use super::model::{Function, Line, Location, Mapping};

/// The maximum size of a profile in bytes, uncompressed. It is eight times the default of Grafana
/// Pyroscope, which stores the profiles of whole clusters.
pub(super) const UNCOMPRESSED_BYTES: usize = 32 << 20;
/// The maximum size in bytes of an entry, such as a sample or a location.
pub(super) const ENTRY_BYTES: usize = 1 << 20;
/// The maximum size of a string in bytes. A limit is needed because tables repeat names.
pub(super) const STRING_BYTES: usize = 64 << 10;
/// The maximum number of sample types.
pub(super) const SAMPLE_TYPES: usize = 100;
/// The maximum number of comments.
pub(super) const COMMENTS: usize = 100;
/// The maximum number of frames in the stacks of all samples, including inlined frames. It limits
/// the running time.
pub(super) const FRAMES: usize = 1 << 27;

/// The maximum memory of all tables in bytes.
const TABLES: usize = 192 << 20;
/// While a vector grows, it uses up to three times the size of its content: the old allocation, and
/// a new one of twice the capacity.
const GROWTH: usize = 3;
/// The memory of a number and its key in a hash table that grows.
const HASH_ENTRY: usize = 60;
/// The memory of a name that is shown, without its text: it is in the vector and in the hash table
/// of all names.
const NAME: usize = 200;

/// The memory of one entry of each kind in bytes.
pub(super) const VALUE: usize = GROWTH * size_of::<i64>();
pub(super) const FRAME: usize = GROWTH * size_of::<u32>();
pub(super) const SAMPLE: usize = GROWTH * size_of::<(u32, u32)>();
pub(super) const LINE: usize = GROWTH * size_of::<Line>() + 16;
pub(super) const LOCATION: usize = GROWTH * size_of::<Location>() + HASH_ENTRY;
pub(super) const FUNCTION: usize = GROWTH * size_of::<Function>() + 2 * HASH_ENTRY + 2 * NAME;
pub(super) const MAPPING: usize = GROWTH * size_of::<Mapping>() + 2 * HASH_ENTRY + 2 * NAME;
/// Returns the memory of a string whose printable form has `bytes` bytes. It can be in memory as it
/// is and as the name of a function, a file and a library.
pub(super) const fn string(bytes: usize) -> usize {
    GROWTH * size_of::<u32>() + 8 * bytes
}

/// The memory that the tables may still use.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: TABLES }
    }

    /// Subtracts `bytes` for each of `count` entries.
    ///
    /// # Errors
    ///
    /// [`ProfileError::TooMuchMemory`] if less than that is left.
    pub(super) fn charge(&mut self, count: usize, bytes: usize) -> Result<(), ProfileError> {
        match count.checked_mul(bytes).and_then(|bytes| self.left.checked_sub(bytes)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(ProfileError::TooMuchMemory(TABLES)),
        }
    }
}
