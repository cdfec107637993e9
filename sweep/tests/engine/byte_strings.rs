//! The check of decoders on byte strings: a correct decoder passes, and every injected fault is
//! reported.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use varint_sweep::byte_strings::{
    BulkOutcome, ByteDecoder, ByteSweep, DecodingError, ErrorKind, Outcome, Placement, Report, Text,
};
use varint_sweep::{Ending, Integer, Watch};

/// A correct decoder, which adds the digits from the least significant one up while the sum fits the
/// type.
fn decode<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let error = |kind, offset| Err(DecodingError { kind, offset });
    let greatest = T::MAX - T::MIN;
    let (mut sum, mut weight) = (0, 1);
    for (offset, &byte) in src.iter().enumerate() {
        sum += i128::from(byte % 128) * weight;
        weight *= 128;
        let is_last = byte < 128;
        if sum > greatest || (!is_last && weight > greatest) {
            return error(ErrorKind::Overflow, offset);
        }
        if is_last && canonical && byte == 0 && offset > 0 {
            return error(ErrorKind::NonCanonical, offset);
        }
        if is_last {
            let number = match (T::SIGNED, sum % 2) {
                (true, 0) => sum / 2,
                (true, _) => -1 - sum / 2,
                (false, _) => sum,
            };
            return Ok((T::from_i128(number), offset + 1));
        }
    }
    error(ErrorKind::Truncated, src.len())
}

struct Correct;

impl<T: Integer> ByteDecoder<T> for Correct {
    fn name(&self) -> &str {
        "correct"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        decode(src, canonical)
    }
}

/// A correct decoder that is checked as a bulk decoder.
struct CorrectBulk;

