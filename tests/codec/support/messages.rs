//! Fields of messages, read as specified ("Encoding", section "Message Structure"): the oracle.

use zigzag_varint::protobuf::FieldError;
use zigzag_varint::{ErrorKind, FrameError};
use zigzag_varint_oracle as oracle;

/// What is wrong with a field. Unlike [`FieldError`], tests can construct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Varint(ErrorKind),
    Length(ErrorKind),
    TooLong,
    Missing(usize),
    InvalidTag(u32),
    UnexpectedEnd(u32),
    TooDeep,
}

/// A fault and its offset.
pub type FaultAt = (Fault, usize);

/// Converts an error of reading.
pub fn fault_at(error: FieldError) -> FaultAt {
    let fault = match error {
        FieldError::Varint(error) => Fault::Varint(error.kind()),
        FieldError::Payload(FrameError::Prefix(error)) => Fault::Length(error.kind()),
        FieldError::Payload(FrameError::TooLong { .. }) => Fault::TooLong,
        FieldError::Payload(FrameError::Truncated { missing, .. }) => Fault::Missing(missing),
        FieldError::InvalidTag { tag, .. } => Fault::InvalidTag(tag),
        FieldError::UnexpectedEnd { number, .. } => Fault::UnexpectedEnd(number),
        FieldError::TooDeep { .. } => Fault::TooDeep,
        other => panic!("not an error of reading: {other:?}"),
    };
    (fault, error.offset().expect("an offset"))
}

/// Returns the number at `at` and the offset of its end.
fn number(src: &[u8], at: usize, bits: u32, fault: fn(ErrorKind) -> Fault) -> Result<(u128, usize), FaultAt> {
    let decoded = oracle::decode(&src[at..], bits, false);
    decoded.map(|(number, len)| (number, at + len)).map_err(|error| (fault(error.kind), at + error.offset))
}

/// Returns the number of the field, the type of its value, and the offset of the end of its tag.
pub fn tag(src: &[u8], at: usize) -> Result<(u32, u32, usize), FaultAt> {
    let (tag, end) = number(src, at, 32, Fault::Varint)?;
    match (tag as u32 / 8, tag as u32 % 8) {
        (1.., of @ 0..=5) => Ok((tag as u32 / 8, of, end)),
        _ => Err((Fault::InvalidTag(tag as u32), end - 1)),
    }
}

/// Returns the offset of the end of a value that begins at `at`, in `depth` open groups.
pub fn value_end(src: &[u8], at: usize, field: u32, of: u32, depth: usize) -> Result<usize, FaultAt> {
    let bytes = |at: usize, len: usize| match len.checked_sub(src.len() - at) {
        Some(missing @ 1..) => Err((Fault::Missing(missing), src.len())),
        _ => Ok(at + len),
    };
    match of {
        0 => number(src, at, 64, Fault::Varint).map(|(_, end)| end),
        1 => bytes(at, 8),
        2 => {
            let (len, begin) = number(src, at, 64, Fault::Length)?;
            bytes(begin, usize::try_from(len).map_err(|_| (Fault::TooLong, at))?)
        }
        3 if depth == 100 => Err((Fault::TooDeep, at - 1)),
        3 => {
            let mut at = at;
            loop {
                let (inner, of, end) = tag(src, at)?;
                if (inner, of) == (field, 4) {
                    return Ok(end);
                }
                at = value_end(src, end, inner, of, depth + 1)?;
            }
        }
        4 => Err((Fault::UnexpectedEnd(field), at - 1)),
        _ => bytes(at, 4),
    }
}
