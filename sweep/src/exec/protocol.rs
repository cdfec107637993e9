//! The block protocol: the bytes of requests and answers.
//!
//! Every message is a length (`u32`), a kind (one byte) and a payload. The length counts the kind
//! and the payload. All integers are little-endian. `examples/exec/README.md` describes the
//! protocol in full.

use crate::plan::integer::Integer;

/// The first bytes of a greeting and of the answer to it.
const MAGIC: [u8; 8] = *b"varsweep";
const VERSION: u32 = 1;

/// The maximum length of a child's error message in bytes.
const MAX_MESSAGE: usize = 4096;

/// The kinds of messages. An answer has the kind of its request, with the highest bit set.
const HELLO: u8 = 0x01;
const ENCODE: u8 = 0x02;
const DECODE: u8 = 0x03;
const ANSWER: u8 = 0x80;
const ERROR: u8 = 0xff;

/// A request as it is sent, and the limit of the answer.
#[derive(Default)]
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
    /// The maximum length of the answer's payload in bytes.
    max_payload: usize,
}

/// A complete answer that follows the protocol.
#[derive(Debug, PartialEq)]
pub(super) enum Answer<'a> {
    Payload(&'a [u8]),
    /// An error message: the child works, but its codec refuses the request.
    Refusal(String),
}

impl Request {
    /// Makes this a greeting for values of the type with this name.
    pub(super) fn hello(&mut self, type_name: &str) {
        self.set(HELLO, MAGIC.len() + 4, |payload| {
            payload.extend_from_slice(&greeting());
            payload.extend_from_slice(type_name.as_bytes());
        });
    }

    /// Makes this a request for the encodings of `values`, one after another, in at most `capacity`
    /// bytes.
    pub(super) fn encode<T: Integer>(&mut self, values: &[T], capacity: usize) {
        self.set(ENCODE, capacity, |payload| {
            payload.extend_from_slice(&(values.len() as u32).to_le_bytes());
            for value in values {
                payload.extend_from_slice(&(value.to_i128() as u64).to_le_bytes());
            }
        });
    }

    /// Makes this a request to decode `count` values from `src`.
    pub(super) fn decode(&mut self, src: &[u8], count: usize) {
        self.set(DECODE, 4 + 8 * count, |payload| {
            payload.extend_from_slice(&(count as u32).to_le_bytes());
            payload.extend_from_slice(src);
        });
    }

    fn set(&mut self, kind: u8, max_payload: usize, payload: impl FnOnce(&mut Vec<u8>)) {
        self.max_payload = max_payload;
        self.bytes.clear();
        self.bytes.extend_from_slice(&[0, 0, 0, 0, kind]);
        payload(&mut self.bytes);
        let length = (self.bytes.len() - 4) as u32;
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
    }

    /// Returns the maximum length of the kind and the payload of a valid answer.
    fn limit(&self) -> usize {
        1 + self.max_payload.max(MAX_MESSAGE)
    }

    /// Returns the number of bytes that are read at most: those of the longest valid answer, and
    /// one to recognize excess output.
    pub(super) fn capacity(&self) -> usize {
        4 + self.limit() + 1
    }

