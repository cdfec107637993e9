//! The bytes of the messages between a sweep and its children; `README.md` in `examples/exec`
//! describes them.
//!
//! A message is a length (`u32`) and that many bytes. An input or a result is a string: a length of
//! one byte, and that many bytes. All numbers are little-endian.

use crate::byte_strings::{DecodingError, ErrorKind};
use crate::plan::byte_strings::hex;
use crate::plan::integer::Integer;
use crate::plan::number::Number;

/// The maximum number of inputs in a request.
pub(super) const MAX_INPUTS: usize = 1024;
/// The maximum length of a string.
pub(super) const MAX_STRING: usize = 255;

/// What a child does with each input of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Returns the encoding of a number, or nothing if there is none.
    Encode,
    /// Returns the length and the value of the first value in the input, or an error.
    Decode,
    /// Returns the result of a function of a number: any bytes.
    Call,
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Self::Encode => "enc ",
            Self::Decode => "dec ",
            Self::Call => "fun ",
        }
    }
}

/// A request as it is sent, with the number of its inputs.
#[derive(Default)]
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
    count: usize,
}

impl Request {
    /// Makes this a request for `count` inputs, which `inputs` appends. Their numbers have this type.
    pub(super) fn set(&mut self, task: Task, type_name: &str, count: usize, inputs: &dyn Fn(&mut Vec<u8>)) {
        self.count = count;
        self.bytes.clear();
        self.bytes.extend_from_slice(&[0; 4]);
        self.bytes.extend_from_slice(task.name().as_bytes());
        self.bytes.extend_from_slice(format!("{type_name:<4}").as_bytes());
        inputs(&mut self.bytes);
        let length = (self.bytes.len() - 4) as u32;
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
    }

    pub(super) fn has_inputs(&self) -> bool {
        self.count > 0
    }

    /// Returns what was asked, for a message.
    pub(super) fn describe(&self) -> Option<String> {
        let (task, inputs) = self.bytes.get(4..)?.split_at_checked(8)?;
        let (&length, inputs) = inputs.split_first()?;
        let noun = if self.count == 1 { "input" } else { "inputs" };
        let (task, first) = (String::from_utf8_lossy(task), hex(&inputs[..length.into()]));
        Some(format!("\"{}\" with {} {noun}, the first {first} in hex", task.trim_end(), self.count))
    }

    /// Returns how many bytes are left of an answer of another length than the request allows, if
    /// `output` is the start of one.
    pub(super) fn rest_of_other(output: &[u8]) -> Option<usize> {
        let length = u32::from_le_bytes(*output.first_chunk()?) as usize;
        (4 + length).checked_sub(output.len()).filter(|_| length <= MAX_INPUTS * (1 + MAX_STRING))
    }

    fn max(&self) -> usize {
        self.count * (1 + MAX_STRING)
    }

    /// Returns the number of bytes that are read at most: those of the longest answer, and one to
    /// recognize excess output, or to quote a text.
    pub(super) fn capacity(&self) -> usize {
        4 + self.max().max(256) + 1
    }

    /// Returns the results if `output` is a complete answer, or `None` if it is only its beginning.
    /// Returns a violation of the protocol as a noun phrase.
    pub(super) fn results<'o>(&self, output: &'o [u8]) -> Result<Option<&'o [u8]>, String> {
        let Some((length, results)) = output.split_first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        let (count, max) = (self.count, self.max());
        if (count..=max).contains(&length) {
            return match results.len() {
                got if got < length => Ok(None),
                got if got == length => Ok(Some(results)),
                got => Err(format!("{} bytes or more after the answer", got - length)),
            };
        }
        let allowed = if max == 0 { "0".into() } else { format!("{count} to {max}") };
        let noun = if count == 1 { "input" } else { "inputs" };
        let start = output[..output.len().min(24)].escape_ascii();
        Err(format!(
            "an answer of {length} bytes (expected {allowed} for {count} {noun}; the output begins with \"{start}\")"
        ))
    }
}

/// Appends a string, which has at most [`MAX_STRING`] bytes.
pub(super) fn push_string(message: &mut Vec<u8>, string: &[u8]) {
    message.push(string.len() as u8);
    message.extend_from_slice(string);
}

pub(super) fn push_number<T: Number>(message: &mut Vec<u8>, value: T) {
    push_string(message, &value.bits().to_le_bytes()[..size_of::<T>()]);
}

/// Returns the number of a string, if it has the length of the type.
pub(super) fn number<T: Number>(string: &[u8]) -> Option<T> {
    let mut bytes = [0; 8];
    bytes.get_mut(..string.len()).filter(|bytes| bytes.len() == size_of::<T>())?.copy_from_slice(string);
    Some(T::of_bits(u64::from_le_bytes(bytes)))
}

