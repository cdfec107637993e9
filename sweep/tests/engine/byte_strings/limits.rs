//! The limits of a sweep: the number of disagreements, the time, and the threads.

use std::time::Duration;

use varint_sweep::byte_strings::{ByteDecoder, Decoders, Outcome};
use varint_sweep::{Ending, Mode, Sweep, Text};

use super::correct_decoders::decode;

/// A decoder that is wrong everywhere.
struct Wrong;

impl ByteDecoder<u64> for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn decode_first(&self, _: &[u8], _: bool) -> Outcome<u64> {
        Ok((5, 100))
    }
}

#[test]
fn at_most_the_maximum_is_listed_and_those_of_other_threads_are_counted() {
    let sweep = Sweep::of_byte_strings(3).exhaustive().threads(4).max_failures(1);
    let report = sweep.check(&Decoders::new().with(Wrong)).expect("threads");
    assert_eq!(report.ending, Ending::Failures);
    assert_eq!(report.first_failures.len(), 1);
    assert_eq!(report.first_failures[0].value, "", "the first in the order of the strings");
    let text = Text(&report).to_string();
    assert!(text.contains("stopped after 1 failure, and found"), "{text}");
}

/// A decoder that is wrong about one string of three bytes.
struct WrongOnce;

impl ByteDecoder<u64> for WrongOnce {
    fn name(&self) -> &str {
        "once"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u64> {
        if src == [0x81, 0x82, 0x03] { Ok((0, 1)) } else { decode(src, canonical) }
    }
}

#[test]
fn a_budget_that_nothing_fits_takes_a_sample_of_the_long_strings() {
    let sweep = Sweep::of_byte_strings(3).budget(Duration::from_nanos(1));
    let report = sweep.check(&Decoders::new().with(WrongOnce)).expect("threads");
    assert_eq!((report.mode, report.complete), (Mode::Sample, true));
    let sampled: Vec<_> = report.strata.iter().map(|class| class.length).collect();
    assert_eq!(sampled, [3]);
    assert_eq!(report.by_length[&2], 65_536);
}

#[test]
fn the_types_share_one_schedule_and_one_limit() {
    let sweep = Sweep::of_byte_strings(1).exhaustive().threads(1).max_failures(0);
    let report = sweep.check(&Decoders::new().with(Wrong).with::<u8>(Small)).expect("threads");
    assert_eq!((report.codec.as_str(), report.complete), ("wrong, small as u64, u8", true));
    assert_eq!(report.first_failures.len(), 20);
}

/// A correct decoder of a second type.
struct Small;

impl ByteDecoder<u8> for Small {
    fn name(&self) -> &str {
        "small"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u8> {
        decode(src, canonical)
    }
}
