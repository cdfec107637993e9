//! The APIs that decode.

use zigzag_varint::{BulkError, DecodeError, Decoder, Kernel, Progress, ReadVarint, Reader};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt, Outcome};

use super::{Number, Ruled};
use crate::support::pieces::Pieces;
use crate::support::reported_errors::{MISSING, decode_error_in};

/// Decodes the first value.
pub type First = fn(&[u8]) -> Outcome<u128>;

/// Decodes at most `capacity` values.
pub type Slice = fn(&[u8], usize) -> BulkOutcome<u128>;

/// Decodes all values of an input in pieces, at most `capacity` in a call.
pub type Stream = fn(&Pieces, usize) -> BulkOutcome<u128>;

/// The functions of a wire type that decode.
pub struct Decoders {
    pub first: Vec<(&'static str, First)>,
    pub slice: Vec<(&'static str, Slice)>,
    /// Decodes exactly a number of values.
    pub exact: Vec<(&'static str, Slice)>,
    pub slice_by: fn(Kernel, &[u8], usize) -> BulkOutcome<u128>,
    pub append: fn(&[u8], &mut Vec<u128>) -> Result<usize, BulkError>,
    pub decode_to_vec: fn(&[u8]) -> Result<Vec<u128>, BulkError>,
    pub validate: fn(&[u8]) -> Result<usize, BulkError>,
    pub stream: Vec<(&'static str, Stream)>,
}

impl Decoders {
    pub(super) fn of<W: Ruled>() -> Self {
        Self {
            first: first::<W>(),
            slice: vec![
                ("decode_slice", |src, capacity| into_slice::<W>(capacity, |dst| W::decode_slice(src, dst))),
                ("Reader::read_slice", |src, capacity| {
                    let mut reader = Reader::new(src);
                    let outcome = into_slice::<W>(capacity, |dst| {
                        let values = reader.read_slice::<W>(dst)?;
                        Ok(Progress { values, bytes: reader.position() })
                    });
                    assert_eq!(reader.position(), outcome.bytes, "the position is that of an error");
                    outcome
                }),
                ("Reader::values", |src, capacity| {
                    let mut reader = Reader::new(src);
                    let (values, error) = gather(reader.values::<W>().take(capacity));
                    BulkOutcome { values, bytes: reader.position(), error: error.map(ErrorAt::from) }
                }),
            ],
            exact: exact::<W>(),
            slice_by: |kernel, src, capacity| {
                into_slice::<W>(capacity, |dst| kernel.decode_slice::<W>(src, dst))
            },
            append: |src, dst| {
                let mut values = vec![W::Value::default()];
                let appended = W::decode_append(src, &mut values);
                dst.extend(values[1..].iter().map(|value| value.number()));
                appended
            },
            decode_to_vec: |src| Ok(numbers::<W>(&W::decode_to_vec(src)?)),
            validate: W::validate,
            stream: stream::<W>(),
        }
    }
}

fn exact<W: Ruled>() -> Vec<(&'static str, Slice)> {
    fn appended<W: Ruled>(
        src: &[u8],
        append: impl FnOnce(&mut Vec<W::Value>) -> Result<usize, BulkError>,
    ) -> BulkOutcome<u128> {
        let mut values = Vec::new();
        let bytes = append(&mut values);
        assert!(values.capacity() <= src.len().max(8), "reserves more than the input justifies");
        let (bytes, error) = match bytes {
            Ok(bytes) => (bytes, None),
            Err(BulkError { progress, error }) => {
                assert_eq!(progress.values, values.len());
                (progress.bytes, Some(error.into()))
            }
        };
        BulkOutcome { values: numbers::<W>(&values), bytes, error }
    }
    vec![
        ("decode_exact", |src, n| {
            // More than one value past the input makes no difference.
            let n = n.min(src.len() + 1);
            into_slice::<W>(n, |dst| Ok(Progress { values: n, bytes: W::decode_exact(src, dst)? }))
        }),
        ("append_exact", |src, n| appended::<W>(src, |dst| W::append_exact(src, n, dst))),
        ("Reader::read_append", |src, n| {
            let mut reader = Reader::new(src);
            let outcome =
                appended::<W>(src, |dst| reader.read_append::<W>(n, dst).map(|()| reader.position()));
            assert_eq!(reader.position(), outcome.bytes, "the position is after the values");
            outcome
        }),
    ]
}

fn first<W: Ruled>() -> Vec<(&'static str, First)> {
    #[allow(unused_mut)] // without the features nothing is added
    let mut first: Vec<(&'static str, First)> = vec![
        ("decode", |src| ok::<W>(W::decode(src).map_err(ErrorAt::from))),
        ("Reader::read", |src| {
            let mut reader = Reader::new(src);
            let read = reader.read::<W>();
            assert!(read.is_ok() || reader.position() == 0, "a failed read keeps the position");
            ok::<W>(read.map(|value| (value, reader.position())).map_err(ErrorAt::from))
        }),
        ("Reader::into_values", |src| {
            let value = Reader::new(src).into_values::<W>().next();
            // The length is not known.
            let len = W::RULE.decode(src).map_or(0, |(_, len)| len);
            ok::<W>(value.map_or(Err(MISSING), |value| Ok((value?, len))))
        }),
        ("Decoder::push", |src| {
            let mut decoder = Decoder::<W>::new();
            for (at, &byte) in src.iter().enumerate() {
                assert_eq!(decoder.pending(), at);
                if let Some(value) = decoder.push(byte)? {
                    assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())));
                    return Ok((value.number(), at + 1));
                }
            }
            Err(decoder.finish().err().map_or(MISSING, ErrorAt::from))
        }),
        ("Decoder::push_slice", |src| {
            let mut decoder = Decoder::<W>::new();
            match decoder.push_slice(src)? {
                (Some(value), len) => Ok((value.number(), len)),
                (None, _) => Err(decoder.finish().err().map_or(MISSING, ErrorAt::from)),
            }
        }),
        ("read_varint", |mut src| {
            let len = src.len();
            let read = src.read_varint::<W>().map_err(decode_error_in);
            ok::<W>(read.map(|value| (value, len - src.len())))
        }),
        ("next_varint", |mut src| {
            let len = src.len();
            let next = src.next_varint::<W>().map_err(decode_error_in);
            ok::<W>(next.and_then(|value| Ok((value.ok_or(MISSING)?, len - src.len()))))
        }),
    ];
    #[cfg(feature = "bytes")]
    {
        use bytes::Buf;
        use zigzag_varint::BufVarint;

        fn get<W: Ruled>(mut buf: impl Buf) -> Outcome<u128> {
            let len = buf.remaining();
            let got = buf.try_get_varint::<W>().map_err(ErrorAt::from);
            ok::<W>(got.map(|value| (value, len - buf.remaining())))
        }
        first.push(("try_get_varint", |src| get::<W>(src)));
        first.push(("try_get_varint, split", |src| {
            let (head, tail) = src.split_at(src.len() / 2);
            get::<W>(head.chain(tail))
        }));
    }
    #[cfg(feature = "embedded-io")]
    first.push(("embedded_io read_varint", |mut src| {
        let len = src.len();
        let read = zigzag_varint::embedded_io::ReadVarint::read_varint::<W>(&mut src);
        ok::<W>(read.map(|value| (value, len - src.len())).map_err(embedded_error))
    }));
    first
}

fn stream<W: Ruled>() -> Vec<(&'static str, Stream)> {
    #[allow(unused_mut)] // without the features nothing is added
    let mut stream: Vec<(&'static str, Stream)> = vec![
        ("Decoder::decode_slice", by_decoder::<W>),
        ("read_varints", |pieces, capacity| {
            in_blocks::<W>(pieces, capacity, |pieces, block| {
                pieces.read_varints::<W>(block).map_err(|failed| converted(failed, decode_error_in))
            })
        }),
        ("next_varint", |pieces, _| {
            one_by_one::<W>(pieces, |pieces| pieces.next_varint::<W>().map_err(decode_error_in))
        }),
    ];
    #[cfg(feature = "bytes")]
    stream.push(("try_get_varints", |pieces, capacity| {
        in_blocks::<W>(pieces, capacity, |pieces, block| {
            let got = zigzag_varint::BufVarint::try_get_varints::<W>(pieces, block);
            got.map_err(|failed| converted(failed, ErrorAt::from))
        })
    }));
    #[cfg(feature = "embedded-io")]
    {
        use zigzag_varint::embedded_io::ReadVarint;

        stream.push(("embedded_io read_varints", |pieces, capacity| {
            in_blocks::<W>(pieces, capacity, |pieces, block| {
                let read = ReadVarint::read_varints::<W>(pieces, block);
                read.map_err(|failed| converted(failed, embedded_error))
            })
        }));
        stream.push(("embedded_io next_varint", |pieces, _| {
            one_by_one::<W>(pieces, |pieces| ReadVarint::next_varint::<W>(pieces).map_err(embedded_error))
        }));
    }
    stream
}

/// Collects the outcome of a function that decodes into a slice.
fn into_slice<W: Ruled>(
    capacity: usize,
    decode: impl FnOnce(&mut [W::Value]) -> Result<Progress, BulkError>,
) -> BulkOutcome<u128> {
    let mut values = vec![W::Value::default(); capacity];
    let decoded = decode(&mut values);
    let Progress { values: count, bytes } = decoded.unwrap_or_else(|failed| failed.progress);
    let error = decoded.err().map(|failed| failed.error.into());
    BulkOutcome { values: numbers::<W>(&values[..count]), bytes, error }
}

fn by_decoder<W: Ruled>(pieces: &Pieces, capacity: usize) -> BulkOutcome<u128> {
    let mut decoder = Decoder::<W>::new();
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    let mut block = vec![W::Value::default(); capacity];
    let mut consumed = 0;
    for &piece in &pieces.0 {
        let mut rest = piece;
        while !rest.is_empty() {
            let pending = decoder.pending();
            match decoder.decode_slice(rest, &mut block) {
                Ok(Progress { values, bytes }) => {
                    let full = values == capacity;
                    assert!(full || bytes == rest.len(), "stops with space for more");
                    assert!(!full || decoder.pending() == 0, "takes a byte without space for its value");
                    outcome.values.extend(numbers::<W>(&block[..values]));
                    rest = &rest[bytes..];
                    consumed += bytes;
                    outcome.bytes = consumed - decoder.pending();
                }
                Err(BulkError { progress: Progress { values, bytes }, error }) => {
                    outcome.values.extend(numbers::<W>(&block[..values]));
                    outcome.bytes = consumed + bytes - if values == 0 { pending } else { 0 };
                    outcome.error = Some(error.into());
                    assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())), "the decoder is reset");
                    return outcome;
                }
            }
        }
    }
    outcome.error = decoder.finish().err().map(ErrorAt::from);
    outcome
}

