//! An interrupted sweep continues from its checkpoint. No string is lost, skipped or counted twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use serde_json::Value;
use varint_sweep::byte_strings::{ByteDecoder, ByteSweep, Checkpoint, Outcome, Report};
use varint_sweep::{Ending, Integer, SweepError, Watch, codec_from_fns};

use super::correct_decoders::decode;
use crate::leb128;

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

/// Returns a sweep of two types that calls `then` at a call of the decoder of the second one.
fn sweep(call: usize, kernel: &'static str, then: impl Fn() + Sync + 'static) -> ByteSweep {
    let calls = || AtomicUsize::new(0);
    ByteSweep::new()
        .max_len(1)
        .max_failures(0)
        .decoder::<u8>(At { calls: calls(), call: usize::MAX, kernel, then: || () })
        .decoder::<u16>(At { calls: calls(), call, kernel, then })
}

/// Returns a sweep without interruptions.
fn undisturbed() -> ByteSweep {
    sweep(usize::MAX, "one", || ())
}

fn open(file: &Path) -> Checkpoint {
    Checkpoint::open(file).expect("a checkpoint")
}

fn run(sweep: &ByteSweep, watch: &Watch, file: &Path) -> Result<Report, SweepError> {
    sweep.run_watched(watch, Some(&mut open(file).save_every(Duration::from_millis(1))))
}

/// Returns the part of a report that does not depend on interruptions.
fn result(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut types = report.types.clone();
    types.iter_mut().flat_map(|of| &mut of.decoders).for_each(|decoder| decoder.cpu_seconds = 0.0);
    let found = (report.disagreements, report.first_disagreements.clone());
    (report.ending, types, report.strings, report.decodings, found)
}

/// Writes the checkpoint of a sweep that was stopped before its first string.
fn stopped_at_the_start(sweep: &ByteSweep, file: &Path) {
    let watch = Watch::new();
    watch.stop();
    assert_eq!(run(sweep, &watch, file).expect("a report").strings, 0);
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
        let report = run(&sweep(call, "one", then), &watch, &file).expect("a report");
        if copy.exists() {
            fs::rename(&copy, &file).expect("the copy");
        } else {
            assert_eq!(report.ending, Ending::Interrupted);
        }
        assert!(report.strings > before, "{} strings after {before}", report.strings);
        before = if is_stop { report.strings } else { 0 };
    }
    let resumed = run(&undisturbed(), &Watch::new(), &file).expect("a report");
    let whole = undisturbed().run().expect("a report");
    assert_eq!(result(&resumed), result(&whole));
    assert!(whole.complete && whole.disagreements > 20);
    // Nothing is left to do.
    let never = sweep(0, "one", || panic!("called again"));
    let watch = Watch::new();
    let again = run(&never, &watch, &file).expect("a report");
    assert_eq!((result(&again), again.seconds), (result(&whole), resumed.seconds));
    assert!(watch.start().is_none());
}

#[test]
fn a_sweep_that_stopped_at_its_maximum_continues_with_a_higher_one() {
    let (_folder, file) = folder_and_file();
    let stopped = run(&undisturbed().max_failures(30), &Watch::new(), &file).expect("a report");
    assert_eq!((stopped.ending, stopped.first_disagreements.len()), (Ending::Failures, 30));
    let resumed = run(&undisturbed(), &Watch::new(), &file).expect("a report");
    assert_eq!(result(&resumed), result(&undisturbed().run().expect("a report")));
}

