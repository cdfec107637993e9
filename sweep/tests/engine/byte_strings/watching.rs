//! The status of a sweep over byte strings.

use std::fs;
use std::sync::{Arc, Mutex};

use varint_sweep::byte_strings::{ByteDecoder, Decoders, Outcome};
use varint_sweep::{Checkpoint, Ending, Status, Sweep, Watch, progress_text};

use super::correct_decoders::{Correct, decode};

/// A decoder that records the status when it decodes the one string that it decodes wrongly for the
/// second time.
struct Recorder {
    watch: Arc<Watch>,
    seen: Arc<Mutex<Vec<Status>>>,
}

impl ByteDecoder<u8> for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u8> {
        if src == [0x85, 0x00] && !canonical {
            self.seen.lock().expect("no panic").push(Status::of(&self.watch));
            return Ok((7, 2));
        }
        decode(src, canonical)
    }
}

#[test]
fn the_status_counts_strings() {
    let watch = Arc::new(Watch::new());
    let seen = Arc::default();
    let recorder = Recorder { watch: Arc::clone(&watch), seen: Arc::clone(&seen) };
    let sweep = Sweep::of_byte_strings(2).exhaustive().threads(1);
    let decoders = Decoders::new().with(recorder).with::<u64>(Correct);
    let report = sweep.check_watched(&decoders, &watch, None).expect("threads");

    let running = &seen.lock().expect("no panic")[0];
    let so_far = running.report.as_ref().expect("the sweep has begun");
    assert_eq!((so_far.ending, &*so_far.value_type), (Ending::Running, "byte strings of up to 2 bytes"));
    assert!(running.of == Some(report.values) && running.part < 0.5);

    let ended = serde_json::to_value(Status::of(&watch)).expect("JSON");
    assert_eq!(
        (&ended["report"]["ending"], &ended["part"], &ended["report"]["failures"]),
        (&"complete".into(), &1.0.into(), &"1".into())
    );
    assert_eq!(ended["report"]["values"], ended["of"]);
    assert_eq!(ended["eta_seconds"], 0.0);
    let line = progress_text(&watch);
    assert!(line.contains(" strings, ") && line.contains(" 1 failures, "), "{line}");
}

#[test]
fn a_refused_checkpoint_is_in_the_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bytes.json");
    let run = |len: usize, watch: &Watch| {
        watch.stop();
        let sweep = Sweep::of_byte_strings(len).exhaustive();
        sweep.check_watched(
            &Decoders::new().with::<u8>(Correct),
            watch,
            Some(&mut Checkpoint::open(&file).expect("a checkpoint")),
        )
    };
    let watch = Watch::new();
    run(1, &watch).expect("a report");
    let status = Status::of(&watch);
    assert_eq!(status.report.expect("a report").ending, Ending::Interrupted);
    let checkpoint = status.checkpoint.expect("a checkpoint");
    assert_eq!(checkpoint.file, fs::canonicalize(&file).expect("the file"));
    assert!(checkpoint.saved.is_some());
    let watch = Watch::new();
    run(2, &watch).expect_err("another length");
    let status = Status::of(&watch);
    assert!(
        status.report.is_none()
            && status.error.is_some_and(|error| error.contains("its type is byte strings of up to 1 bytes"))
    );
}