/// Reads blocks of at most `capacity` values, up to the end or the first error. Offsets count from
/// the first byte of a call.
fn in_blocks<W: Ruled>(
    pieces: &Pieces,
    capacity: usize,
    read: impl Fn(&mut Pieces, &mut [W::Value]) -> Result<usize, BulkError<ErrorAt>>,
) -> BulkOutcome<u128> {
    let mut input = pieces.clone();
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    let mut block = vec![W::Value::default(); capacity];
    loop {
        let (values, error) = match read(&mut input, &mut block) {
            Ok(values) => {
                outcome.bytes = pieces.len() - input.len();
                (values, None)
            }
            Err(BulkError { progress, error }) => {
                let error = error.shifted(outcome.bytes);
                outcome.bytes += progress.bytes;
                let consumed = pieces.len() - input.len();
                assert!(consumed >= outcome.bytes, "the values before the error are consumed");
                (progress.values, Some(error))
            }
        };
        outcome.values.extend(numbers::<W>(&block[..values]));
        outcome.error = error;
        if values < capacity || error.is_some() {
            return outcome;
        }
    }
}

/// Reads value by value, up to the end or the first error. Offsets count from the first byte of a
/// call.
fn one_by_one<W: Ruled>(
    pieces: &Pieces,
    next: impl Fn(&mut Pieces) -> Result<Option<W::Value>, ErrorAt>,
) -> BulkOutcome<u128> {
    in_blocks::<W>(pieces, 1, |pieces, block| match next(pieces) {
        Ok(Some(value)) => {
            block[0] = value;
            Ok(1)
        }
        Ok(None) => Ok(0),
        Err(error) => Err(BulkError { progress: Progress::default(), error }),
    })
}

