//! Input in chunks gives the same results as the whole input, wherever it is split.

use bytes::BytesMut;
use tokio_util::codec::Decoder;
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::ReadVarint;
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint_oracle::ErrorAt;

use crate::property::input::{Cuts, Input};
use crate::support::frames::{self, PayloadError, Rules};
use crate::support::pieces::Pieces;
use crate::support::wire_types::chosen;

/// The first byte chooses the wire type, or the rules of payloads. The second chooses the API and by how
/// much the pieces are longer than those of [`Cuts`], which the next three choose. The sixth is the
/// number of values in a call, or the limit of payloads.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, reader, mut cuts) = (input.byte(), input.byte(), input.cuts());
    let limit = input.byte();
    let src = input.rest();
    match reader % 8 {
        0..=2 => chosen(choice).check_chunks(src, || cuts.next()),
        3..=5 => {
            let longer = 8 * usize::from(reader / 32);
            let pieces = Pieces::new(src, || match cuts.next() {
                0 => 0,
                len => len + longer,
            });
            chosen(choice).check_stream(src, &pieces, 1 + usize::from(limit % 32));
        }
        other => {
            let max_len = if limit == 0xff { usize::MAX } else { limit.into() };
            let rules = Rules { max_len, u32_prefix: choice & 0x40 != 0, canonical: choice & 0x80 != 0 };
            if other == 6 { payloads_by_io(src, cuts, rules) } else { payloads_by_codec(src, cuts, rules) }
        }
    }
}

/// Reads payloads up to the first error.
fn payloads_by_io(src: &[u8], mut cuts: Cuts, rules: Rules) {
    let mut input = Pieces::new(src, || cuts.next());
    let mut at = 0;
    loop {
        let next = input.next_length_prefixed(rules.prefix());
        let expected = frames::read_borrowed(&src[at..], rules);
        let read = src.len() - input.len() - at;
        let context = || format!("{src:02x?} from {at} with {rules:?}");
        match next {
            Ok(None) => return assert_eq!(at, src.len(), "the end of {src:02x?}"),
            Ok(Some(payload)) => assert_eq!(expected, Ok((&payload[..], read)), "{}", context()),
            Err(error) => return assert_eq!(expected, Err(PayloadError::inside(error)), "{}", context()),
        }
        at += read;
    }
}

/// The same with the codec of `tokio-util`.
fn payloads_by_codec(src: &[u8], mut cuts: Cuts, rules: Rules) {
    let mut codec = LengthPrefixedCodec::new(rules.prefix());
    let (mut buffer, mut at, mut start) = (BytesMut::with_capacity(src.len()), 0, 0);
    loop {
        let end = src.len().min(at + cuts.next());
        buffer.extend_from_slice(&src[at..end]);
        at = end;
        let last = at == src.len();
        loop {
            let next = if last { codec.decode_eof(&mut buffer) } else { codec.decode(&mut buffer) };
            let buffered = &src[start..at];
            let expected = frames::read_borrowed(buffered, rules);
            let context = || format!("{buffered:02x?} with {rules:?}");
            match next {
                Ok(Some(payload)) => {
                    let (expected, used) = expected.expect("a payload");
                    assert_eq!(payload, expected, "{}", context());
                    start += used;
                    assert_eq!(buffer, src[start..at], "{used} bytes must be consumed");
                }
                Ok(None) if last => return assert!(buffered.is_empty(), "no error for {}", context()),
                Ok(None) => {
                    let incomplete = ErrorAt { kind: Truncated, offset: buffered.len() };
                    let is_cut = matches!(expected, Err(PayloadError::Truncated { .. }));
                    assert!(is_cut || expected == Err(PayloadError::Prefix(incomplete)), "{}", context());
                    break;
                }
                Err(error) => {
                    assert_eq!(expected, Err(PayloadError::inside(error)), "{}", context());
                    return assert_eq!(buffer, buffered, "a failed call consumes nothing");
                }
            }
        }
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    super::after((0..160u8).map(|n| {
        // Most pieces have up to three bytes, which is less than most values have.
        let mask = if n % 3 == 0 { 0xff } else { 0x33 };
        let [first, second, third] = [37, 101, 59].map(|factor| n.wrapping_mul(factor) & mask);
        // Payloads need all rules; the rows of the table follow one another.
        let choice = if n % 8 >= 6 { n << 5 } else { n / 2 };
        [choice, (n % 8) | ((n / 8) << 5), first, second, third, [0xff, 8, 31, 5, 0][usize::from(n / 7) % 5]]
    }))
}
