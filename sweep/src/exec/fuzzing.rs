//! The functions that read a child's output, for [`fuzzing`](crate::fuzzing).

use super::protocol::{Answer, Request, check_hello, open, read_decoded};
use super::stderr::Lines;
use crate::plan::integer::Integer;

/// What a child was asked.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// The greeting.
    Hello,
    /// To encode a value into so many bytes.
    Encode(usize),
    /// To decode so many values.
    Decode(usize),
}

/// What a child's output comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered<T> {
    /// It speaks the protocol.
    Hello,
    /// An encoding.
    Bytes(Vec<u8>),
    /// Values, and the bytes that they are said to take.
    Values(Vec<T>, usize),
    /// An error message, as it is shown.
    Refusal(String),
}

/// What the output so far is for a request about values of type `T`; `None` where more is to come.
///
/// # Errors
///
/// What is wrong with it, as it is shown.
pub fn answer<T: Integer>(asked: Asked, output: &[u8]) -> Result<Option<Answered<T>>, String> {
    let mut request = Request::default();
    match asked {
        Asked::Hello => request.hello(T::NAME),
        Asked::Encode(room) => request.encode(&[T::default()], room),
        Asked::Decode(count) => request.decode(&[0], count),
    }
    // No more is ever read.
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

/// What is told of a child's standard error, which comes in pieces.
pub fn told<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut lines = Lines::default();
    pieces.into_iter().for_each(|piece| lines.push(piece));
    lines.told()
}
