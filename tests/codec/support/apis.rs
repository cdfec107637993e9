//! Compares every API for decoding and encoding with the oracle on the same input.

use zigzag_varint::{Canonical, Decoder, Kernel, Progress, ReadVarint, Reader, Varint, WriteVarint};

use super::bulk_streams;
use super::optional_apis;
use super::oracle::{self, BulkOutcome, ErrorAt, Int, Outcome};
use super::pieces::Pieces;
use super::reported_errors::{MISSING, decode_error_in};

/// Checks that every API decodes the first value of `src` to the expected outcome.
pub fn check_decoders<T: Int>(src: &[u8], canonical: bool, expected: Outcome<T>) {
    let check = |api: &str, outcome: Outcome<T>| {
        assert_eq!(outcome, expected, "{api} on {} {src:02x?}, canonical: {canonical}", T::NAME);
    };
    if canonical {
        one::<T, Canonical<T>>(src, check);
    } else {
        one::<T, T>(src, check);
    }
}

/// Compares every API with the oracle on the first value of `src`, leniently and canonically.
pub fn compare_decoders<T: Int>(src: &[u8]) {
    for canonical in [false, true] {
        check_decoders::<T>(src, canonical, oracle::decode(src, canonical));
    }
}

/// Checks that every API decodes all values of `src` as the oracle does.
pub fn check_stream_decoders<T: Int>(src: &[u8], canonical: bool) {
    let expected = oracle::decode_all(src, usize::MAX, canonical);
    let check = |api: &str, outcome: BulkOutcome<T>| {
        assert_eq!(outcome, expected, "{api} on {} {src:02x?}, canonical: {canonical}", T::NAME);
    };
    let validated = if canonical {
        all::<T, Canonical<T>>(src, check);
        Canonical::<T>::validate(src)
    } else {
        all::<T, T>(src, check);
        T::validate(src)
    };
    let progress = Progress { values: expected.values.len(), bytes: expected.bytes };
    let expected = expected.error.map_or(Ok(progress.values), |error| Err((progress, error)));
    let validated = validated.map_err(|failed| (failed.progress, failed.error.into()));
    let halves = Pieces::new(src, || src.len().div_ceil(2));
    bulk_streams::compare::<T>(src, &halves, canonical, 10);
    assert_eq!(validated, expected, "validate on {} {src:02x?}, canonical: {canonical}", T::NAME);
}

/// Compares the bytes from every API with the oracle's.
pub fn compare_encoders<T: Int>(value: T) {
    check_encoders(value, &oracle::encode(value));
}

/// Checks that every API encodes `value` to the expected bytes, and returns their number.
pub fn check_encoders<T: Int>(value: T, expected: &[u8]) {
    let same = |api: &str, bytes: &[u8]| assert_eq!(bytes, expected, "{api} on {} {value:?}", T::NAME);
    let same_len = |api: &str, len: usize| assert_eq!(len, expected.len(), "{api} on {} {value:?}", T::NAME);

    same("encode", &value.encode());
    same_len("encoded_len", value.encoded_len());

    let mut bytes = [0xaa; 20];
    same_len("encode_to_slice", value.encode_to_slice(&mut bytes).expect("enough space"));
    same("encode_to_slice", &bytes[..expected.len()]);
    assert!(
        bytes[expected.len()..].iter().all(|&byte| byte == 0xaa),
        "encode_to_slice writes nothing past the end"
    );

    for kernel in Kernel::available() {
        let mut bytes = [0xaa; 20];
        same_len(kernel.name(), kernel.encode_slice::<T>(&[value], &mut bytes).expect("enough space"));
        same(kernel.name(), &bytes[..expected.len()]);
        same_len(kernel.name(), kernel.encoded_len_slice::<T>(&[value]));
    }

    let mut written = Vec::new();
    same_len("io", written.write_varint(value).expect("a vector grows"));
    same("io", &written);

    bulk_streams::compare_encoders(&[value]);

    for (api, written, len) in optional_apis::encode(value) {
        same(api, &written);
        same_len(api, len);
    }
}

fn one<T: Int, W: Varint<Value = T>>(src: &[u8], report: impl Fn(&str, Outcome<T>)) {
    report("slice", W::decode(src).map_err(ErrorAt::from));

    for kernel in Kernel::available() {
        report(kernel.name(), bulk::<T, W>(kernel, src, 0));
        // After 75 other values, so that the value lies within a window of a vector kernel.
        report(kernel.name(), bulk::<T, W>(kernel, src, 75));
    }

    let mut reader = Reader::new(src);
    let read = reader.read::<W>();
    assert!(read.is_ok() || reader.position() == 0, "a failed read keeps the position");
    report("Reader", read.map(|value| (value, reader.position())).map_err(ErrorAt::from));

    let mut decoder = Decoder::<W>::new();
    report("Decoder", first_pushed(&mut decoder, src));
    let mut decoder = Decoder::<W>::new();
    report(
        "Decoder by slices",
        match decoder.push_slice(src) {
            Ok((Some(value), len)) => Ok((value, len)),
            Ok((None, _)) => Err(decoder.finish().err().map_or(MISSING, ErrorAt::from)),
            Err(error) => Err(error.into()),
        },
    );

    let mut input = src;
    let read = input.read_varint::<W>();
    report("io", read.map(|value| (value, src.len() - input.len())).map_err(decode_error_in));

    for (api, outcome) in optional_apis::decode::<T, W>(src) {
        report(api, outcome);
    }
}

