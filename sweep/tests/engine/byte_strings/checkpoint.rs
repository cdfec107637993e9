//! A checkpoint of a sweep with decoders belongs to their names and types, not to their kernels.

use std::fs;

use every_input::byte_strings::{ByteDecoder, Decoders, Outcome};
use every_input::{ByteStrings, Checkpoint, Integer, Report, Sweep, SweepError, Watch};

use super::{Correct, decode};

/// A correct decoder on this kernel, which stops the sweep at a string if it has a watch.
struct On(&'static str, Option<&'static Watch>);

impl<T: Integer> ByteDecoder<T> for On {
    fn name(&self) -> &str {
        "on"
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.0)
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        if src == [0x05] {
            self.1.iter().for_each(|watch| watch.stop());
        }
        decode(src, canonical)
    }
}

/// Returns decoders of two types.
fn decoders(kernel: &'static str) -> Decoders {
    Decoders::new().with::<u8>(Box::new(On(kernel, None))).with::<u16>(Box::new(On(kernel, None)))
}

#[test]
fn other_decoders_are_refused_and_kernels_of_another_machine_take_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bytes.json");
    let run = |decoders: &Decoders, watch: &Watch| -> Result<Report, SweepError> {
        let sweep = Sweep::of(ByteStrings::structured(1)).exhaustive();
        let mut checkpoint = Checkpoint::open(&file).expect("a checkpoint");
        sweep.check_decoders_watched(decoders, watch, Some(&mut checkpoint))
    };
    let watch: &'static Watch = Box::leak(Box::default());
    let stopping =
        Decoders::new().with::<u8>(Box::new(On("one", Some(watch)))).with::<u16>(Box::new(On("one", None)));
    assert!(!run(&stopping, watch).expect("a report").complete);
    let content = fs::read(&file).expect("the checkpoint");
    for (decoders, words) in [
        (decoders("one").with::<u32>(Box::new(On("one", None))), "not on as u8, u16, u32"),
        (decoders("one").with::<u8>(Box::new(Correct { is_bulk: false })), "not on, correct as u8, u16"),
    ] {
        match run(&decoders, &Watch::new()) {
            Err(SweepError::File(error)) => assert!(error.problem.contains(words), "{error}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(&file).expect("the checkpoint"), content);
    }
    let resumed = run(&decoders("two"), &Watch::new()).expect("a report");
    assert!(resumed.complete);
    assert_eq!(resumed.kernel.as_deref(), Some("one, two"));
}
