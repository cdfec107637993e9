//! The fields of a protobuf message one by one, so that a large one needs no second copy in memory.

use crate::VarInt;

use super::error::ProfileError;

/// A field that holds bytes: a string or a message.
pub(super) struct Field<'a> {
    pub(super) number: u64,
    pub(super) bytes: &'a [u8],
    /// Offset of `bytes` from the start.
    pub(super) at: usize,
}

/// The fields of `message` that hold bytes; the others are checked and skipped.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = Result<Field<'_>, ProfileError>> {
    all(message).filter_map(|step| step.map(|(_, field)| field).transpose())
}

/// At least as many as a field that repeats numbers has, packed or one by one.
pub(super) fn numbers(message: &[u8], number: u64) -> Result<usize, ProfileError> {
    all(message).try_fold(0, |sum, step| {
        let (found, field) = step?;
        let more = field.map_or(1, |field| field.bytes.len());
        Ok(if found == number { sum + more } else { sum })
    })
}

/// The number of each field, and the field if it holds bytes.
fn all(message: &[u8]) -> impl Iterator<Item = Result<(u64, Option<Field<'_>>), ProfileError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = (at < message.len()).then(|| step(message, at))?;
        at = found.as_ref().map_or(message.len(), |&(.., end)| end);
        Some(found.map(|(number, field, _)| (number, field)))
    })
}

/// The field at `at`: its number, itself if it holds bytes, and where the next one begins.
fn step(message: &[u8], at: usize) -> Result<(u64, Option<Field<'_>>, usize), ProfileError> {
    let (key, start) = varint(message, at)?;
    let (number, kind) = (key >> 3, key & 7);
    let len = match kind {
        0 => return Ok((number, None, varint(message, start)?.1)),
        1 => 8,
        2 => {
            let (len, start) = varint(message, start)?;
            let end = usize::try_from(len).ok().and_then(|len| start.checked_add(len));
            let bytes = end.and_then(|end| message.get(start..end));
            let bytes =
                bytes.ok_or_else(|| malformed(start, format!("{len} bytes are announced, and end early")))?;
            return Ok((number, Some(Field { number, bytes, at: start }), start + bytes.len()));
        }
        5 => 4,
        _ => return Err(malformed(at, format!("no field of a message begins with {key:#x}"))),
    };
    match message.len() - start >= len {
        true => Ok((number, None, start + len)),
        false => Err(malformed(start, format!("{len} bytes should follow, and end early"))),
    }
}

fn varint(message: &[u8], at: usize) -> Result<(u64, usize), ProfileError> {
    match u64::decode(&message[at..]) {
        Ok((value, len)) => Ok((value, at + len)),
        Err(error) => Err(malformed(at + error.offset(), error.to_string())),
    }
}

pub(super) fn malformed(at: usize, what: impl Into<String>) -> ProfileError {
    ProfileError::Malformed { at, what: what.into() }
}
