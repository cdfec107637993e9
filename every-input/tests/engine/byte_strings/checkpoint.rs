//! A checkpoint of a sweep with decoders belongs to their names and types, not to their kernels.

use std::fs;

use every_input::byte_strings::Decoders;
use every_input::{Integer, Report, SweepError, Watch};

use super::{Single, decode, structured};
use crate::Folder;

/// Returns a correct decoder on this kernel.
fn on<T: Integer>(kernel: &'static str) -> Box<Single<T>> {
    Box::new(Single { name: "on", kernel: Some(kernel), ..Single::correct() })
}

/// Returns decoders of two types.
fn decoders(kernel: &'static str) -> Decoders {
    Decoders::new().with(on::<u8>(kernel)).with(on::<u16>(kernel))
}

#[test]
fn other_decoders_are_refused_and_kernels_of_another_machine_take_part() {
    let folder = Folder::new();
    let file = folder.path("sweep.json");
    let run = |decoders: &Decoders, watch: &Watch| -> Result<Report, SweepError> {
        structured(1).check_decoders_watched(decoders, watch, Some(&mut folder.checkpoint()))
    };
    let watch: &'static Watch = Box::leak(Box::default());
    let stop = |src: &[u8], canonical| {
        if src == [0x05] {
            watch.stop();
        }
        decode(src, canonical)
    };
    let stopping = Box::new(Single { decode: Box::new(stop), ..*on::<u8>("one") });
    let stopping = Decoders::new().with(stopping).with(on::<u16>("one"));
    assert!(!run(&stopping, watch).expect("a report").complete);
    let content = fs::read(&file).expect("the checkpoint");
    for (decoders, words) in [
        (decoders("one").with(on::<u32>("one")), "not on as u8, u16, u32"),
        (decoders("one").with::<u8>(Box::new(Single::correct())), "not on, correct as u8, u16"),
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
