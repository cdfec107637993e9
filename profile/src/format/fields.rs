//! The fields of a protobuf message one by one, so that a large one needs no second copy in memory.

use super::error::{ProfileError, malformed};

/// A field that holds bytes: a string or a message.
pub(super) struct Field<'a> {
    pub(super) number: u64,
    pub(super) bytes: &'a [u8],
    /// Offset of `bytes` from the start.
    pub(super) at: usize,
}

/// Returns the fields of `message` that hold bytes. The others are checked and skipped.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = Result<Field<'_>, ProfileError>> {
    all(message).filter_map(|step| step.map(|(_, field)| field).transpose())
}

/// Returns an upper bound for how many numbers a repeated field has, packed or not.
pub(super) fn numbers(message: &[u8], number: u64) -> Result<usize, ProfileError> {
    all(message).try_fold(0, |sum, step| {
        let (found, field) = step?;
        let more = field.map_or(1, |field| field.bytes.len());
        Ok(if found == number { sum + more } else { sum })
    })
}

/// Returns the number of each field, and the field if it holds bytes.
fn all(message: &[u8]) -> impl Iterator<Item = Result<(u64, Option<Field<'_>>), ProfileError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = (at < message.len()).then(|| step(message, at))?;
        at = found.as_ref().map_or(message.len(), |&(.., end)| end);
        Some(found.map(|(number, field, _)| (number, field)))
    })
}

/// Returns the number of the field at `at`, the field if it holds bytes, and where the next one
/// begins.
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

/// Returns the varint at `at`, and where the next byte is. Overlong encodings are accepted, as
/// protobuf requires.
///
/// prost has a decoder of its own, whose errors do not say where.
fn varint(message: &[u8], at: usize) -> Result<(u64, usize), ProfileError> {
    let mut value = 0;
    for (index, &byte) in message[at..].iter().enumerate() {
        if index == 9 && byte > 1 {
            return Err(malformed(at + index, "varint of more than 64 bits"));
        }
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((value, at + index + 1));
        }
    }
    Err(malformed(message.len(), "truncated varint"))
}
