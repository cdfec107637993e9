//! Properties of the APIs on random values and bytes, for every type.

use crate::support::apis::{compare_decoders, compare_encoders};
use crate::support::oracle::{self, ErrorAt, Int};
use crate::support::strategies::{Sample, check_random, samples, values};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{
    BufferTooSmall, BulkError, Canonical, Decoder, Progress, Reader, Varint, count, decode_slice,
    decode_to_vec, encode_slice, encode_to_vec, encoded_len_slice, skip_values, zigzag,
};

fn check_round_trip<T: Int>() {
    check_random(values::<T>(), &|values| {
        for pair in values.windows(2).take(3) {
            compare_encoders(pair[0]);
            compare_decoders::<T>(&oracle::encode_all(pair));
        }
    });
}
for_types!(every_api_decodes_what_every_api_encodes, check_round_trip, all);

fn check_canonical<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, .. }| {
        let Ok((value, len)) = T::decode(&bytes) else { return };
        let encoded = value.encode();
        assert!(encoded.len() <= len, "`encode` returns the shortest encoding");
        assert_eq!(
            Canonical::<T>::decode(&bytes).is_ok(),
            *encoded == bytes[..len],
            "the result of `encode` is the only canonical encoding"
        );
        assert_eq!(encoded.len(), value.encoded_len());
        assert!(len <= T::MAX_LEN);
    });
}
for_types!(the_canonical_encoding_is_unique_and_the_shortest, check_canonical);

fn check_finality<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, .. }| {
        let longer = [&bytes[..], &more].concat();
        for decode in [T::decode, Canonical::<T>::decode] {
            match decode(&bytes) {
                Err(error) if error.is_incomplete() => {
                    assert_eq!((error.kind(), error.offset()), (Truncated, bytes.len()));
                    let whole = T::decode(&[&bytes[..], &[0]].concat());
                    assert_eq!(
                        whole.map(|(_, len)| len),
                        Ok(bytes.len() + 1),
                        "a final byte completes the value"
                    );
                }
                outcome => {
                    assert_eq!(decode(&longer), outcome);
                    assert!(outcome.is_ok() || outcome.is_err_and(|error| error.offset() < T::MAX_LEN));
                }
            }
        }
    });
}
for_types!(only_truncation_is_resolved_by_more_input, check_finality);

fn check_short_destinations<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, n, canonical, .. }| {
        let decode = if canonical { Canonical::<T>::decode_slice } else { decode_slice::<T> };
        let whole = oracle::decode_all::<T>(&bytes, usize::MAX, canonical);
        let (mut gathered, mut at) = (Vec::new(), 0);
        let error = loop {
            let mut values = vec![T::default(); n + 1];
            let outcome = decode(&bytes[at..], &mut values);
            let progress = outcome.unwrap_or_else(|failed| failed.progress);
            gathered.extend_from_slice(&values[..progress.values]);
            if let Err(failed) = outcome {
                break Some(ErrorAt::from(failed.error).shifted(at));
            }
            at += progress.bytes;
            if progress == Progress::default() {
                break None;
            }
        };
        assert_eq!((gathered, error), (whole.values, whole.error));
    });
}
for_types!(decoding_through_a_short_destination_loses_no_values, check_short_destinations);

fn check_error_offsets<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, .. }| {
        let mut values = vec![T::default(); bytes.len()];
        for decode in [decode_slice::<T>, Canonical::<T>::decode_slice] {
            let Err(BulkError { progress, error }) = decode(&bytes, &mut values) else { continue };
            assert!(error.offset() >= progress.bytes && error.offset() - progress.bytes < T::MAX_LEN);
            assert_eq!(error.is_incomplete(), error.offset() == bytes.len());
            assert_eq!(skip_values(&bytes, progress.values), Ok(progress.bytes));
        }
    });
}
for_types!(error_offsets_lie_within_the_first_value_after_progress, check_error_offsets);

