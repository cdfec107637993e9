//! Correct decoders pass, every planned string is checked, and every outcome occurs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use every_input::byte_strings::{ByteDecoder, Decoders, ErrorKind, Outcome};
use every_input::{ByteStrings, Ending, Integer, Sweep, Watch};

use super::{Correct, decode};
use crate::byte_properties::sets::count;

fn a_correct_decoder_passes<T: Integer>() {
    let decoders = Decoders::new()
        .with::<T>(Box::new(Correct { is_bulk: false }))
        .with::<T>(Box::new(Correct { is_bulk: true }));
    let report =
        Sweep::of(ByteStrings::structured(2)).exhaustive().check_decoders(&decoders).expect("threads");
    assert_eq!(report.failures, 0, "{report}");
    assert!(report.complete);
    assert_eq!(report.values, count(&report.plan));
    assert_eq!((report.by_length[&1], report.by_length[&2]), (256, 65_536));
}

#[test]
fn correct_decoders_pass() {
    a_correct_decoder_passes::<u8>();
    a_correct_decoder_passes::<i8>();
    a_correct_decoder_passes::<i16>();
    a_correct_decoder_passes::<u32>();
    a_correct_decoder_passes::<u64>();
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
    let decoders = Decoders::new().with::<T>(Box::new(counter));
    let report =
        Sweep::of(ByteStrings::structured(0)).exhaustive().check_decoders(&decoders).expect("threads");
    assert_eq!(report.failures, 0);
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
    let (sweep, decoders) = (
        Sweep::of(ByteStrings::structured(3)).exhaustive(),
        Decoders::new().with::<u64>(Box::new(Correct { is_bulk: false })),
    );
    let report = sweep.check_decoders_watched(&decoders, &watch, None).expect("threads");
    assert_eq!((report.complete, report.ending), (false, Ending::Interrupted));
    assert_eq!(report.values, 0);
    assert!(watch.progress().starts_with("0 strings, "), "{}", watch.progress());
    let text = report.to_string();
    assert!(
        text.starts_with("sweep of byte strings of up to 3 bytes by decoders correct as u64\n"),
        "{text}"
    );
    let end =
        "interrupted: only the part counted above was checked\n\nINTERRUPTED: no failure in 0 strings\n";
    assert!(text.ends_with(end), "{text}");
}
