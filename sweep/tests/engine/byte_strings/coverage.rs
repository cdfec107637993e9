//! Correct decoders pass, and every planned string is checked.

use every_input::byte_strings::Decoders;
use every_input::{ByteStrings, Integer, Sweep};

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
