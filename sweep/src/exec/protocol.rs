//! The bytes of the messages between a sweep and its children; `README.md` in `examples/exec`
//! describes them.
//!
//! A message is a length (`u32`) and that many bytes. All numbers are little-endian.

/// The maximum number of inputs in a request.
pub(super) const MAX_INPUTS: usize = 1024;
/// The maximum length of a byte string, whose length is one byte.
pub(super) const MAX_STRING: usize = 255;

/// The maximum length of a refusal in the earlier protocol.
const MAX_REFUSAL: usize = 4097;

/// What a child does with each input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Returns the encoding of a number: a byte string, which is empty if there is none.
    Encode,
    /// Returns the number of bytes of the first value of a string, 0 if it is invalid, and the
    /// value.
    Decode,
}

impl Task {
    /// Returns the name of the task in a request.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Encode => "enc ",
            Self::Decode => "dec ",
        }
    }

    /// Returns the allowed lengths of one result, for numbers of `width` bytes.
    fn result_lens(self, width: usize) -> (usize, usize) {
        match self {
            Self::Encode => (1, 1 + MAX_STRING),
            Self::Decode => (1 + width, 1 + width),
        }
    }
}

/// A request as it is sent, and what is known about the answer.
#[derive(Default)]
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
    /// The number of inputs.
    count: usize,
    /// The minimum and maximum length of the answer.
    min: usize,
    max: usize,
}

impl Request {
    /// Makes this a request for `count` inputs, which `inputs` appends. Their numbers have this type,
    /// with `width` bytes.
    pub(super) fn set(
        &mut self,
        task: Task,
        (type_name, width): (&str, usize),
        count: usize,
        inputs: impl FnOnce(&mut Vec<u8>),
    ) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&[0; 4]);
        self.bytes.extend_from_slice(task.name().as_bytes());
        self.bytes.extend_from_slice(format!("{type_name:<4}").as_bytes());
        inputs(&mut self.bytes);
        let length = (self.bytes.len() - 4) as u32;
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
        let (min, max) = task.result_lens(width);
        (self.count, self.min, self.max) = (count, count * min, count * max);
    }

    /// Returns the number of bytes that are read at most: those of the longest answer, and one to
    /// recognize excess output, or to quote a text.
    pub(super) fn capacity(&self) -> usize {
        4 + self.max.max(256) + 1
    }

    /// Returns the results if `output` is a complete answer, or `None` if it is only its beginning.
    ///
    /// # Errors
    ///
    /// Returns the violation of the protocol as a noun phrase.
    pub(super) fn results<'o>(&self, output: &'o [u8]) -> Result<Option<&'o [u8]>, String> {
        let Some((length, results)) = output.split_first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        let Self { count, min, max, .. } = *self;
        if (min..=max).contains(&length) {
            return match results.len() {
                got if got < length => Ok(None),
                got if got == length => Ok(Some(results)),
                got => Err(format!("{} bytes or more after the answer", got - length)),
            };
        }
        match results {
            // A child of the earlier protocol refuses a request without inputs, whose task it takes for a kind.
            [] if count == 0 && length <= MAX_REFUSAL => return Ok(None),
            [0xff, ..] if count == 0 && length <= MAX_REFUSAL => {
                return Err("an answer by the earlier protocol, whose messages had a kind and a count".into());
            }
            _ => {}
        }
        let allowed = if min == max { min.to_string() } else { format!("{min} to {max}") };
        let noun = if count == 1 { "input" } else { "inputs" };
        let start = output[..output.len().min(24)].escape_ascii();
        Err(format!(
            "an answer of {length} bytes (expected {allowed} for {count} {noun}; the output begins with \"{start}\")"
        ))
    }
}

/// Returns the byte strings of an answer, each after its length.
///
/// # Errors
///
/// Returns the violation of the protocol if they are not `count` strings.
pub(super) fn strings(results: &[u8], count: usize) -> Result<impl Iterator<Item = &[u8]>, String> {
    let mut ends = 0;
    let (mut found, mut rest) = (0, results);
    while let Some((&length, after)) = rest.split_first() {
        rest = after
            .get(usize::from(length)..)
            .ok_or_else(|| format!("{} bytes for result {found} (expected {length})", after.len()))?;
        found += 1;
    }
    if found != count {
        return Err(format!("{found} results (expected {count})"));
    }
    Ok(std::iter::from_fn(move || {
        let length = usize::from(*results.get(ends)?);
        let string = &results[ends + 1..ends + 1 + length];
        ends += 1 + length;
        Some(string)
    }))
}

/// Returns text from a child without control characters, for a terminal.
pub(super) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn request(task: Task, count: usize, inputs: &[u8]) -> Request {
        let mut request = Request::default();
        request.set(task, ("i16", 2), count, |bytes| bytes.extend_from_slice(inputs));
        request
    }

    fn message(payload: &[u8]) -> Vec<u8> {
        [&(payload.len() as u32).to_le_bytes(), payload].concat()
    }

    #[test]
    fn requests_have_the_documented_layout() {
        assert_eq!(request(Task::Encode, 1, &[0xff, 0xff]).bytes, b"\x0a\0\0\0enc i16 \xff\xff");
        assert_eq!(request(Task::Decode, 1, &[2, 0x80, 1]).bytes, b"\x0b\0\0\0dec i16 \x02\x80\x01");
    }

    #[test]
    fn answers_by_the_earlier_protocol_are_recognized() {
        let probe = request(Task::Encode, 0, &[]);
        let refusal = message(b"\xffversion 1 only");
        assert_eq!(probe.results(&refusal[..4]), Ok(None));
        assert!(probe.results(&refusal).unwrap_err().contains("earlier protocol"));
        let text = probe.results(b"Hello, world").unwrap_err();
        assert!(text.contains("\"Hello, world\""), "{text}");
    }

    #[test]
    fn strings_are_as_many_as_inputs() {
        let read = |results, count| Ok::<_, String>(strings(results, count)?.collect::<Vec<_>>());
        assert_eq!(read(&[1, 7, 0, 2, 8, 9], 3), Ok(vec![&[7][..], &[], &[8, 9]]));
        assert_eq!(read(&[1, 7], 2), Err("1 results (expected 2)".into()));
        assert_eq!(read(&[1, 7, 3, 1], 2), Err("1 bytes for result 1 (expected 3)".into()));
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
            for request in [request(Task::Encode, 2, &[0; 4]), request(Task::Decode, 3, &[0; 3])] {
                let at = |end: usize| request.results(&output[..end]);
                let Some(length) = output.first_chunk().map(|length| u32::from_le_bytes(*length) as usize)
                else {
                    prop_assert_eq!(at(output.len()), Ok(None));
                    continue;
                };
                let is_allowed = (request.min..=request.max).contains(&length);
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
