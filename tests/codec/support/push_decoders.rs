//! The checks of `Decoder`, whose input arrives in chunks.

use std::any::type_name;

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{Decoder, Varint};

use super::oracle::{ErrorAt, Outcome};

/// Decodes all values of `src` in chunks and continues after each error. Every other chunk is
/// passed as a slice, the rest as single bytes. Checks values, errors, offsets and the numbers of
/// bytes. `expected` decodes one value.
pub fn check_chunks<W: Varint>(
    src: &[u8],
    expected: impl Fn(&[u8]) -> Outcome<W::Value>,
    mut next_len: impl FnMut() -> usize,
) {
    let name = type_name::<W>();
    let mut decoder = Decoder::<W>::new();
    // Positions of the next byte, of the first byte of the current value, and from which the
    // decoder counts its offsets.
    let (mut at, mut start, mut origin) = (0, 0, 0);
    let mut single = false;
    while at < src.len() {
        let end = src.len().min(at + next_len());
        single ^= true;
        while at < end {
            let pushed = match single {
                true => decoder.push(src[at]).map(|value| (value, 1)),
                false => decoder.push_slice(&src[at..end]),
            };
            match pushed {
                Ok((Some(value), consumed)) => {
                    at += consumed;
                    let expected = expected(&src[start..]);
                    assert_eq!(Ok((value, at - start)), expected, "{name} {src:02x?} from {start}");
                    start = at;
                }
                Ok((None, consumed)) => {
                    at += consumed;
                    assert!(
                        single || at == end,
                        "{name} {src:02x?}: stops at {at}, before the end of the chunk"
                    );
                    let expected = expected(&src[start..at]);
                    let truncated = Err(ErrorAt { kind: Truncated, offset: at - start });
                    assert_eq!(expected, truncated, "{name} {src:02x?} from {start}");
                }
                Err(error) => {
                    let expected = expected(&src[start..end]).map_err(|error| error.shifted(start - origin));
                    assert_eq!(expected, Err(error.into()), "{name} {src:02x?} from {start}");
                    at = origin + error.offset() + 1;
                    (start, origin) = (at, at);
                }
            }
            assert_eq!(decoder.pending(), at - start, "{name} {src:02x?} at {at}");
        }
    }
    let truncated = ErrorAt { kind: Truncated, offset: at - origin };
    let expected = if start < at { Err(truncated) } else { Ok(()) };
    assert_eq!(decoder.finish().map_err(ErrorAt::from), expected, "{name} {src:02x?}");
    assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())), "the decoder is reset");
}