impl<T: Integer> ByteDecoder<T> for CorrectBulk {
    fn name(&self) -> &str {
        "bulk"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        decode(src, canonical)
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

fn a_correct_decoder_passes<T: Integer>() {
    let sweep = ByteSweep::<T>::new().max_len(2).decoder(Correct).decoder(CorrectBulk);
    let report = sweep.run().expect("threads");
    assert_eq!(report.disagreements, 0, "{}", Text(&report));
    assert!(report.complete);
    assert_eq!(report.strings, sweep.string_count());
    assert_eq!(report.decodings, 2 * 7 * report.strings);
    let of_type = &report.types[0];
    for lengths in &of_type.lengths {
        assert_eq!(lengths.checked, lengths.planned);
        assert_eq!(lengths.values + lengths.truncated + lengths.overflow, lengths.checked);
    }
    let all = report.strings;
    let strings: Vec<_> = of_type.decoders.iter().map(|decoder| decoder.strings).collect();
    assert_eq!(strings, [[all, 0, all, 0, 0], [all; 5]]);
}

#[test]
fn correct_decoders_pass_u8() {
    a_correct_decoder_passes::<u8>();
}

#[test]
fn correct_decoders_pass_i8() {
    a_correct_decoder_passes::<i8>();
}

#[test]
fn correct_decoders_pass_i16() {
    a_correct_decoder_passes::<i16>();
}

#[test]
fn correct_decoders_pass_u32() {
    a_correct_decoder_passes::<u32>();
}

#[test]
fn correct_decoders_pass_u64() {
    a_correct_decoder_passes::<u64>();
}

#[test]
fn one_byte_strings_are_counted_by_outcome() {
    let report = ByteSweep::<i16>::new().max_len(1).decoder(Correct).run().expect("threads");
    let length = &report.types[0].lengths[1];
    let counts = [length.values, length.overlong, length.truncated, length.overflow];
    assert_eq!((length.checked, counts), (256, [128, 0, 128, 0]));
}

/// A decoder that passes the bytes, the policy and the correct outcome to a function, which may
/// change the outcome.
struct Faulty<F>(F);

impl<F: Fn(&[u8], bool, Outcome<u64>) -> Outcome<u64> + Sync> ByteDecoder<u64> for Faulty<F> {
    fn name(&self) -> &str {
        "faulty"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u64> {
        (self.0)(src, canonical, decode(src, canonical))
    }
}

/// Returns the report on such a decoder, which must have disagreements.
fn faulty(fault: impl Fn(&[u8], bool, Outcome<u64>) -> Outcome<u64> + Sync + 'static) -> Report {
    let report = ByteSweep::<u64>::new()
        .max_len(2)
        .threads(1)
        .max_failures(2000)
        .decoder(Faulty(fault))
        .run()
        .expect("threads");
    assert!(report.disagreements > 0, "the fault was not found");
    assert_eq!(report.ending, if report.complete { Ending::Complete } else { Ending::Failures });
    report
}

/// Returns the bytes, the expected and the actual outcome of the first disagreement about a string
/// that was decoded alone.
fn first(report: &Report) -> (&str, &str, &str) {
    let mut alone = report.first_disagreements.iter().filter(|one| one.placement == Placement::OneValue);
    let first = alone.next().expect("a string by itself");
    (&first.bytes, &first.expected, &first.got)
}

#[test]
fn an_accepted_overflow_is_found() {
    let report = faulty(|src, _, outcome| match outcome {
        Err(DecodingError { kind: ErrorKind::Overflow, offset: 9 }) if src[9] == 2 => Ok((7, 10)),
        other => other,
    });
    assert_eq!(first(&report), ("80808080808080808002", "Overflow at byte 9", "value 7 in 10 bytes"));
}

#[test]
fn an_accepted_overlong_encoding_is_found() {
    let report = faulty(|src, _, outcome| match outcome {
        Err(DecodingError { kind: ErrorKind::Overflow, .. }) if src[9] >= 128 && src.get(10) == Some(&0) => {
            Ok((0, 11))
        }
        other => other,
    });
    assert_eq!(first(&report), ("8080808080808080808000", "Overflow at byte 9", "value 0 in 11 bytes"));
}

#[test]
fn an_overlong_zero_accepted_as_canonical_is_found() {
    let report = faulty(
        |src, canonical, outcome| {
            if canonical && src.starts_with(&[0x80, 0x00]) { Ok((0, 2)) } else { outcome }
        },
    );
    assert_eq!(first(&report), ("8000", "NonCanonical at byte 1", "value 0 in 2 bytes"));
    assert!(report.first_disagreements.iter().all(|one| one.canonical));
}

#[test]
fn a_wrong_offset_is_found() {
    let report = faulty(|src, _, outcome| match outcome {
        Err(DecodingError { kind: ErrorKind::Truncated, offset }) if src.len() == 6 => {
            Err(DecodingError { kind: ErrorKind::Truncated, offset: offset - 1 })
        }
        other => other,
    });
    assert_eq!(first(&report), ("808080808080", "Truncated at byte 6", "Truncated at byte 5"));
}

#[test]
fn a_wrong_kind_is_found() {
    let report = faulty(|_, _, outcome| match outcome {
        Err(DecodingError { kind: ErrorKind::NonCanonical, offset: 4 }) => {
            Err(DecodingError { kind: ErrorKind::Overflow, offset: 4 })
        }
        other => other,
    });
    assert_eq!(first(&report), ("8080808000", "NonCanonical at byte 4", "Overflow at byte 4"));
}

#[test]
fn a_length_off_by_one_is_found() {
    let report = faulty(|_, _, outcome| outcome.map(|(value, len)| (value, len + usize::from(len == 9))));
    assert_eq!(first(&report), ("808080808080808000", "value 0 in 9 bytes", "value 0 in 10 bytes"));
}

#[test]
fn a_lost_top_bit_is_found() {
    let report = faulty(|_, _, outcome| outcome.map(|(value, len)| (value & !(1 << 63), len)));
    let top = "value 9223372036854775808 in 10 bytes";
    assert_eq!(first(&report), ("80808080808080808001", top, "value 0 in 10 bytes"));
}

#[test]
fn one_wrong_string_among_all_is_found() {
    let report = faulty(|src, _, outcome| if src == [0xb7, 0x3c] { Ok((1, 2)) } else { outcome });
    assert_eq!(first(&report), ("b73c", "value 7735 in 2 bytes", "value 1 in 2 bytes"));
    // Once leniently and once canonically: in streams, other bytes follow the string.
    assert_eq!((report.disagreements, report.complete), (2, true));
}

#[test]
fn a_panic_is_a_disagreement_with_its_message() {
    let report = faulty(|src, _, outcome| {
        assert!(src != [0xff, 0x80], "out of luck");
        outcome
    });
    assert_eq!(first(&report), ("ff80", "Truncated at byte 2", "panic: out of luck"));
    assert_eq!((report.disagreements, report.complete), (2, true));
}

#[test]
fn a_decoder_that_does_nothing_fails_everywhere() {
    struct Idle;
    impl ByteDecoder<u8> for Idle {
        fn name(&self) -> &str {
            "idle"
        }
        fn decode_first(&self, _: &[u8], _: bool) -> Outcome<u8> {
            Ok((0, 1))
        }
        fn decode_all(&self, src: &[u8], values: &mut [u8], _: bool) -> BulkOutcome {
            BulkOutcome { values: src.len().min(values.len()), bytes: src.len(), error: None }
        }
        fn is_bulk(&self) -> bool {
            true
        }
    }
    let report = ByteSweep::<u8>::new().max_len(1).max_failures(3).decoder(Idle).run().expect("threads");
    assert_eq!(report.ending, Ending::Failures);
    assert!(report.disagreements >= 3);
}

/// A bulk decoder that passes the bytes, the values and the correct outcome to a function, which may
/// change the values and the outcome.
struct FaultyBulk<F>(F);

impl<F: Fn(&[u8], &mut [u64], BulkOutcome) -> BulkOutcome + Sync> ByteDecoder<u64> for FaultyBulk<F> {
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
        let ended = CorrectBulk.decode_all(src, values, canonical);
        (self.0)(src, values, ended)
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

/// Returns the placements of the disagreements about such a decoder, which must have some.
fn faulty_bulk(
    fault: impl Fn(&[u8], &mut [u64], BulkOutcome) -> BulkOutcome + Sync + 'static,
) -> Vec<Placement> {
    let sweep = ByteSweep::<u64>::new().max_len(2).max_failures(400).decoder(FaultyBulk(fault));
    let report = sweep.run().expect("threads");
    assert!(report.disagreements > 0, "the fault was not found");
    let first = &report.first_disagreements[0];
    assert_eq!((&*first.decoder, first.kernel.as_deref()), ("faulty", Some("avx7")));
    assert_ne!(first.expected, first.got);
    report.first_disagreements.iter().map(|one| one.placement).collect()
}

#[test]
fn a_fault_at_a_single_alignment_of_a_stream_is_found() {
    let found = faulty_bulk(|src, values, ended| {
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
    assert!(found.iter().any(|placement| *placement != Placement::OneValue));
}

#[test]
fn a_wrong_value_in_a_long_stream_is_found() {
    let found = faulty_bulk(|_, values, ended| {
        if ended.values > 200 {
            values[199] = !values[199];
        }
        ended
    });
    assert!(found.iter().all(|placement| matches!(placement, Placement::Stream | Placement::MixedStream)));
}

#[test]
fn a_fault_reported_after_a_full_slice_is_found() {
    let found = faulty_bulk(|src, values, ended| match ended {
        // The decoder reads one varint too many.
        BulkOutcome { values: count, bytes, error: None } if count == values.len() && bytes < src.len() => {
            let error = decode::<u64>(&src[bytes..], false).err().map(|error| error.offset_by(bytes));
            BulkOutcome { error, ..ended }
        }
        other => other,
    });
    assert!(found.contains(&Placement::MixedStream), "{found:?}");
}

#[test]
fn a_fault_in_the_tail_after_a_window_is_found() {
    let found = faulty_bulk(|src, _, ended| match ended.error {
        Some(DecodingError { kind: ErrorKind::Truncated, .. }) if ended.bytes > 64 && src.len() < 90 => {
            BulkOutcome { error: None, ..ended }
        }
        _ => ended,
    });
    assert!(found.contains(&Placement::Appended), "{found:?}");
}

#[test]
fn a_disagreement_in_a_stream_has_the_string_and_the_shortest_input() {
    let panics = |src: &[u8], _: &mut [u64], ended: BulkOutcome| {
        let unlucky = src.windows(4).any(|bytes| bytes == [0x05, 0x0a, 0x06, 0x0a]);
        assert!(!unlucky, "a window too far");
        ended
    };
    let sweep = ByteSweep::<u64>::new().max_len(2).threads(1).max_failures(0).decoder(FaultyBulk(panics));
    let report = sweep.run().expect("threads");
    let one = report.first_disagreements.iter().find(|one| one.placement == Placement::Stream).expect("one");
    assert_eq!((&*one.bytes, &*one.got), ("060a", "panic: a window too far"));
    assert_eq!((one.stream.as_deref(), one.at), (Some("050a060a070a"), Some(2)));
}

/// A decoder that counts its calls by outcome.
struct Counter<const LONGEST: usize> {
    values: [AtomicU64; 12],
    overlong: [AtomicU64; 12],
    truncated: [AtomicU64; 12],
    /// Indexed by whether the last byte has the continuation bit.
    overflow: [AtomicU64; 2],
}

impl<T: Integer, const LONGEST: usize> ByteDecoder<T> for &'static Counter<LONGEST> {
    fn name(&self) -> &str {
        "counter"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        let outcome = decode(src, canonical);
        let counter = match outcome.map_err(|error| (error.kind, error.offset)) {
            Ok((_, len)) => &self.values[len],
            Err((ErrorKind::NonCanonical, offset)) => &self.overlong[offset],
            Err((ErrorKind::Truncated, offset)) => &self.truncated[offset],
            Err((ErrorKind::Overflow, offset)) => {
                assert_eq!(offset, LONGEST - 1);
                &self.overflow[usize::from(src[offset] >= 128)]
            }
        };
        counter.fetch_add(1, Relaxed);
        outcome
    }
}

fn all_outcomes_occur<T: Integer, const LONGEST: usize>() {
    let counter: &'static Counter<LONGEST> = Box::leak(Box::new(Counter {
        values: Default::default(),
        overlong: Default::default(),
        truncated: Default::default(),
        overflow: Default::default(),
    }));
    let report = ByteSweep::<T>::new().max_len(0).decoder(counter).run().expect("threads");
    assert_eq!(report.disagreements, 0);
    let seen = |counter: &AtomicU64| counter.load(Relaxed) > 0;
    assert!(counter.values[1..=LONGEST].iter().all(seen));
    assert!(counter.overlong[1..LONGEST].iter().all(seen));
    assert!(counter.truncated[..LONGEST].iter().all(seen));
    assert!(counter.overflow.iter().all(seen));
}

#[test]
fn structured_strings_have_every_outcome_at_every_byte_of_every_type() {
    all_outcomes_occur::<u8, 2>();
    all_outcomes_occur::<u16, 3>();
    all_outcomes_occur::<u32, 5>();
    all_outcomes_occur::<i64, 10>();
}

#[test]
fn a_stopped_sweep_reports_the_strings_that_it_checked() {
    let watch = Watch::new();
    watch.stop();
    let sweep = ByteSweep::<u64>::new().decoder(Correct);
    let report = sweep.run_watched(&watch).expect("threads");
    assert_eq!((report.complete, report.ending), (false, Ending::Interrupted));
    assert_eq!((report.strings, report.decodings), (0, 0));
    assert!(Text(&report).to_string().contains("INCOMPLETE: no disagreement about 0 strings"));
}

#[test]
fn a_value_that_is_not_written_is_found() {
    /// A decoder that leaves one value of canonical streams unwritten, after a lenient decoding of
    /// the same stream.
    struct Forgetful;
    impl ByteDecoder<u64> for Forgetful {
        fn name(&self) -> &str {
            "forgetful"
        }
        fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u64> {
            decode(src, canonical)
        }
        fn decode_all(&self, src: &[u8], values: &mut [u64], canonical: bool) -> BulkOutcome {
            let before = values.get(199).copied();
            let ended = Correct.decode_all(src, values, canonical);
            if let (true, 200.., Some(before)) = (canonical, ended.values, before) {
                values[199] = before;
            }
            ended
        }
    }
    let report = ByteSweep::<u64>::new().max_len(1).threads(1).decoder(Forgetful).run().expect("threads");
    let one = report.first_disagreements.first().expect("a disagreement");
    assert_eq!((&*one.bytes, one.placement, one.canonical), ("c701", Placement::Stream, true));
}

#[test]
fn a_fault_with_a_single_capacity_is_found() {
    let found = faulty_bulk(|src, values, ended| match values.len() {
        33 if src.len() > 100 => BulkOutcome { bytes: ended.bytes + 1, ..ended },
        _ => ended,
    });
    assert!(found.iter().all(|placement| *placement == Placement::MixedStream), "{found:?}");
}

#[test]
fn decoding_restarts_after_an_invalid_string() {
    // In a canonical stream, the previous string is overlong, so this one begins an input.
    let skips = |src: &[u8], _: &mut [u64], ended: BulkOutcome| {
        let is_restart = src.starts_with(&[0x86, 0x00, 0x87]) && ended.error.is_some();
        if is_restart { BulkOutcome { error: None, ..ended } } else { ended }
    };
    let sweep = ByteSweep::<u64>::new().max_len(2).threads(1).max_failures(0).decoder(FaultyBulk(skips));
    let report = sweep.run().expect("threads");
    let one = &report.first_disagreements[0];
    assert_eq!((&*one.bytes, one.placement, one.canonical), ("8600", Placement::Stream, true));
    assert_eq!(one.expected, "NonCanonical at byte 1 after values up to byte 0");
    assert_eq!((one.stream.as_deref(), one.at), (Some("850086008700"), Some(2)));
}

#[test]
fn impossible_counts_are_found() {
    faulty_bulk(|_, _, _| BulkOutcome { values: usize::MAX, bytes: usize::MAX, error: None });
}