/// Returns the strings of an answer. Returns a violation of the protocol as a noun phrase if they
/// are not `count` strings.
pub(super) fn strings(mut results: &[u8], count: usize) -> Result<Vec<&[u8]>, String> {
    let mut strings = Vec::with_capacity(count);
    while let Some((&length, after)) = results.split_first() {
        let (string, rest) = after.split_at_checked(length.into()).ok_or_else(|| {
            format!("{} bytes for result {} (expected {length})", after.len(), strings.len())
        })?;
        strings.push(string);
        results = rest;
    }
    match strings.len() {
        found if found == count => Ok(strings),
        found => Err(format!("{found} results (expected {count})")),
    }
}

/// What a decoder returns for a string: the first value and its length, or an error, which is `None`
/// if the child gives no reason.
pub(super) type Decoded<T> = Result<(T, usize), Option<DecodingError>>;

/// Reads the result of a decoder. Returns a violation of the protocol as a noun phrase.
pub(super) fn decoded<T: Integer>(result: &[u8]) -> Result<Decoded<T>, String> {
    use ErrorKind::{NonCanonical, Overflow, Truncated};
    Ok(match *result {
        [] => Err(None),
        [0, kind @ 1..=3, offset] => {
            let kind = [Truncated, Overflow, NonCanonical][usize::from(kind - 1)];
            Err(Some(DecodingError { kind, offset: offset.into() }))
        }
        [length, ref value @ ..] if length > 0 && value.len() == size_of::<T>() => {
            Ok((number(value).unwrap_or_default(), length.into()))
        }
        _ => {
            let (got, width) = (result.escape_ascii(), size_of::<T>());
            return Err(format!(
                "the result \"{got}\" of dec (expected a length above 0 and {width} bytes, or \\x00, a kind of 1 to 3 \
                 and an offset, or nothing)"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn requests_have_the_documented_layout() {
        let mut request = Request::default();
        request.set(Task::Encode, "i16", 1, &|inputs| push_number(inputs, -2i16));
        assert_eq!(request.bytes, b"\x0b\0\0\0enc i16 \x02\xfe\xff");
        request.set(Task::Decode, "u8", 1, &|inputs| push_string(inputs, &[0x80, 1]));
        assert_eq!(request.bytes, b"\x0b\0\0\0dec u8  \x02\x80\x01");
    }

    #[test]
    fn strings_are_as_many_as_inputs() {
        assert_eq!(strings(&[1, 7, 0, 2, 8, 9], 3), Ok(vec![&[7][..], &[], &[8, 9]]));
        assert_eq!(strings(&[1, 7], 2), Err("1 results (expected 2)".into()));
        assert_eq!(strings(&[1, 7, 3, 1], 2), Err("1 bytes for result 1 (expected 3)".into()));
    }

    #[test]
    fn decoders_return_a_value_or_an_error() {
        assert_eq!(decoded::<i16>(&[2, 0xfe, 0xff]), Ok(Ok((-2, 2))));
        let overflow = DecodingError { kind: ErrorKind::Overflow, offset: 9 };
        assert_eq!(decoded::<i16>(&[0, 2, 9]), Ok(Err(Some(overflow))));
        assert_eq!(decoded::<i16>(&[]), Ok(Err(None)));
        for result in [&[2, 1][..], &[2, 1, 0, 0], &[0, 2], &[0, 4, 9], &[0, 0, 9]] {
            assert!(decoded::<i16>(result).is_err(), "{result:?}");
        }
    }

    proptest! {
        /// The outcome is known at the fourth byte, or when all announced bytes were read. Any
        /// further output is an error.
        #[test]
        fn answers_are_known_when_complete_and_excess_output_is_an_error(
            noise in prop::collection::vec(any::<u8>(), 0..40),
            length in prop_oneof![Just(None), (0u32..40).prop_map(Some)],
        ) {
            let length = length.map(u32::to_le_bytes);
            let output = [length.as_ref().map_or(&[][..], |length| length), &noise].concat();
            for count in [2, 30] {
                let request = Request { bytes: Vec::new(), count };
                let at = |end: usize| request.results(&output[..end]);
                let Some(length) = output.first_chunk().map(|length| u32::from_le_bytes(*length) as usize)
                else {
                    prop_assert_eq!(at(output.len()), Ok(None));
                    continue;
                };
                let is_allowed = (count..=256 * count).contains(&length);
                for end in 0..=output.len() {
                    match at(end) {
                        Ok(None) => prop_assert!(end < 4 || (is_allowed && end < 4 + length)),
                        Ok(Some(results)) => {
                            prop_assert!(is_allowed && end == 4 + length);
                            prop_assert_eq!(results, &output[4..end]);
                        }
                        Err(problem) => {
                            prop_assert!(!problem.contains(char::is_control), "{}", problem);
                            prop_assert!(end >= 4 && (!is_allowed || end > 4 + length));
                        }
                    }
                }
            }
        }
    }
}
