//! A test that profiles a sweep in this process.
//!
//! The condition states independently of the profiler where profiles can be taken.
#![cfg(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
))]

use std::error::Error;

use every_input::{Interval, Sweep, all, codec_from_fns};
use pprof_views::{Capture, View};

#[test]
fn a_sweep_with_a_million_panics_can_be_profiled() -> Result<(), Box<dyn Error>> {
    const VALUES: i128 = 1_000_000;
    let codec = codec_from_fns::<u32, _, _>(
        "panics",
        |_, _| panic!("never encodes"),
        |_| Err("nothing to decode".into()),
    );
    let capture = Capture::start(1000)?;
    let report = Sweep::of(all::<u32>())
        .ranges([Interval { first: 0, last: VALUES - 1 }])
        .exhaustive()
        .max_failures(0)
        .run(&codec)?;
    let profile = capture.finish()?;
    assert_eq!(report.failures, VALUES as u64);
    assert!(!profile.is_empty());
    assert!(View::new(&profile).top()?.contains("panic"));
    Ok(())
}
