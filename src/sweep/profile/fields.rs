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
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < message.len() {
            match step(message, at) {
                Ok((Some(field), end)) => {
                    at = end;
                    return Some(Ok(field));
                }
                Ok((None, end)) => at = end,
                Err(error) => {
                    at = message.len();
                    return Some(Err(error));
                }
            }
        }
        None
    })
}

/// The field at `at`, if it holds bytes, and where the next one begins.
fn step(message: &[u8], at: usize) -> Result<(Option<Field<'_>>, usize), ProfileError> {
    let (key, start) = varint(message, at)?;
    let (number, kind) = (key >> 3, key & 7);
    let len = match kind {
        0 => return Ok((None, varint(message, start)?.1)),
        1 => 8,
        2 => {
            let (len, start) = varint(message, start)?;
            let end = usize::try_from(len).ok().and_then(|len| start.checked_add(len));
            let bytes = end.and_then(|end| message.get(start..end));
            let bytes =
                bytes.ok_or_else(|| malformed(start, format!("{len} bytes are announced, and end early")))?;
            return Ok((Some(Field { number, bytes, at: start }), start + bytes.len()));
        }
        5 => 4,
        _ => return Err(malformed(at, format!("no field of a message begins with {key:#x}"))),
    };
    match message.len() - start >= len {
        true => Ok((None, start + len)),
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
