//! Input in chunks gives the same results as the whole input, wherever it is split.

use std::io::{self, BufRead, Read};

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{Canonical, LengthPrefix, ReadVarint, Signed};

use crate::property::input::{Cuts, Input};
use crate::support::frames::{self, PayloadError, Rules};
use crate::support::oracle::{self, Int, Outcome};
use crate::support::push_decoders::check_chunks;
use crate::support::reported_errors::decode_error_in;
use crate::support::sleb128_grammar::{self, Sleb};

/// The first byte chooses the type, the strictness, and signed LEB128 or varints; the second the
/// API, and the next three where the input is split. For payloads, a further byte chooses the
/// limit.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, reader, cuts) = (input.byte(), input.byte(), input.cuts());
    let (canonical, signed) = (choice & 0x80 != 0, choice & 0x40 != 0);
    match reader % 8 {
        0..=2 if signed => by_signed_type!(choice, signed_decoder(input.rest(), cuts, canonical)),
        0..=2 => by_type!(choice, decoder(input.rest(), cuts, canonical)),
        3 | 4 if signed => by_signed_type!(choice, signed_io(input.rest(), cuts, canonical)),
        3 | 4 => by_type!(choice, io(input.rest(), cuts, canonical)),
        5 => by_type!(choice, codec(input.rest(), cuts, canonical)),
        other => {
            let max_len = match input.byte() {
                0xff => usize::MAX,
                max_len => max_len.into(),
            };
            let rules = Rules { max_len, u32_prefix: choice & 0x40 != 0, canonical };
            if other == 6 {
                payloads_by_io(input.rest(), cuts, rules)
            } else {
                payloads_by_codec(input.rest(), cuts, rules)
            }
        }
    }
}

fn decoder<T: Int>(src: &[u8], mut cuts: Cuts, canonical: bool) {
    let expected = |rest: &[u8]| oracle::decode(rest, canonical);
    if canonical {
        check_chunks::<Canonical<T>>(src, expected, || cuts.next());
    } else {
        check_chunks::<T>(src, expected, || cuts.next());
    }
}

fn signed_decoder<T: Sleb>(src: &[u8], mut cuts: Cuts, canonical: bool) {
    let expected = |rest: &[u8]| sleb128_grammar::decode(rest, canonical);
    if canonical {
        check_chunks::<Canonical<Signed<T>>>(src, expected, || cuts.next());
    } else {
        check_chunks::<Signed<T>>(src, expected, || cuts.next());
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

fn io<T: Int>(src: &[u8], cuts: Cuts, canonical: bool) {
    values_by_io::<T>(
        src,
        cuts,
        |rest| oracle::decode(rest, canonical),
        |input| match canonical {
            true => input.next_varint::<Canonical<T>>(),
            false => input.next_varint::<T>(),
        },
    );
}

fn signed_io<T: Sleb>(src: &[u8], cuts: Cuts, canonical: bool) {
    values_by_io::<T>(
        src,
        cuts,
        |rest| sleb128_grammar::decode(rest, canonical),
        |input| match canonical {
            true => input.next_varint::<Canonical<Signed<T>>>(),
            false => input.next_varint::<Signed<T>>(),
        },
    );
}

/// Reads values up to the first error, and no byte after the last one read.
fn values_by_io<T: Int>(
    src: &[u8],
    cuts: Cuts,
    expected: impl Fn(&[u8]) -> Outcome<T>,
    next: impl Fn(&mut Chunks) -> io::Result<Option<T>>,
) {
    let mut input = Chunks::new(src, cuts);
    let mut at = 0;
    loop {
        let next = next(&mut input);
        let expected = expected(&src[at..]);
        let read = src.len() - input.src.len() - at;
        match next {
            Ok(None) => return assert_eq!(at, src.len(), "the end of {src:02x?}"),
            Ok(Some(value)) => assert_eq!(expected, Ok((value, read)), "{} {src:02x?} from {at}", T::NAME),
            Err(error) => {
                let error = decode_error_in(error);
                assert_eq!(expected, Err(error), "{} {src:02x?} from {at}", T::NAME);
                let expected_read = error.offset + usize::from(error.kind != Truncated);
                return assert_eq!(read, expected_read, "{src:02x?} from {at}");
            }
        }
        at += read;
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

#[cfg(not(feature = "tokio-util"))]
fn codec<T: Int>(src: &[u8], cuts: Cuts, canonical: bool) {
    decoder::<T>(src, cuts, canonical);
}

#[cfg(not(feature = "tokio-util"))]
fn payloads_by_codec(src: &[u8], cuts: Cuts, rules: Rules) {
    payloads_by_io(src, cuts, rules);
}

#[cfg(feature = "tokio-util")]
use by_codec::{codec, payloads_by_codec};

/// The same with the codecs of `tokio-util`.
#[cfg(feature = "tokio-util")]
mod by_codec {
    use bytes::BytesMut;
    use tokio_util::codec::Decoder;
    use zigzag_varint::Varint;
    use zigzag_varint::codec::{LengthPrefixedCodec, VarintCodec};

    use super::*;
    use crate::support::oracle::ErrorAt;

    pub(super) fn codec<T: Int>(src: &[u8], cuts: Cuts, canonical: bool) {
        if canonical {
            codec_of::<T, Canonical<T>>(src, cuts, true);
        } else {
            codec_of::<T, T>(src, cuts, false);
        }
    }

    fn codec_of<T: Int, W: Varint<Value = T>>(src: &[u8], cuts: Cuts, canonical: bool) {
        run(VarintCodec::<W>::new(), src, cuts, |rest, got| {
            let expected = oracle::decode_all::<T>(rest, usize::MAX, canonical);
            match got {
                Some(Ok(values)) => assert_eq!(values, expected.values, "{} {rest:02x?}", T::NAME),
                Some(Err(error)) => {
                    let outcome = (vec![], Some(decode_error_in(error)));
                    assert_eq!((expected.values, expected.error), outcome, "{} {rest:02x?}", T::NAME);
                }
                None => {
                    let truncated = ErrorAt { kind: Truncated, offset: rest.len() };
                    let error = (!rest.is_empty()).then_some(truncated);
                    assert_eq!((expected.values, expected.error), (vec![], error), "{} {rest:02x?}", T::NAME);
                }
            }
            expected.bytes
        });
    }

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
    let headers: [&[u8]; 14] = [
        &[0x06, 0, 0, 0, 0],
        &[0x44, 1, 0x21, 0x00, 0x13],
        &[0xc6, 3, 0x12, 0x01, 0x10],
        &[0x87, 1, 0x01, 0x30, 0x07],
        &[0x14, 2, 0xff, 0xff, 0xff],
        &[0x06, 3, 0x10, 0x01, 0x00],
        &[0x85, 4, 0x11, 0x11, 0x11],
        &[0x08, 5, 0x53, 0x01, 0x02],
        &[0x80, 6, 0x00, 0x10, 0x05, 0xff],
        &[0x00, 6, 0x31, 0x10, 0x05, 0x08],
        &[0xc0, 7, 0x00, 0x10, 0x05, 0x05],
        &[0x40, 7, 0x42, 0x11, 0x51, 0xff],
        &[0x82, 0, 0x09, 0x90, 0x11],
        &[0x89, 5, 0x10, 0x00, 0x10],
    ];
    super::examples::after(&headers)
}
