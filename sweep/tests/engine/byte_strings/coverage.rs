//! Correct decoders pass, every planned string is checked, and every outcome occurs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use varint_sweep::byte_strings::{ByteDecoder, ByteSweep, ErrorKind, Outcome, Text};
use varint_sweep::{Ending, Integer, Watch};

use super::correct_decoders::{Correct, CorrectBulk, decode};

fn a_correct_decoder_passes<T: Integer>() {
    let sweep = ByteSweep::new().max_len(2).decoder::<T>(Correct).decoder::<T>(CorrectBulk);
    let report = sweep.run().expect("threads");
    assert_eq!(report.disagreements, 0, "{}", Text(&report));
    assert!(report.complete);
    assert_eq!(report.strings, report.types[0].lengths.iter().map(|length| length.planned).sum::<u64>());
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
    let report = ByteSweep::new().max_len(1).decoder::<i16>(Correct).run().expect("threads");
    let length = &report.types[0].lengths[1];
    let counts = [length.values, length.overlong, length.truncated, length.overflow];
    assert_eq!((length.checked, counts), (256, [128, 0, 128, 0]));
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
    let report = ByteSweep::new().max_len(0).decoder::<T>(counter).run().expect("threads");
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
    let sweep = ByteSweep::new().decoder::<u64>(Correct);
    let report = sweep.run_watched(&watch, None).expect("threads");
    assert_eq!((report.complete, report.ending), (false, Ending::Interrupted));
    assert_eq!((report.strings, report.decodings), (0, 0));
    assert!(Text(&report).to_string().contains("INTERRUPTED: no disagreement about 0 strings"));
}
