//! The checks of a row: every API agrees with the oracle about values, errors and offsets.

use zigzag_varint::{BufferTooSmall, BulkError, ErrorKind, Kernel, Progress};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt, Rule};

use super::WireType;
use crate::support::pieces::Pieces;

impl WireType {
    /// Compares every API that decodes with the oracle.
    pub fn check_bytes(&self, src: &[u8], capacity: usize) {
        self.check_first(src);
        self.check_slices(src, capacity);
        let &Self { name, rule, ref decoders, .. } = self;
        let all = rule.decode_all(src, usize::MAX);
        for len in [1, 3, src.len().div_ceil(2).max(1), usize::MAX] {
            let pieces = Pieces::new(src, || len);
            for (api, decode) in &decoders.stream {
                assert_eq!(decode(&pieces, capacity.max(1)), all, "{api}, {name}, {len} of {src:02x?}");
            }
        }
    }

    /// Compares the APIs that decode one value with the oracle.
    pub fn check_first(&self, src: &[u8]) {
        let first = self.rule.decode(src);
        for (api, decode) in &self.decoders.first {
            assert_eq!(decode(src), first, "{api}, {}, {src:02x?}", self.name);
        }
    }

    /// Compares the APIs that decode many values of a slice with the oracle.
    pub fn check_slices(&self, src: &[u8], capacity: usize) {
        let &Self { name, rule, ref decoders, .. } = self;
        let some = rule.decode_all(src, capacity);
        for (api, decode) in &decoders.slice {
            assert_eq!(decode(src, capacity), some, "{api}, {name}, {capacity} of {src:02x?}");
        }
        for n in [0, 1, some.values.len(), some.values.len() + 1, usize::MAX] {
            let mut expected = rule.decode_all(src, n);
            if expected.values.len() < n && expected.error.is_none() {
                expected.error = Some(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() });
            }
            for (api, decode) in &decoders.exact {
                assert_eq!(decode(src, n), expected, "{api}, {name}, {n} of {src:02x?}");
            }
        }
        for kernel in Kernel::available() {
            let decoded = (decoders.slice_by)(kernel, src, capacity);
            assert_eq!(decoded, some, "{kernel}, {name}, {capacity} of {src:02x?}");
        }

        let all = rule.decode_all(src, usize::MAX);
        let mut appended = Vec::new();
        let count = at((decoders.append)(src, &mut appended));
        assert_eq!((&appended, count), (&all.values, counted(&all)), "decode_append, {name}, {src:02x?}");
        let vec = at((decoders.decode_to_vec)(src).map(|values| values.len()));
        assert_eq!(vec, counted(&all), "decode_to_vec, {name}, {src:02x?}");
        assert_eq!(at((decoders.validate)(src)), counted(&all), "validate, {name}, {src:02x?}");
    }

    /// Compares every API that encodes with the oracle.
    pub fn check_values(&self, values: &[u128]) {
        let &Self { name, rule, ref encoders, .. } = self;
        let encoded: Vec<_> = values.iter().map(|&value| rule.encode(value)).collect();
        let bytes = encoded.concat();
        for (api, append) in &encoders.append {
            let mut dst = vec![0xaa];
            assert_eq!(append(values, &mut dst), bytes.len(), "{api}, {name}, {values:?}");
            assert_eq!((dst[0], &dst[1..]), (0xaa, &bytes[..]), "{api}, {name}, {values:?}");
        }
        let exact = |encode: &dyn Fn(&mut [u8]) -> Result<usize, BufferTooSmall>| {
            let mut dst = vec![0xaa; bytes.len()];
            assert_eq!((encode(&mut dst), &dst), (Ok(bytes.len()), &bytes), "{name}, {values:?}");
            if let Some(available) = bytes.len().checked_sub(1) {
                let error = BufferTooSmall { needed: bytes.len(), available };
                assert_eq!(encode(&mut dst[1..]), Err(error), "{name}, {values:?}");
            }
        };
        exact(&|dst| (encoders.encode_slice)(values, dst));
        assert_eq!((encoders.encoded_len_slice)(values), bytes.len(), "{name}, {values:?}");
        for kernel in Kernel::available() {
            exact(&|dst| (encoders.encode_slice_by)(kernel, values, dst));
            assert_eq!((encoders.encoded_len_slice_by)(kernel, values), bytes.len(), "{name}, {kernel}");
        }
        for (&value, bytes) in values.iter().zip(&encoded) {
            assert_eq!((encoders.encoded_len)(value), bytes.len(), "{name}, {value}");
            let mut dst = [0xaa; 20];
            assert_eq!((encoders.encode_to_slice)(value, &mut dst), Ok(bytes.len()), "{name}, {value}");
            assert!(dst.starts_with(bytes) && dst[bytes.len()..].iter().all(|&byte| byte == 0xaa), "{name}");
            let short = (encoders.encode_to_slice)(value, &mut dst[..bytes.len() - 1]);
            assert_eq!(short.map_err(|error| error.needed), Err(bytes.len()), "{name}, {value}");
        }
    }

    /// Checks that a value of any width is decoded by the wire type without the canonical rule, and
    /// that other widths are errors.
    pub fn check_padding(&self, value: u128) {
        let &Self { name, rule, max_len, ref encoders, .. } = self;
        let shortest = rule.encode(value).len();
        for width in 0..=20 {
            let mut dst = vec![0xaa; width];
            let padded = (encoders.encode_padded)(value, &mut dst);
            if (shortest..=max_len).contains(&width) {
                let lenient = Rule { canonical: false, ..rule };
                assert_eq!(
                    (padded, lenient.decode(&dst)),
                    (Ok(()), Ok((value, width))),
                    "{name}, {dst:02x?}"
                );
            } else {
                assert!(padded.is_err(), "{name}, {value}: {width}");
                assert!(dst.iter().all(|&byte| byte == 0xaa), "{name}, {value}: nothing is written");
            }
        }
    }
}

fn at(result: Result<usize, BulkError>) -> Result<usize, BulkError<ErrorAt>> {
    result.map_err(|BulkError { progress, error }| BulkError { progress, error: error.into() })
}

fn counted(outcome: &BulkOutcome<u128>) -> Result<usize, BulkError<ErrorAt>> {
    let progress = Progress { values: outcome.values.len(), bytes: outcome.bytes };
    outcome.error.map_or(Ok(progress.values), |error| Err(BulkError { progress, error }))
}
