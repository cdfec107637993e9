//! The status of a sweep over byte strings.

use std::sync::{Arc, Mutex};

use every_input::byte_strings::{ByteDecoder, Decoders, Outcome};
use every_input::{ByteStrings, Ending, Status, Sweep, Watch};

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
    let sweep = Sweep::of(ByteStrings::structured(2)).exhaustive().threads(1);
    let decoders = Decoders::new().with(Box::new(recorder)).with::<u64>(Box::new(Correct));
    let report = sweep.check_decoders_watched(&decoders, &watch, None).expect("threads");

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
    let line = watch.progress();
    assert!(line.contains(" strings, ") && line.contains(" 1 failures, "), "{line}");
}
