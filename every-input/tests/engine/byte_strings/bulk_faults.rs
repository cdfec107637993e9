//! Faults of bulk decoders are found.

use every_input::Interval;
use every_input::byte_strings::{BulkOutcome, ByteDecoder, DecodingError, ErrorKind, Outcome};

use super::{Single, decode, is_canonical, placement, report, structured};

/// A bulk decoder by a function, which gets the bytes, the values and whether they must be canonical.
struct Bulk<F>(F);

impl<F: Fn(&[u8], &mut [u64], bool) -> BulkOutcome + Sync> ByteDecoder<u64> for Bulk<F> {
    fn name(&self) -> &str {
        "faulty"
    }

    fn kernel(&self) -> Option<&str> {
        Some("avx7")
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u64> {
        decode(src, canonical)
    }

    fn decode_all(&self, src: &[u8], values: &mut [u64], canonical: bool) -> BulkOutcome {
        (self.0)(src, values, canonical)
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

/// Returns a bulk decoder that passes the bytes, the values and the correct outcome to a function, which
/// may change the values and the outcome.
fn faulty(
    fault: impl Fn(&[u8], &mut [u64], BulkOutcome) -> BulkOutcome + Sync + 'static,
) -> impl ByteDecoder<u64> + 'static {
    Bulk(move |src: &[u8], values: &mut [u64], canonical| {
        let ended = Single::correct().decode_all(src, values, canonical);
        fault(src, values, ended)
    })
}

/// Returns the placements of the disagreements about such a decoder, which must have some.
fn placements(fault: impl Fn(&[u8], &mut [u64], BulkOutcome) -> BulkOutcome + Sync + 'static) -> Vec<String> {
    let report = report(&structured(2).max_failures(400), faulty(fault));
    assert!(report.failures > 0, "the fault was not found");
    let first = &report.first_failures[0];
    let context = first.context.as_deref().expect("a context");
    assert!(context.starts_with("as u64 by faulty on avx7 ("), "{context}");
    assert_ne!(first.expected, first.got);
    report.first_failures.iter().map(|one| placement(one).to_owned()).collect()
}

#[test]
fn a_fault_at_a_single_alignment_of_a_stream_is_found() {
    let found = placements(|src, values, ended| {
        // Changes the value that begins at one of 64 alignments, if it has three bytes.
        let skip = (21 + 64 - src.as_ptr().addr() % 64) % 64;
        let before = if src.get(skip.wrapping_sub(1)).is_none_or(|&byte| byte < 128) {
            src[..skip.min(src.len())].iter().filter(|&&byte| byte < 128).count()
        } else {
            return ended;
        };
        if matches!(src.get(skip..), Some([128..=255, 128..=255, 1..=127, ..]))
            && before < ended.values
            && skip > 0
        {
            values[before] ^= 1;
        }
        ended
    });
    assert!(found.iter().any(|placement| *placement != "one value"));
}

#[test]
fn a_wrong_value_in_a_long_stream_is_found() {
    let found = placements(|_, values, ended| {
        if ended.values > 200 {
            values[199] = !values[199];
        }
        ended
    });
    assert!(found.iter().all(|placement| placement.ends_with("stream")));
}

#[test]
fn a_fault_reported_after_a_full_slice_is_found() {
    let found = placements(|src, values, ended| match ended {
        // The decoder reads one varint too many.
        BulkOutcome { values: count, bytes, error: None } if count == values.len() && bytes < src.len() => {
            let error = decode::<u64>(&src[bytes..], false).err().map(|error| error.offset_by(bytes));
            BulkOutcome { error, ..ended }
        }
        other => other,
    });
    assert!(found.iter().any(|one| one == "mixed stream"), "{found:?}");
}

#[test]
fn a_fault_in_the_tail_after_a_window_is_found() {
    let found = placements(|src, _, ended| match ended.error {
        Some(DecodingError { kind: ErrorKind::Truncated, .. }) if ended.bytes > 64 && src.len() < 90 => {
            BulkOutcome { error: None, ..ended }
        }
        _ => ended,
    });
    assert!(found.iter().any(|one| one == "appended"), "{found:?}");
}

#[test]
fn a_disagreement_in_a_stream_has_the_string_and_the_shortest_input() {
    for (panics, got) in
        [(true, "panic: a window too far"), (false, "Truncated at byte 0 after values up to byte 0")]
    {
        let fault = move |src: &[u8], _: &mut [u64], ended: BulkOutcome| {
            let Some(at) = src.windows(4).position(|bytes| bytes == [0x0a, 0x05, 0x0a, 0x06]) else {
                return ended;
            };
            assert!(!panics, "a window too far");
            let (bytes, kind) = (at + 2, ErrorKind::Truncated);
            let values = src[..bytes].iter().filter(|&&byte| byte < 128).count();
            match bytes < ended.bytes {
                true => BulkOutcome { values, bytes, error: Some(DecodingError { kind, offset: bytes }) },
                false => ended,
            }
        };
        // The strings that begin with 0a.
        let sweep = structured(2).threads(1);
        let sweep = sweep.ranges([Interval { first: 257 + 0x0a00, last: 257 + 0x0aff }]);
        let report = report(&sweep, faulty(fault));
        let one = report.first_failures.iter().find(|one| placement(one) == "stream").expect("one");
        assert_eq!((&*one.value, &*one.got), ("0a06", got));
        assert!(one.to_string().contains("stream, at byte 2 of 0a050a060a07)"), "{one}");
    }
}

#[test]
fn a_value_that_is_not_written_is_found() {
    // It leaves one value of canonical streams unwritten, after a lenient decoding of the same stream.
    let forgetful = |src: &[u8], values: &mut [u64], canonical| {
        let before = values.get(199).copied();
        let ended = Single::correct().decode_all(src, values, canonical);
        if let (true, 200.., Some(before)) = (canonical, ended.values, before) {
            values[199] = before;
        }
        ended
    };
    let report = report(&structured(1).threads(1).max_failures(10), Bulk(forgetful));
    let one = report.first_failures.first().expect("a disagreement");
    assert_eq!((&*one.value, placement(one), is_canonical(one)), ("7f107f", "stream", true));
}

#[test]
fn a_fault_with_a_single_capacity_is_found() {
    let found = placements(|src, values, ended| match values.len() {
        33 if src.len() > 100 => BulkOutcome { bytes: ended.bytes + 1, ..ended },
        _ => ended,
    });
    assert!(found.iter().all(|placement| *placement == "mixed stream"), "{found:?}");
}

#[test]
fn decoding_restarts_after_an_invalid_string() {
    // In a canonical stream, the previous string is overlong, so this one begins an input.
    let skips = |src: &[u8], _: &mut [u64], ended: BulkOutcome| {
        let is_restart = src.starts_with(&[0x82, 0x80, 0x00, 0x83]) && ended.error.is_some();
        if is_restart { BulkOutcome { error: None, ..ended } } else { ended }
    };
    let report = report(&structured(2).threads(1), faulty(skips));
    let one = &report.first_failures[0];
    assert_eq!((&*one.value, placement(one), is_canonical(one)), ("828000", "stream", true));
    assert_eq!(one.expected, "NonCanonical at byte 2 after values up to byte 0");
    assert!(one.to_string().contains("stream, at byte 3 of 818000828000838000)"), "{one}");
}

#[test]
fn impossible_counts_are_found() {
    placements(|_, _, _| BulkOutcome { values: usize::MAX, bytes: usize::MAX, error: None });
    placements(|src, values, _| BulkOutcome {
        values: src.len().min(values.len()),
        bytes: src.len(),
        error: None,
    });
}
