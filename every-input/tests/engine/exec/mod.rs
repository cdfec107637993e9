//! Codecs as child processes: correct ones pass, and every fault of a wrong one is reported for its
//! values in bounded time.

#[path = "../../../../tests/common/exec_child.rs"]
mod child;
mod faults;
mod floats;
mod languages;

use std::time::Duration;

use every_input::ExecCodec;

use crate::exhaustive_in;
use child::Witness;

#[test]
fn no_child_outlives_its_codec() {
    for role in ["right", "lingers", "has-a-child", "always-hangs", "always-exits"] {
        let witness = Witness::new();
        let codec =
            ExecCodec::<i64>::start(&witness.command(role), Duration::from_secs(3)).expect("it starts");
        assert!(witness.is_held(), "{role}: the child holds the lock");
        let _ = exhaustive_in(1..=100_000).threads(3).max_failures(1).run(&codec).expect("a report");
        drop(codec);
        // The children were killed and reaped. Processes that they started may take a moment to
        // end.
        witness.wait_until_free();
    }
}