    /// Returns whether `bytes` are a complete answer, or `false` if they are only its beginning.
    ///
    /// # Errors
    ///
    /// Returns the violation of the protocol as a noun phrase.
    pub(super) fn is_answered(&self, bytes: &[u8]) -> Result<bool, String> {
        let Some((length, rest)) = bytes.split_first_chunk() else { return Ok(false) };
        let length = u32::from_le_bytes(*length) as usize;
        if length == 0 || length > self.limit() {
            let (limit, start) = (self.limit(), bytes[..bytes.len().min(16)].escape_ascii());
            return Err(format!(
                "an answer with length {length} (allowed: 1 to {limit}; the output begins with \"{start}\")"
            ));
        }
        if rest.len() > length {
            let (more, all) = (rest.len() - length, 4 + length);
            return Err(format!("output past the end of the answer (at least {more} bytes after its {all})"));
        }
        match rest {
            [kind, payload @ ..] if rest.len() == length => {
                self.check_header(*kind, payload.len()).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    fn check_header(&self, kind: u8, len: usize) -> Result<(), String> {
        let (max, expected) = (self.max_payload, self.bytes[4] | ANSWER);
        if kind == ERROR {
            Ok(())
        } else if kind != expected {
            Err(format!("an answer of kind {kind:#04x} (expected {expected:#04x})"))
        } else if len > max {
            Err(format!("an answer of {len} bytes (expected at most {max})"))
        } else {
            Ok(())
        }
    }
}

/// Splits a complete answer into its parts.
pub(super) fn open(bytes: &[u8]) -> Answer<'_> {
    let payload = bytes.get(5..).unwrap_or_default();
    if bytes.get(4) == Some(&ERROR) { Answer::Refusal(printable(payload)) } else { Answer::Payload(payload) }
}

fn greeting() -> [u8; 12] {
    let mut greeting = [0; 12];
    greeting[..8].copy_from_slice(&MAGIC);
    greeting[8..].copy_from_slice(&VERSION.to_le_bytes());
    greeting
}

/// Checks the answer to a greeting.
pub(super) fn check_hello(payload: &[u8]) -> Result<(), String> {
    if payload == greeting() { Ok(()) } else { Err(format!("\"{}\"", payload.escape_ascii())) }
}

/// Reads an answer to a decode request, and returns the reported number of bytes used.
pub(super) fn read_decoded<T: Integer>(payload: &[u8], values: &mut [T]) -> Result<usize, String> {
    let expected = 4 + 8 * values.len();
    let Some((used, numbers)) = payload.split_first_chunk().filter(|_| payload.len() == expected) else {
        let len = payload.len();
        return Err(format!("an answer of {len} bytes (expected {expected} for the number of values)"));
    };
    let (numbers, _) = numbers.as_chunks();
    for (at, (value, bytes)) in values.iter_mut().zip(numbers).enumerate() {
        let raw = u64::from_le_bytes(*bytes);
        let number = if T::SIGNED { i128::from(raw as i64) } else { i128::from(raw) };
        if !(T::MIN..=T::MAX).contains(&number) {
            return Err(format!("{number} as value {at} (not within the range of {})", T::NAME));
        }
        *value = T::from_i128(number);
    }
    Ok(u32::from_le_bytes(*used) as usize)
}

/// Returns text from a child without control characters, for a terminal.
pub(super) fn printable(bytes: &[u8]) -> String {
    let text: String =
        String::from_utf8_lossy(bytes).trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.is_empty() { "an error without a message".into() } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks an answer and splits it.
    fn answer<'a>(request: &Request, bytes: &'a [u8]) -> Result<Option<Answer<'a>>, String> {
        request.is_answered(bytes).map(|whole| whole.then(|| open(bytes)))
    }

    fn message(kind: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = (payload.len() as u32 + 1).to_le_bytes().to_vec();
        bytes.push(kind);
        bytes.extend_from_slice(payload);
        bytes
    }

    fn requests() -> [Request; 3] {
        let [mut hello, mut encode, mut decode] = [const { Request { bytes: vec![], max_payload: 0 } }; 3];
        hello.hello("i64");
        encode.encode(&[1i64, -1], 20);
        decode.decode(&[2, 1], 2);
        [hello, encode, decode]
    }

    /// Valid messages, messages with a wrong length, and random bytes.
    fn output() -> impl Strategy<Value = Vec<u8>> {
        let noise = prop::collection::vec(any::<u8>(), 0..64);
        let kind = prop_oneof![Just(0x81u8), Just(0x82), Just(0x83), Just(0xff), any::<u8>()];
        let framed = (kind, noise.clone(), prop_oneof![4 => Just(0i64), 1 => -9i64..9]).prop_map(
            |(kind, payload, off)| {
                let mut bytes = message(kind, &payload);
                let length = (payload.len() as i64 + 1 + off) as u32;
                bytes[..4].copy_from_slice(&length.to_le_bytes());
                bytes
            },
        );
        prop_oneof![1 => noise, 4 => framed]
    }

