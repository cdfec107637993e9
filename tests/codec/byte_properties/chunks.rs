//! Input in chunks gives the same results as the whole input, wherever it is split.

use std::io::{self, BufRead, Read};

use zigzag_varint::{LengthPrefix, ReadVarint};

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

/// Reads one chunk at a time. An empty chunk is an interruption.
struct Chunks<'a> {
    src: &'a [u8],
    cuts: Cuts,
    /// The number of bytes that are left of the chunk.
    left: usize,
}

impl<'a> Chunks<'a> {
    fn new(src: &'a [u8], cuts: Cuts) -> Self {
        Self { src, cuts, left: 0 }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(dst)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Chunks<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            self.left = self.cuts.next().min(self.src.len());
            if self.left == 0 && !self.src.is_empty() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        Ok(&self.src[..self.left])
    }

    fn consume(&mut self, n: usize) {
        self.src.consume(n);
        self.left -= n;
    }
}

/// Reads payloads up to the first error.
fn payloads_by_io(src: &[u8], cuts: Cuts, rules: Rules) {
    let prefix: LengthPrefix = rules.prefix();
    let mut input = Chunks::new(src, cuts);
    let mut at = 0;
    loop {
        let next = input.next_length_prefixed(prefix);
        let expected = frames::read_borrowed(&src[at..], rules);
        let read = src.len() - input.src.len() - at;
        match next {
            Ok(None) => return assert_eq!(at, src.len(), "the end of {src:02x?}"),
            Ok(Some(payload)) => {
                assert_eq!(expected, Ok((&payload[..], read)), "{src:02x?} from {at} with {rules:?}")
            }
            Err(error) => {
                return assert_eq!(
                    expected,
                    Err(PayloadError::inside(error)),
                    "{src:02x?} from {at} with {rules:?}"
                );
            }
        }
        at += read;
    }
}

use by_codec::payloads_by_codec;

/// The same with the codec of `tokio-util`.
mod by_codec {
    use bytes::BytesMut;
    use tokio_util::codec::Decoder;
    use zigzag_varint::ErrorKind::Truncated;
    use zigzag_varint::codec::LengthPrefixedCodec;

    use super::*;
    use zigzag_varint_oracle::ErrorAt;

    pub(super) fn payloads_by_codec(src: &[u8], cuts: Cuts, rules: Rules) {
        run(LengthPrefixedCodec::new(rules.prefix()), src, cuts, |rest, got| {
            let expected = frames::read_borrowed(rest, rules);
            match got {
                Some(Ok(payload)) => {
                    let (expected, used) = expected.expect("a payload");
                    assert_eq!(expected, payload, "{rest:02x?} with {rules:?}");
                    used
                }
                Some(Err(error)) => {
                    assert_eq!(expected, Err(PayloadError::inside(error)), "{rest:02x?} with {rules:?}");
                    0
                }
                None => {
                    let incomplete = matches!(
                        expected,
                        Err(PayloadError::Truncated { .. }
                            | PayloadError::Prefix(ErrorAt { kind: Truncated, .. }))
                    );
                    assert!(incomplete, "{rest:02x?} with {rules:?}: no item, expected {expected:?}");
                    0
                }
            }
        });
    }

    /// Passes the input to the codec chunk by chunk. `check` compares each result with the bytes
    /// that the codec had, and returns how many of them it must consume.
    fn run<D: Decoder<Error = io::Error>>(
        mut codec: D,
        src: &[u8],
        mut cuts: Cuts,
        check: impl Fn(&[u8], Option<io::Result<D::Item>>) -> usize,
    ) {
        let (mut buffer, mut at, mut start) = (BytesMut::with_capacity(src.len()), 0, 0);
        loop {
            let end = src.len().min(at + cuts.next());
            buffer.extend_from_slice(&src[at..end]);
            at = end;
            let last = at == src.len();
            loop {
                let next = if last { codec.decode_eof(&mut buffer) } else { codec.decode(&mut buffer) };
                let buffered = &src[start..at];
                match next {
                    Ok(None) if last => return assert!(buffered.is_empty(), "no error for {buffered:02x?}"),
                    Ok(None) => {
                        check(buffered, None);
                        break;
                    }
                    Ok(Some(item)) => {
                        let consumed = check(buffered, Some(Ok(item)));
                        start += consumed;
                        assert_eq!(buffer, src[start..at], "{consumed} bytes must be consumed");
                    }
                    Err(error) => {
                        check(buffered, Some(Err(error)));
                        return assert_eq!(buffer, buffered, "a failed call consumes nothing");
                    }
                }
            }
        }
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    let cuts: [[u8; 3]; 10] = [
        [0, 0, 0],
        [0x21, 0x00, 0x13],
        [0x12, 0x01, 0x10],
        [0x01, 0x30, 0x07],
        [0xff, 0xff, 0xff],
        [0x10, 0x01, 0x00],
        [0x11, 0x11, 0x11],
        [0x53, 0x01, 0x02],
        [0x00, 0x10, 0x05],
        [0x42, 0x11, 0x51],
    ];
    let headers = (0..160u8).map(|n| {
        let [first, second, third] = cuts[usize::from(n) % 10];
        // Payloads need all rules; the rows of the table follow one another.
        let choice = if n % 8 >= 6 { n << 5 } else { n / 2 };
        [choice, (n % 8) | ((n / 8) << 5), first, second, third, [0xff, 8, 31, 5, 0][usize::from(n / 7) % 5]]
    });
    super::after(&headers.collect::<Vec<_>>().iter().map(|header| &header[..]).collect::<Vec<_>>())
}