fn ok<W: Ruled>(decoded: Outcome<W::Value>) -> Outcome<u128> {
    decoded.map(|(value, len)| (value.number(), len))
}

fn numbers<W: Ruled>(values: &[W::Value]) -> Vec<u128> {
    values.iter().map(|value| value.number()).collect()
}

/// Collects the values up to the first error.
fn gather<V: Number>(
    items: impl Iterator<Item = Result<V, DecodeError>>,
) -> (Vec<u128>, Option<DecodeError>) {
    let mut values = Vec::new();
    for item in items {
        match item {
            Ok(value) => values.push(value.number()),
            Err(error) => return (values, Some(error)),
        }
    }
    (values, None)
}

fn converted<E>(failed: BulkError<E>, error: impl FnOnce(E) -> ErrorAt) -> BulkError<ErrorAt> {
    BulkError { progress: failed.progress, error: error(failed.error) }
}

#[cfg(feature = "embedded-io")]
fn embedded_error<E: std::fmt::Debug>(error: zigzag_varint::embedded_io::Error<E, DecodeError>) -> ErrorAt {
    match error {
        zigzag_varint::embedded_io::Error::Data(error) => error.into(),
        zigzag_varint::embedded_io::Error::Io(error) => panic!("{error:?}"),
    }
}
