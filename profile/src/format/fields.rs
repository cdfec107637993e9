//! Iterates over the fields of a protobuf message, so that a large message is never in memory
//! twice.

use super::error::{ProfileError, malformed};

/// A length-delimited field: a string, a message or packed numbers.
pub(super) struct Field<'a> {
    pub(super) number: u64,
    pub(super) bytes: &'a [u8],
    /// The offset of `bytes` in the message.
    pub(super) offset: usize,
}

/// Returns the length-delimited fields of `message`. The other fields are validated and skipped.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = Result<Field<'_>, ProfileError>> {
    all(message).filter_map(|step| step.map(|(_, field)| field).transpose())
}

/// Returns an upper bound for the number of values in a repeated field, packed or not.
pub(super) fn max_values(message: &[u8], number: u64) -> Result<usize, ProfileError> {
    all(message).try_fold(0, |sum, step| {
        let (found, field) = step?;
        let more = field.map_or(1, |field| field.bytes.len());
        Ok(if found == number { sum + more } else { sum })
    })
}

/// Returns the number of each field, and the field itself if it is length-delimited.
fn all(message: &[u8]) -> impl Iterator<Item = Result<(u64, Option<Field<'_>>), ProfileError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = (at < message.len()).then(|| step(message, at))?;
        at = found.as_ref().map_or(message.len(), |&(.., end)| end);
        Some(found.map(|(number, field, _)| (number, field)))
    })
}

/// Returns the number of the field at `at`, the field itself if it is length-delimited, and the
/// offset of the next field.
fn step(message: &[u8], at: usize) -> Result<(u64, Option<Field<'_>>, usize), ProfileError> {
    let (key, start) = varint(message, at)?;
    let (number, wire_type) = (key >> 3, key & 7);
    let len = match wire_type {
        0 => return Ok((number, None, varint(message, start)?.1)),
        1 => 8,
        2 => {
            let (len, start) = varint(message, start)?;
            let end = usize::try_from(len).ok().and_then(|len| start.checked_add(len));
            let bytes = end.and_then(|end| message.get(start..end));
            let bytes = bytes.ok_or_else(|| truncated(message, start, len))?;
            return Ok((number, Some(Field { number, bytes, offset: start }), start + bytes.len()));
        }
        5 => 4,
        _ => return Err(malformed(at, format!("invalid wire type {wire_type} in the field tag {key:#x}"))),
    };
    match message.len() - start >= len {
        true => Ok((number, None, start + len)),
        false => Err(truncated(message, start, len as u64)),
    }
}

/// Returns the error for a field of `len` bytes at `start` that ends after `message`.
fn truncated(message: &[u8], start: usize, len: u64) -> ProfileError {
    malformed(start, format!("truncated field: {len} bytes expected, {} left", message.len() - start))
}

/// Returns the varint at `at`, and the offset of the byte after it. Overlong encodings are
/// accepted, as protobuf requires.
///
/// The errors of prost's own decoder do not contain the offset.
fn varint(message: &[u8], at: usize) -> Result<(u64, usize), ProfileError> {
    let mut value = 0;
    for (index, &byte) in message[at..].iter().enumerate() {
        if index == 9 && byte > 1 {
            return Err(malformed(at + index, "varint overflow: value does not fit 64 bits"));
        }
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((value, at + index + 1));
        }
    }
    Err(malformed(message.len(), "truncated varint"))
}