fn check_short_buffers<T: Int>() {
    check_random(values::<T>(), &|values| {
        let expected = oracle::encode_all(&values);
        let needed = expected.len();
        assert_eq!(encoded_len_slice(&values), needed);
        for available in [0, needed / 2, needed.saturating_sub(1), needed, needed + 1] {
            let encoded = encode_slice(&values, &mut vec![0xaa; available]);
            let fits = available >= needed;
            assert_eq!(encoded, if fits { Ok(needed) } else { Err(BufferTooSmall { needed, available }) });
        }
        for value in values {
            let needed = value.encoded_len();
            for available in 0..needed {
                let mut bytes = [0xaa; 20];
                let encoded = value.encode_to_slice(&mut bytes[..available]);
                assert_eq!(encoded, Err(BufferTooSmall { needed, available }));
                assert_eq!(bytes, [0xaa; 20], "a failed call writes nothing");
            }
        }
    });
}
for_types!(the_error_for_a_short_buffer_states_the_needed_length, check_short_buffers);

fn check_vec_functions<T: Int>() {
    check_random(values::<T>(), &|values| {
        let bytes = encode_to_vec(&values);
        assert_eq!(bytes, oracle::encode_all(&values));
        assert_eq!(decode_to_vec(&bytes), Ok(values));
    });
    check_random(samples::<T>(), &|Sample { bytes, .. }| {
        let mut values = vec![T::default(); bytes.len()];
        let by_slice = decode_slice(&bytes, &mut values).map(|progress| values[..progress.values].to_vec());
        assert_eq!(decode_to_vec::<T>(&bytes), by_slice);
    });
}
for_types!(vec_functions_agree_with_slice_functions, check_vec_functions);

fn check_counting<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more: tail, n, .. }| {
        let head = [&bytes[..], &[0x00]].concat();
        let all = [&head[..], &tail].concat();
        assert_eq!(
            count(&all),
            count(&head) + count(&tail),
            "counts add up if the head ends with a complete value"
        );

        let skipped = skip_values(&all, n).map_err(ErrorAt::from);
        assert_eq!(skipped, oracle::skip(&all, n));
        match skipped {
            Ok(skipped) => assert_eq!(count(&all[..skipped]), n),
            Err(error) => assert!(n > count(&all) && error == ErrorAt { kind: Truncated, offset: all.len() }),
        }

        let mut reader = Reader::new(&all);
        assert_eq!(reader.skip_values(1).map_err(ErrorAt::from), oracle::skip(&all, 1));
        let start = reader.position();
        let skipped = reader.skip_values(n).map_err(ErrorAt::from);
        assert_eq!(skipped, oracle::skip(&all[start..], n).map_err(|error| error.shifted(start)));
        assert_eq!(reader.position(), start + skipped.unwrap_or(0), "a failed skip keeps the position");
    });
}
for_types!(exactly_the_counted_values_can_be_skipped, check_counting, u8 u64);

fn check_failed_reads<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, .. }| {
        let mut reader = Reader::new(&bytes);
        loop {
            let at = reader.position();
            assert_eq!(reader.remaining(), &bytes[at..]);
            assert_eq!(reader.is_empty(), at == bytes.len());
            if reader.read::<T>().is_err() {
                assert_eq!(reader.position(), at, "a failed read keeps the position");
                // The same bytes may be a valid value of a wider type.
                let wider = u128::decode(&bytes[at..]);
                assert_eq!(reader.read::<u128>().is_ok(), wider.is_ok());
                break;
            }
        }

        is_fused(Reader::new(&bytes).values::<T>());
        is_fused(Reader::new(&bytes).into_values::<Canonical<T>>());
    });
}
for_types!(a_failed_read_leaves_the_reader_position_unchanged, check_failed_reads);

/// Checks that there is nothing after the end or the first error.
fn is_fused<V, E>(mut items: impl Iterator<Item = Result<V, E>>) {
    while let Some(Ok(_)) = items.next() {}
    assert!((0..3).all(|_| items.next().is_none()), "the iterator is fused");
}

