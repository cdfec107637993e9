//! The limits of a sweep: the number of disagreements, the time, and the threads.

use std::cell::Cell;
use std::sync::Barrier;
use std::time::Duration;

use varint_sweep::Ending;
use varint_sweep::byte_strings::{ByteDecoder, ByteSweep, Outcome, Text};

use super::correct_decoders::decode;

thread_local! {
    static HAS_BEGUN: Cell<bool> = const { Cell::new(false) };
}

/// A decoder that is wrong everywhere, and whose first call on each of four threads waits for the
/// other threads.
struct WrongAtOnce(Barrier);

impl ByteDecoder<u64> for WrongAtOnce {
    fn name(&self) -> &str {
        "wrong"
    }

    fn decode_first(&self, _: &[u8], _: bool) -> Outcome<u64> {
        if !HAS_BEGUN.replace(true) {
            self.0.wait();
        }
        Ok((5, 100))
    }
}

#[test]
fn at_most_the_maximum_is_listed_and_those_of_other_threads_are_counted() {
    let decoder = WrongAtOnce(Barrier::new(4));
    let report = ByteSweep::new().threads(4).max_failures(1).decoder(decoder).run().expect("threads");
    assert_eq!(report.ending, Ending::Failures);
    assert_eq!((report.disagreements, report.first_disagreements.len()), (4, 1));
    assert_eq!(report.first_disagreements[0].bytes, "", "the first in the order of the strings");
    let text = Text(&report).to_string();
    let stopped = "stopped after 1 disagreement, and found 3 more in the calls under way";
    assert!(text.contains(stopped) && text.contains("FAILED: 4 disagreements"), "{text}");
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
fn a_budget_that_nothing_fits_leaves_the_structured_strings() {
    let sweep = ByteSweep::new().budget(Duration::from_nanos(1)).decoder(WrongOnce);
    let report = sweep.run().expect("threads");
    assert_eq!((report.len, report.budget_seconds), (0, Some(1e-9)));
    assert!(report.types[0].lengths.iter().all(|length| length.every == (length.length == 0)));
    assert!(report.complete);
    let text = Text(&report).to_string();
    let heading = "every byte string up to 0 bytes, structured ones from 1 to 11\n(the length was chosen for --budget 1ns)\n";
    assert!(text.starts_with(heading), "{text}");
}

#[test]
fn the_types_share_one_schedule_and_one_limit() {
    let sweep = ByteSweep::new().max_len(1).threads(1).max_failures(0);
    let report = sweep.decoder(WrongAtOnce(Barrier::new(1))).decoder::<u8>(Small).run().expect("threads");
    let names: Vec<_> = report.types.iter().map(|of| (&*of.value_type, &*of.decoders[0].decoder)).collect();
    assert_eq!(names, [("u64", "wrong"), ("u8", "small")]);
    let strings: Vec<u64> =
        report.types.iter().map(|of| of.lengths.iter().map(|length| length.checked).sum()).collect();
    assert_eq!(strings[0], strings[1]);
    assert_eq!((report.strings, report.complete), (strings[0] + strings[1], true));
    assert_eq!(report.first_disagreements.len(), 20);
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