#[test]
fn a_checkpoint_of_another_sweep_is_refused_with_the_difference_and_left_unchanged() {
    let (_folder, file) = folder_and_file();
    stopped_at_the_start(&undisturbed(), &file);
    let content = fs::read(&file).expect("the checkpoint");
    let decoder = |name| At { calls: AtomicUsize::new(0), call: usize::MAX, kernel: name, then: || () };
    for (sweep, program, words) in [
        (undisturbed().max_len(2), None, "its length is 1, not 2"),
        (undisturbed().decoder::<u32>(decoder("one")), None, "its list of types is u8,u16, not u8,u16,u32"),
        (
            undisturbed().decoder::<u8>(super::correct_decoders::Correct),
            None,
            "its list of decoders is at, not at,correct",
        ),
        (undisturbed().with_chosen_kernels(), None, "its list of kernels is all of the machine, not one"),
        (undisturbed(), Some("other 1.0"), "not other 1.0"),
    ] {
        let watch = program.map_or_else(Watch::new, Watch::for_program);
        match run(&sweep, &watch, &file) {
            Err(SweepError::Checkpoint(message)) => {
                assert!(message.contains(words) && message.contains("name another file"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(&file).expect("the checkpoint"), content);
    }
}

#[test]
fn a_sweep_by_budget_keeps_the_length_of_its_checkpoint() {
    let (_folder, file) = folder_and_file();
    let watch = Watch::new();
    watch.stop();
    let stopped = run(&undisturbed().budget(Duration::MAX), &watch, &file).expect("a report");
    assert_eq!((stopped.ending, stopped.strings), (Ending::Interrupted, 0));
    assert!(!file.exists(), "no length was chosen");
    stopped_at_the_start(&undisturbed(), &file);
    let resumed = run(&undisturbed().budget(Duration::MAX), &Watch::new(), &file).expect("a report");
    assert_eq!((resumed.len, resumed.complete), (1, true));
}

#[test]
fn kernels_of_another_machine_take_part_in_the_rest() {
    let (_folder, file) = folder_and_file();
    let watch = Arc::new(Watch::new());
    let stop = Arc::clone(&watch);
    run(&sweep(500_000, "one", move || stop.stop()), &watch, &file).expect("a report");
    let resumed = run(&sweep(usize::MAX, "two", || ()), &Watch::new(), &file).expect("a report");
    assert!(resumed.complete);
    for of_type in &resumed.types {
        let kernels: Vec<_> = of_type.decoders.iter().filter_map(|row| row.kernel.as_deref()).collect();
        assert_eq!(kernels, ["two", "one"]);
        let strings: u64 = of_type.decoders.iter().map(|row| row.strings[0]).sum();
        assert_eq!(strings, of_type.lengths.iter().map(|length| length.checked).sum::<u64>());
    }
    assert!(resumed.types[1].decoders.iter().all(|row| row.strings[0] > 0));

    fs::remove_file(&file).expect("the checkpoint");
    stopped_at_the_start(&undisturbed().with_chosen_kernels(), &file);
    let other = run(&sweep(usize::MAX, "two", || ()).with_chosen_kernels(), &Watch::new(), &file);
    let message = other.expect_err("other kernels").to_string();
    assert!(
        message.contains("its list of kernels is one, not two; rerun with the original arguments")
            || message.contains("its list of kernels is one, not two)"),
        "{message}"
    );
}

#[test]
fn checkpoints_of_values_and_of_byte_strings_are_kept_apart() {
    let (folder, file) = folder_and_file();
    stopped_at_the_start(&undisturbed(), &file);
    let values = folder.path().join("values.json");
    let codec = codec_from_fns("right", leb128::encode, leb128::decode);
    let mut checkpoint = varint_sweep::Checkpoint::open(&values).expect("a checkpoint");
    let sweep = varint_sweep::Sweep::<i64>::new().sample(Some(1));
    sweep.run_watched(&codec, &Watch::new(), Some(&mut checkpoint)).expect("a report");
    drop(checkpoint);

    let contents = [&file, &values].map(|file| fs::read(file).expect("a checkpoint"));
    let refused = [
        varint_sweep::Checkpoint::open(&file).err().expect("of byte strings"),
        Checkpoint::open(&values).err().expect("of values"),
        varint_sweep::merge::read_report(&file).expect_err("of byte strings"),
    ];
    for (message, words) in refused.iter().zip([
        "belongs to a sweep over bytes, not over values",
        "belongs to a sweep over values, not over bytes",
        "belongs to a sweep over bytes, not over values",
    ]) {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!([&file, &values].map(|file| fs::read(file).expect("a checkpoint")), contents);
}

#[test]
fn damaged_and_contradictory_files_are_refused_and_left_unchanged() {
    let (_folder, file) = folder_and_file();
    let watch = Arc::new(Watch::new());
    let stop = Arc::clone(&watch);
    run(&sweep(100_000, "one", move || stop.stop()), &watch, &file).expect("a report");
    let whole = fs::read_to_string(&file).expect("the checkpoint");
    let damaged = |content: &[u8]| {
        fs::write(&file, content).expect("the file");
        let message = Checkpoint::open(&file).err().expect("it is damaged");
        assert!(message.contains("bytes.json") && message.contains("name another file"), "{message}");
        assert_eq!(fs::read(&file).expect("the file"), content);
    };
    (1..whole.len() - 1).step_by(37).for_each(|len| damaged(&whole.as_bytes()[..len]));
    for at in (0..whole.len() - 1).step_by(37) {
        let mut corrupt = whole.clone().into_bytes();
        corrupt[at] ^= 1;
        damaged(&corrupt);
    }

    // The checksum is correct, but the counts are not.
    let plus_one = |count: &mut Value| {
        let number: u64 = count.as_str().expect("a number").parse().expect("a number");
        *count = (number + 1).to_string().into();
    };
    let changes: [&dyn Fn(&mut Value); 6] = [
        &|totals| plus_one(&mut totals["types"][0]["lengths"][3]["checked"]),
        &|totals| plus_one(&mut totals["types"][0]["lengths"][3]["overflow"]),
        &|totals| totals["types"][1]["lengths"][2]["planned"] = "7".into(),
        &|totals| totals["types"][0]["decoders"][0]["stream"] = u64::MAX.to_string().into(),
        &|totals| totals["types"][0]["type"] = "u64".into(),
        &|totals| totals["finished"] = serde_json::json!([["0", "99999999999"]]),
    ];
    for change in changes {
        let mut content: Value = serde_json::from_str(&whole).expect("JSON");
        change(&mut content["content"]["totals"]);
        let inner = content["content"].to_string();
        let sum: String =
            <sha2::Sha256 as sha2::Digest>::digest(&inner).iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(&file, format!("{{\"checkpoint\":1,\"sha256\":\"{sum}\",\"content\":{inner}}}"))
            .expect("the file");
        let error = run(&undisturbed(), &Watch::new(), &file).expect_err("a contradiction");
        assert!(error.to_string().contains("its counts do not match its finished units"), "{error}");
    }
}