/// Mixes `read`, `skip_values`, `read_byte` and `read_bytes`, so that each starts where another one ended.
fn check_mixed_calls<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, canonical, .. }| {
        let mut reader = Reader::new(&bytes);
        for byte in more.iter().chain([&1, &1, &0, &1, &2, &1]) {
            let (at, n) = (reader.position(), usize::from(byte / 4 % 8));
            let rest = &bytes[at..];
            let consumed = match byte % 5 {
                0 => {
                    let skipped = reader.skip_values(n).map_err(ErrorAt::from);
                    assert_eq!(skipped, oracle::skip(rest, n).map_err(|error| error.shifted(at)));
                    skipped.unwrap_or(0)
                }
                1 => {
                    let raw = reader.read_bytes(n);
                    assert_eq!(raw.ok(), rest.get(..n));
                    raw.map_or(0, <[u8]>::len)
                }
                2 => {
                    let missing = ErrorAt { kind: Truncated, offset: at };
                    assert_eq!(
                        reader.read_byte().map_err(ErrorAt::from),
                        rest.first().copied().ok_or(missing)
                    );
                    rest.len().min(1)
                }
                _ => {
                    let read = if canonical { reader.read::<Canonical<T>>() } else { reader.read::<T>() };
                    let expected = oracle::decode::<T>(rest, canonical);
                    let value = expected.map(|(value, _)| value).map_err(|error| error.shifted(at));
                    assert_eq!(read.map_err(ErrorAt::from), value);
                    expected.map_or(0, |(_, len)| len)
                }
            };
            assert_eq!(reader.position(), at + consumed);
        }
    });
}
for_types!(reader_calls_continue_from_the_current_position, check_mixed_calls, u8 i32 u64);

fn check_split_input<T: Int>() {
    check_splits::<T, T>(false);
    check_splits::<T, Canonical<T>>(true);
}

fn check_splits<T: Int, W: Varint<Value = T>>(canonical: bool) {
    check_random(samples::<T>(), &|Sample { bytes, more, n, .. }| {
        let mut decoder = Decoder::<W>::new();
        let (mut values, mut rest) = (Vec::new(), &bytes[..]);
        let mut cuts = more.iter().map(|byte| usize::from(byte % 8)).chain(std::iter::repeat(n + 1));
        let error = 'input: loop {
            let (mut chunk, following) = rest.split_at(cuts.next().expect("endless").min(rest.len()));
            rest = following;
            while !chunk.is_empty() {
                match decoder.push_slice(chunk) {
                    Ok((value, consumed)) => {
                        assert!(
                            value.is_some() || consumed == chunk.len(),
                            "without a value the whole chunk is consumed"
                        );
                        values.extend(value);
                        chunk = &chunk[consumed..];
                    }
                    Err(error) => break 'input Some(error),
                }
            }
            if rest.is_empty() {
                break decoder.finish().err();
            }
        };
        let whole = oracle::decode_all::<T>(&bytes, usize::MAX, canonical);
        assert_eq!((values, error.map(ErrorAt::from)), (whole.values, whole.error));

        // The decoder is now between two values. After an error its offsets start from zero again.
        assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())));
        if error.is_some() {
            let endless = decoder.push_slice(&vec![0xff; T::MAX_LEN]);
            assert!(endless.is_err_and(|error| error.offset() == T::MAX_LEN - 1));
            assert_eq!(decoder.push_slice(&[0x80, 0x00]).is_err(), canonical, "strictness survives an error");
        }
    });
}
for_types!(decoder_results_do_not_depend_on_where_the_input_is_split, check_split_input);

macro_rules! zigzags {
    ($($signed:ident $unsigned:ident $encode:ident $decode:ident)*) => {$(
        #[test]
        fn $encode() {
            check_random(values::<$signed>(), &|values| {
                for value in values {
                    let wire: $unsigned = zigzag::$encode(value);
                    assert_eq!(wire.wire(), value.wire());
                    assert_eq!(zigzag::$decode(wire), value);
                }
            });
        }
    )*};
}

mod zigzag_matches_the_oracle {
    use super::*;

    zigzags! {
        i64 u64 i64_to_u64 u64_to_i64
        i128 u128 i128_to_u128 u128_to_i128
    }
}
