//! The output of a child is a complete answer, the beginning of one, or a violation of the
//! protocol, however it is split.

use every_input::Integer;
use every_input::fuzzing::{Answered, Asked, answer, stderr_excerpt};

use crate::property::input::Input;

/// Checks the output of a child. The first byte chooses the type, the second the request, the third
/// its size. The rest is the output, or standard error in pieces.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (kind, asked, n) = (input.byte(), input.byte(), usize::from(input.byte()));
    let asked = match asked % 8 {
        0 => Asked::Hello,
        1..=3 => Asked::Encode(n),
        4..=6 => Asked::Decode(n % 16),
        _ => return stderr(input),
    };
    match kind % 8 {
        0 => check_output::<u8>(asked, input.rest()),
        1 => check_output::<i8>(asked, input.rest()),
        2 => check_output::<u16>(asked, input.rest()),
        3 => check_output::<i16>(asked, input.rest()),
        4 => check_output::<u32>(asked, input.rest()),
        5 => check_output::<i32>(asked, input.rest()),
        6 => check_output::<u64>(asked, input.rest()),
        _ => check_output::<i64>(asked, input.rest()),
    }
}

fn check_output<T: Integer + PartialEq + std::fmt::Debug>(asked: Asked, output: &[u8]) {
    // The outcome is known at the fourth byte or when all announced bytes were read. Any further
    // output is an error.
    let announced = output.first_chunk().map_or(usize::MAX, |length| u32::from_le_bytes(*length) as usize);
    let whole = announced.saturating_add(4);
    for end in [0, 3, 4, 5, whole - 1, whole, whole.saturating_add(1), output.len()] {
        let Some(start) = output.get(..end) else { continue };
        let outcome = answer::<T>(asked, start);
        match &outcome {
            Ok(None) => assert!(end < whole, "{end} bytes are complete"),
            Ok(Some(answered)) => {
                assert_eq!(end, whole, "{answered:?}");
                check_answer(asked, answered, &start[5..]);
            }
            Err(why) => printable(why),
        }
        assert!(end < 4 || end != whole || outcome != Ok(None), "{end} bytes are a complete answer");
        assert!(end <= whole || outcome.is_err(), "more bytes than announced");
        assert!(end >= 4 || outcome == Ok(None), "the length is incomplete");
    }
}

/// Checks that the answer belongs to the request and has the layout of the protocol.
fn check_answer<T: Integer + PartialEq + std::fmt::Debug>(
    asked: Asked,
    answered: &Answered<T>,
    payload: &[u8],
) {
    match (asked, answered) {
        (Asked::Hello, Answered::Hello) => assert_eq!(payload, b"varsweep\x01\0\0\0"),
        (Asked::Encode(capacity), Answered::Bytes(bytes)) => {
            assert!(bytes.len() <= capacity && bytes == payload);
        }
        (Asked::Decode(count), Answered::Values(values, used)) => {
            assert_eq!(values.len(), count);
            let numbers = values.iter().flat_map(|value| (value.to_i128() as u64).to_le_bytes());
            assert_eq!(payload, (*used as u32).to_le_bytes().into_iter().chain(numbers).collect::<Vec<_>>());
        }
        (_, Answered::Refusal(message)) => {
            assert!(!message.is_empty());
            printable(message);
        }
        (asked, answered) => panic!("{answered:?} to {asked:?}"),
    }
}

/// Checks that the excerpt of standard error is short and does not depend on the pieces.
fn stderr(mut input: Input) {
    let mut cuts = input.cuts();
    let bytes = input.rest();
    let mut rest = bytes;
    let pieces = std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(cuts.next().min(rest.len()));
        let more = !rest.is_empty();
        rest = after;
        more.then_some(piece)
    });
    let message = stderr_excerpt(pieces);
    assert_eq!(message, stderr_excerpt([bytes]));
    assert!(message.len() < 2000, "{} bytes of {}", message.len(), bytes.len());
    printable(&message);
}

fn printable(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}

pub fn examples() -> Vec<Vec<u8>> {
    let message =
        |kind: u8, payload: &[u8]| [&(payload.len() as u32 + 1).to_le_bytes()[..], &[kind], payload].concat();
    let values = |values: &[i64]| {
        let numbers: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        [&2u32.to_le_bytes()[..], &numbers].concat()
    };
    let outputs = [
        (0, 0, message(0x81, b"varsweep\x01\0\0\0")),
        (0, 0, message(0x81, b"varsweep\x02\0\0\0")),
        (0, 0, b"Hello, world\n".to_vec()),
        (1, 20, message(0x82, &[0x02, 0x01])),
        (1, 2, message(0x82, &[0x80, 0x80, 0x01])),
        (4, 1, message(0x83, &values(&[-1]))),
        (4, 2, message(0x83, &values(&[0, i64::MIN]))),
        (4, 3, message(0x83, &values(&[127, 255, 65_535]))),
        (4, 2, message(0xff, b"no\x1b[31m such\ntype \xff\n")),
        (1, 2, message(0xff, b"")),
        (1, 2, message(0x83, b"")),
        (4, 0, [message(0x83, &values(&[])), vec![0]].concat()),
        (4, 0, vec![0xff; 5]),
        (7, 0, b"\x31\x52\x07Traceback\n  File \"x.py\"\n\nValueError: \xff\x1b[2J\n".to_vec()),
        (7, 0, [&b"\x0f\x01\x00panic: "[..], &[b'x'; 300], b"\ngoroutine 1\n"].concat()),
    ];
    let outputs = outputs.into_iter().enumerate();
    outputs.map(|(kind, (asked, n, output))| [&[kind as u8, asked, n], &output[..]].concat()).collect()
}