    #[test]
    fn requests_have_the_documented_layout() {
        let [hello, encode, decode] = requests();
        assert_eq!(hello.bytes, b"\x10\0\0\0\x01varsweep\x01\0\0\0i64");
        assert_eq!(
            encode.bytes,
            b"\x15\0\0\0\x02\x02\0\0\0\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
        );
        assert_eq!(decode.bytes, b"\x07\0\0\0\x03\x02\0\0\0\x02\x01");
    }

    #[test]
    fn signed_values_are_sign_extended() {
        let mut request = Request::default();
        request.encode(&[-1i8], 2);
        assert_eq!(request.bytes[9..], [0xff; 8]);
        request.encode(&[0xffu8], 2);
        assert_eq!(request.bytes[9..], [0xff, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn numbers_outside_the_type_are_refused() {
        let answer = |number: i64| [&2u32.to_le_bytes()[..], &number.to_le_bytes()].concat();
        assert_eq!(read_decoded(&answer(-128), &mut [0i8]), Ok(2));
        for outside in [-129, 128, i64::MIN, i64::MAX] {
            let message = read_decoded(&answer(outside), &mut [0i8]).unwrap_err();
            assert!(message.contains(&outside.to_string()) && message.contains("i8"), "{message}");
        }
        assert!(read_decoded(&answer(-1), &mut [0u32]).is_err());
        assert_eq!(read_decoded(&answer(-1), &mut [0u64]), Ok(2));
    }

    #[test]
    fn too_large_lengths_are_refused_at_the_fourth_byte() {
        for request in requests() {
            for length in [0, request.limit() as u32 + 1, 1 << 30, u32::MAX] {
                assert!(answer(&request, &length.to_le_bytes()).is_err(), "{length}");
            }
            assert_eq!(answer(&request, &(request.limit() as u32).to_le_bytes()), Ok(None));
        }
    }

    #[test]
    fn control_characters_in_refusals_are_replaced() {
        for request in requests() {
            let bytes = message(0xff, b"no\x1b[31m such\ntype \xff\n");
            let expected = Answer::Refusal("no [31m such type \u{fffd}".into());
            assert_eq!(answer(&request, &bytes), Ok(Some(expected)));
        }
    }

    proptest! {
        #[test]
        fn answers_are_known_when_complete_and_excess_output_is_an_error(output in output()) {
            for request in requests() {
                let results: Vec<_> = (0..=output.len()).map(|end| answer(&request, &output[..end])).collect();
                let settled = results.iter().position(|result| *result != Ok(None));
                let announced = output.first_chunk().map(|length| u32::from_le_bytes(*length) as usize);
                match settled {
                    None => prop_assert!(announced.is_none_or(|length| 4 + length > output.len())),
                    Some(at) => {
                        // At the fourth byte, or when all announced bytes were read.
                        prop_assert!(at == 4 || Some(at) == announced.map(|length| 4 + length));
                        // Any further output is an error.
                        prop_assert!(results[at + 1..].iter().all(Result::is_err));
                    }
                }
            }
        }

        #[test]
        fn arbitrary_answers_to_decode_fill_all_values_or_are_errors(
            payload in prop::collection::vec(any::<u8>(), 0..40),
            count in 0usize..5,
        ) {
            let mut values = vec![0i64; count];
            let read = read_decoded(&payload, &mut values);
            prop_assert_eq!(read.is_ok(), payload.len() == 4 + 8 * count);
            if read.is_ok() {
                let numbers: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                prop_assert_eq!(&payload[4..], &numbers[..]);
            }
        }

        #[test]
        fn payloads_up_to_the_limit_are_returned_unchanged(payload in prop::collection::vec(any::<u8>(), 0..21)) {
            let [_, encode, _] = requests();
            let bytes = message(0x82, &payload);
            let answer = answer(&encode, &bytes);
            prop_assert_eq!(answer.is_ok(), payload.len() <= 20);
            if answer.is_ok() {
                prop_assert_eq!(answer, Ok(Some(Answer::Payload(&payload))));
            }
        }
    }
}