fn all<T: Int, W: Varint<Value = T>>(src: &[u8], report: impl Fn(&str, BulkOutcome<T>)) {
    for kernel in Kernel::available() {
        let mut values = vec![T::default(); src.len()];
        let ended = kernel.decode_slice::<W>(src, &mut values);
        let progress = ended.unwrap_or_else(|failed| failed.progress);
        values.truncate(progress.values);
        let error = ended.err().map(|failed| failed.error.into());
        report(kernel.name(), BulkOutcome { values, bytes: progress.bytes, error });
    }

    let mut values = vec![T::default(); 3];
    let appended = W::decode_append(src, &mut values);
    let progress = appended
        .map_or_else(|failed| failed.progress, |appended| Progress { values: appended, bytes: src.len() });
    assert_eq!(values.len(), 3 + progress.values, "decode_append appends the reported number of values");
    let error = appended.err().map(|failed| failed.error.into());
    report("decode_append", BulkOutcome { values: values.split_off(3), bytes: progress.bytes, error });

    let mut reader = Reader::new(src);
    let mut values = Vec::new();
    let error = loop {
        let mut block = [T::default(); 10];
        let read = reader.read_slice::<W>(&mut block);
        values.extend_from_slice(&block[..read.unwrap_or_else(|failed| failed.progress.values)]);
        match read {
            Ok(0) => break None,
            Ok(_) => {}
            Err(failed) => break Some(failed.error.into()),
        }
    };
    report("Reader::read_slice", BulkOutcome { values, bytes: reader.position(), error });

    let mut reader = Reader::new(src);
    let (values, error) = gather(reader.values::<W>());
    report("Reader", BulkOutcome { values, bytes: reader.position(), error: error.map(ErrorAt::from) });

    let mut decoder = Decoder::<W>::new();
    let mut bytes = 0;
    let (values, error) = gather(std::iter::from_fn(|| {
        if bytes == src.len() {
            return None;
        }
        let pushed = first_pushed(&mut decoder, &src[bytes..]);
        bytes += pushed.map_or(0, |(_, len)| len);
        Some(pushed.map(|(value, _)| value))
    }));
    report("Decoder", BulkOutcome { values, bytes, error });

    let mut input = src;
    let mut bytes = 0;
    let (values, error) = gather(std::iter::from_fn(|| {
        let next = input.next_varint::<W>();
        let next = next.map_err(|error| decode_error_in(error).shifted(bytes));
        bytes = if next.is_ok() { src.len() - input.len() } else { bytes };
        next.transpose()
    }));
    report("io", BulkOutcome { values, bytes, error });
}

/// Decodes the value of `src` in a bulk call, after `before` other values.
fn bulk<T: Int, W: Varint<Value = T>>(kernel: Kernel, src: &[u8], before: usize) -> Outcome<T> {
    let one = T::from_wire(1).expect("within the type");
    let bytes = [&vec![0x01; before], src].concat();
    let mut values = vec![T::default(); before + 1];
    let decoded = kernel.decode_slice::<W>(&bytes, &mut values);
    assert!(values[..before].iter().all(|&value| value == one), "{kernel}: the values before");
    let start = Progress { values: before, bytes: before };
    match decoded {
        Ok(progress) if progress == start => Err(MISSING),
        Ok(progress) => {
            assert_eq!(progress.values, before + 1, "{kernel}");
            Ok((values[before], progress.bytes - before))
        }
        Err(failed) => {
            assert_eq!(failed.progress, start, "{kernel}");
            Err(ErrorAt { kind: failed.error.kind(), offset: failed.error.offset() - before })
        }
    }
}

/// Decodes the first value of `src`, one byte at a time.
fn first_pushed<W: Varint>(decoder: &mut Decoder<W>, src: &[u8]) -> Outcome<W::Value> {
    for (at, &byte) in src.iter().enumerate() {
        assert_eq!(decoder.pending(), at);
        if let Some(value) = decoder.push(byte)? {
            assert_eq!(decoder.pending(), 0);
            return Ok((value, at + 1));
        }
    }
    Err(decoder.finish().err().map_or(MISSING, ErrorAt::from))
}

/// Collects the values up to the first error.
fn gather<T, E>(mut items: impl Iterator<Item = Result<T, E>>) -> (Vec<T>, Option<E>) {
    let mut values = Vec::new();
    let error = loop {
        match items.next() {
            Some(Ok(value)) => values.push(value),
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    (values, error)
}
