//! What a profile may cost, so that memory is bounded whatever is in a file.
//!
//! Each entry of a table is charged before it is taken in, with all that the views will make of it. All in all, reading and
//! showing a profile takes less than 256 MiB; `tests/profile/memory.rs` has the profiles that take most.

use super::error::ProfileError;

/// Bytes of a profile, unpacked: eight times what Grafana Pyroscope, which stores those of whole clusters, takes by default.
pub(super) const UNPACKED: usize = 32 << 20;
/// Bytes of a single sample, location or the like.
pub(super) const MESSAGE: usize = 1 << 20;
/// Bytes of a string. Tables repeat names.
pub(super) const STRING: usize = 64 << 10;
/// Sample types, and comments.
pub(super) const FEW: usize = 100;
/// Frames in the stacks of all samples, inlined ones included: what takes time.
pub(super) const FRAMES: usize = 1 << 27;
/// Nodes of a graph, and calls between them.
pub(super) const NODES: usize = 1 << 18;
pub(super) const EDGES: usize = 1 << 20;
/// Bytes of a table that is shown.
pub(super) const TABLE: usize = 16 << 20;
/// Bytes of all stacks of a flamegraph written out, its frames, and bytes of the picture.
pub(super) const STACKS: usize = 64 << 20;
pub(super) const PICTURE_FRAMES: usize = 1 << 19;
pub(super) const PICTURE: usize = 32 << 20;

/// Bytes that all tables may take.
const TABLES: usize = 192 << 20;
/// A vector that grows has three times what is in it for a moment: the old one, and the new one with room for as much again.
const GROWING: usize = 3;
/// A number in a hash table, likewise, with its key.
const NUMBERED: usize = 60;
/// A name that is shown, beside its text: in the vector and the hash table of all names.
const NAMED: usize = 200;

/// What entries take in bytes.
pub(super) const VALUE: usize = GROWING * size_of::<i64>();
pub(super) const FRAME: usize = GROWING * size_of::<u32>();
pub(super) const SAMPLE: usize = GROWING * size_of::<(u32, u32)>();
pub(super) const LINE: usize = GROWING * size_of::<super::model::Line>() + 16;
pub(super) const LOCATION: usize = GROWING * size_of::<super::model::Location>() + NUMBERED;
pub(super) const FUNCTION: usize = GROWING * size_of::<super::model::Function>() + 2 * NUMBERED + 2 * NAMED;
pub(super) const MAPPING: usize = GROWING * size_of::<super::model::Mapping>() + 2 * NUMBERED + 2 * NAMED;
/// A string of so many bytes as it is shown: as it is, and as the name of a function, a file and a library.
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

    /// Takes so much for `count` entries, or says that it is too much.
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
