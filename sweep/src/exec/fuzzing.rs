//! The functions that read the output of a child, for [`fuzzing`](crate::fuzzing).

use super::protocol::{Answer, Request, check_hello, open, read_decoded};
use super::stderr::Lines;
use crate::plan::integer::Integer;

/// A request to a child.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// The greeting.
    Hello,
    /// To encode a value into at most this number of bytes.
    Encode(usize),
    /// To decode this number of values.
    Decode(usize),
}

/// The answer of a child.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered<T> {
    /// The child speaks the protocol.
    Hello,
    /// An encoding.
    Bytes(Vec<u8>),
    /// Values, and the reported length of their encodings.
    Values(Vec<T>, usize),
    /// An error message as it is displayed.
    Refusal(String),
}

/// Reads the output of a child as the answer to a request for values of type `T`. Returns `None` if
/// the output is incomplete.
///
/// # Errors
///
/// Returns the violation of the protocol, as it is displayed.
pub fn answer<T: Integer>(asked: Asked, output: &[u8]) -> Result<Option<Answered<T>>, String> {
    let mut request = Request::default();
    match asked {
        Asked::Hello => request.hello(T::NAME),
        Asked::Encode(capacity) => request.encode(&[T::default()], capacity),
        Asked::Decode(count) => request.decode(&[0], count),
    }
    // A sweep reads no more than that.
    let output = &output[..output.len().min(request.capacity())];
    if !request.is_answered(output)? {
        return Ok(None);
    }
    let payload = match open(output) {
        Answer::Payload(payload) => payload,
        Answer::Refusal(message) => return Ok(Some(Answered::Refusal(message))),
    };
    Ok(Some(match asked {
        Asked::Hello => check_hello(payload).map(|()| Answered::Hello)?,
        Asked::Encode(_) => Answered::Bytes(payload.to_vec()),
        Asked::Decode(count) => {
            let mut values = vec![T::default(); count];
            let used = read_decoded(payload, &mut values)?;
            Answered::Values(values, used)
        }
    }))
}

/// Returns the part of a message that quotes standard error, which is read in pieces.
pub fn stderr_excerpt<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut lines = Lines::default();
    pieces.into_iter().for_each(|piece| lines.push(piece));
    lines.excerpt()
}
