//! The limits on the size of a profile, which bound the memory of reading and showing it.
//!
//! Reading and showing a profile uses less than 256 MiB in total. `tests/profile/memory.rs` has
//! profiles that use much of it. The limits of the views are in `views/limits.rs`.

use prost::decode_length_delimiter;

use super::ProfileError;
use super::wire::Tables;

/// The maximum size of a profile in bytes, uncompressed. It is eight times the default of Grafana
/// Pyroscope, which stores the profiles of whole clusters.
pub(super) const UNCOMPRESSED_BYTES: usize = 32 << 20;
/// The maximum number of samples, locations, functions, mappings and strings together. In memory
/// each takes up to 200 bytes.
const ENTRIES: usize = 1 << 19;
/// The maximum number of numbers in these entries. In memory each takes 8 to 16 bytes. Most are the
/// frames of stacks.
const NUMBERS: usize = 1 << 22;
/// The maximum size of all strings in bytes. They can be in memory as they are, and as the name of a
/// function, a file and a library. Each byte that is not printable ASCII counts as three, because it
/// may be shown as U+FFFD.
const TEXT_BYTES: usize = 24 << 20;
/// The maximum size of a string in bytes. A limit is needed because tables repeat names.
const STRING_BYTES: usize = 64 << 10;
/// The maximum number of sample types, and of comments.
const SAMPLE_TYPES: usize = 100;
const COMMENTS: usize = 100;
/// The maximum number of frames in the stacks of all samples, including inlined frames. It limits
/// the running time.
const FRAMES: usize = 1 << 27;

/// The field number of the string table.
const STRINGS: usize = 6;

/// Checks the number of entries before any memory is allocated for them.
///
/// A damaged profile passes up to its damage, which decoding then finds at the same place.
pub(super) fn check_size(mut rest: &[u8]) -> Result<(), ProfileError> {
    at_most(UNCOMPRESSED_BYTES, rest.len(), "bytes, uncompressed")?;
    let (mut entries, mut numbers, mut text) = (0, 0, 0);
    while let Ok(key) = decode_length_delimiter(&mut rest) {
        let is_last_byte = |byte: &&u8| **byte < 0x80;
        let len = match key & 7 {
            0 => rest.iter().take_while(|byte| !is_last_byte(byte)).count() + 1,
            1 => 8,
            2 => decode_length_delimiter(&mut rest).unwrap_or(usize::MAX),
            5 => 4,
            _ => 0, // the start or the end of a group
        };
        let Some((field, after)) = rest.split_at_checked(len) else { break };
        rest = after;
        entries += 1;
        if key >> 3 == STRINGS {
            at_most(STRING_BYTES, len, "bytes in a string")?;
            text += len + 2 * field.iter().filter(|byte| !(b' '..=b'~').contains(byte)).count();
        } else {
            // Each number ends with such a byte.
            numbers += field.iter().filter(is_last_byte).count();
        }
    }
    at_most(ENTRIES, entries, "samples, locations, functions and strings")?;
    at_most(NUMBERS, numbers, "frames and other numbers")?;
    at_most(TEXT_BYTES, text, "bytes in all strings")
}

/// Checks what multiplies with the number of entries. The references must be valid.
pub(super) fn check_products(tables: &Tables) -> Result<(), ProfileError> {
    at_most(SAMPLE_TYPES, tables.sample_type.len(), "sample types")?;
    at_most(COMMENTS, tables.comment.len(), "comments")?;
    let stacks = tables.sample.iter().map(|sample| &sample.location_id);
    let frames = stacks.flatten().map(|&id| tables.location[id as usize - 1].lines().len());
    at_most(FRAMES, frames.fold(0, usize::saturating_add), "frames in all stacks")
}

fn at_most(limit: usize, count: usize, what: &'static str) -> Result<(), ProfileError> {
    if count > limit { Err(ProfileError::TooLarge { limit, what }) } else { Ok(()) }
}
