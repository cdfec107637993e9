//! An interrupted sweep continues from its checkpoint. No string is lost, skipped or counted twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use every_input::byte_strings::{ByteDecoder, Decoders, Outcome};
use every_input::{ByteStrings, Checkpoint, Ending, Integer, Report, Sweep, SweepError, Watch};

use super::correct_decoders::decode;

/// A decoder that is wrong about one string, and calls a function at its call with this number.
struct At<F> {
    calls: AtomicUsize,
    call: usize,
    kernel: &'static str,
    then: F,
}

impl<T: Integer, F: Fn() + Sync> ByteDecoder<T> for At<F> {
    fn name(&self) -> &str {
        "at"
    }

    fn kernel(&self) -> Option<&str> {
        Some(self.kernel)
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        if self.calls.fetch_add(1, Relaxed) == self.call {
            (self.then)();
        }
        if src.starts_with(&[0xff, 0x02]) { Ok((T::from_i128(3), 2)) } else { decode(src, canonical) }
    }
}

fn sweep(max_len: usize) -> Sweep<ByteStrings> {
    Sweep::of(ByteStrings::structured(max_len)).exhaustive().max_failures(0)
}

/// Returns decoders of two types, of which the second calls `then` at a call.
fn decoders(call: usize, kernel: &'static str, then: impl Fn() + Sync + 'static) -> Decoders {
    let calls = || AtomicUsize::new(0);
    Decoders::new()
        .with::<u8>(Box::new(At { calls: calls(), call: usize::MAX, kernel, then: || () }))
        .with::<u16>(Box::new(At { calls: calls(), call, kernel, then }))
}

/// Returns decoders without interruptions.
fn undisturbed() -> Decoders {
    decoders(usize::MAX, "one", || ())
}

fn open(file: &Path) -> Checkpoint {
    Checkpoint::open(file).expect("a checkpoint")
}

fn run(
    sweep: &Sweep<ByteStrings>,
    decoders: &Decoders,
    watch: &Watch,
    file: &Path,
) -> Result<Report, SweepError> {
    sweep.check_decoders_watched(decoders, watch, Some(&mut open(file).save_every(Duration::from_millis(1))))
}

/// Returns the part of a report that does not depend on interruptions.
fn result(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let found = (report.failures, report.first_failures.clone());
    (report.ending, report.covered.clone(), report.values, report.by_length.clone(), found)
}

/// Writes the checkpoint of a sweep that was stopped before its first string.
fn stopped_at_the_start(decoders: &Decoders, file: &Path) {
    let watch = Watch::new();
    watch.stop();
    assert_eq!(run(&sweep(1), decoders, &watch, file).expect("a report").values, 0);
}

fn folder_and_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bytes.json");
    (folder, file)
}

/// An interruption is a stop or a kill. After a kill, the file is as it was at some moment of the
/// run, so a copy from that moment replaces it.
#[test]
fn an_interrupted_sweep_has_the_same_report_as_an_undisturbed_one() {
    let (folder, file) = folder_and_file();
    let copy = folder.path().join("copy");
    fs::write(&file, "").expect("an empty file is a new checkpoint");
    let mut before = 0;
    for (is_stop, call) in [(true, 1000), (false, 1_500_000), (true, 700_000), (false, 10)] {
        let watch = Arc::new(Watch::new());
        let (stop, from, to) = (Arc::clone(&watch), file.clone(), copy.clone());
        let then = move || match is_stop {
            true => stop.stop(),
            false => drop(fs::copy(&from, &to)),
        };
        let report = run(&sweep(1), &decoders(call, "one", then), &watch, &file).expect("a report");
        if copy.exists() {
            fs::rename(&copy, &file).expect("the copy");
        } else {
            assert_eq!(report.ending, Ending::Interrupted);
        }
        assert!(report.values > before, "{} strings after {before}", report.values);
        before = if is_stop { report.values } else { 0 };
    }
    let resumed = run(&sweep(1), &undisturbed(), &Watch::new(), &file).expect("a report");
    let whole = sweep(1).check_decoders(&undisturbed()).expect("a report");
    assert_eq!(result(&resumed), result(&whole));
    assert!(whole.complete && whole.failures > 20);
    // Nothing is left to do.
    let never = decoders(0, "one", || panic!("called again"));
    let watch = Watch::new();
    let again = run(&sweep(1), &never, &watch, &file).expect("a report");
    assert_eq!((result(&again), again.seconds), (result(&whole), resumed.seconds));
    assert!(!watch.has_begun());
}

#[test]
fn a_checkpoint_of_other_decoders_is_refused_and_left_unchanged() {
    let (_folder, file) = folder_and_file();
    stopped_at_the_start(&undisturbed(), &file);
    let content = fs::read(&file).expect("the checkpoint");
    let decoder = |name| At { calls: AtomicUsize::new(0), call: usize::MAX, kernel: name, then: || () };
    for (decoders, words) in [
        (undisturbed().with::<u32>(Box::new(decoder("one"))), "not at as u8, u16, u32"),
        (undisturbed().with::<u8>(Box::new(super::correct_decoders::Correct)), "not at, correct as u8, u16"),
        (undisturbed().with_chosen_kernels(), "not at on one as u8, u16"),
    ] {
        match run(&sweep(1), &decoders, &Watch::new(), &file) {
            Err(SweepError::File(error)) => assert!(error.problem.contains(words), "{error}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(&file).expect("the checkpoint"), content);
    }
}

#[test]
fn kernels_of_another_machine_take_part_in_the_rest() {
    let (_folder, file) = folder_and_file();
    let watch = Arc::new(Watch::new());
    let stop = Arc::clone(&watch);
    run(&sweep(1), &decoders(500_000, "one", move || stop.stop()), &watch, &file).expect("a report");
    let resumed =
        run(&sweep(1), &decoders(usize::MAX, "two", || ()), &Watch::new(), &file).expect("a report");
    assert!(resumed.complete);
    assert_eq!(resumed.kernel.as_deref(), Some("one, two"));

    fs::remove_file(&file).expect("the checkpoint");
    stopped_at_the_start(&undisturbed().with_chosen_kernels(), &file);
    let other =
        run(&sweep(1), &decoders(usize::MAX, "two", || ()).with_chosen_kernels(), &Watch::new(), &file);
    let message = other.expect_err("other kernels").to_string();
    assert!(message.contains("its codec is at on one as u8, u16, not at on two as u8, u16"), "{message}");
}
