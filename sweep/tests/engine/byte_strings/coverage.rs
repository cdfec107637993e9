//! Correct decoders pass, and every planned string is checked.

use every_input::byte_strings::Decoders;
use every_input::{ByteStrings, Ending, Integer, Sweep, Watch};

use super::Correct;
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
