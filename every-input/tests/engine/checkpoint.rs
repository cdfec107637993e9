//! An interrupted sweep continues from its checkpoint. No value is lost, skipped or counted twice.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use every_input::{
    Checkpoint, Codec, Ending, Interval, Report, RoundTrip, Scalars, Shard, Sweep, SweepError, Watch, Wire,
    all, codec_from_fns,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::byte_properties::reports::sealed;
use crate::{Blocks, Folder, exhaustive_in, leb128, right};

/// Returns the part of a report that does not depend on interruptions.
fn result(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let strata: Vec<_> = report.strata.iter().map(|stratum| stratum.sampled).collect();
    let found = (report.failures, report.first_failures.clone());
    (report.complete, report.covered.clone(), report.values, report.by_length.clone(), strata, found)
}

/// Returns a correct codec that calls a function at its call with this number.
fn at(call: usize, then: impl Fn() + Sync) -> impl Codec<i64> {
    let calls = AtomicUsize::new(0);
    let encode = move |values: &[i64], dst: &mut [u8]| {
        if calls.fetch_add(1, Relaxed) == call {
            then();
        }
        leb128::encode_slice(values, dst)
    };
    Blocks("right", encode, leb128::decode_slice)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// An interruption is a stop or a kill. After a kill, the file is as it was at some moment of
    /// the run, so a copy from that moment replaces it.
    #[test]
    fn a_sweep_interrupted_at_random_moments_has_the_same_report_as_an_undisturbed_one(
        first in -(1i64 << 40)..1 << 40,
        count in 1i128..3_000_000,
        draws in prop::option::of(1u64..400_000),
        shard in (1u64..=3, 3u64..=3),
        threads in 1usize..4,
        cuts in prop::collection::vec((any::<bool>(), 0usize..900), 1..6),
    ) {
        let mut sweep = Sweep::of(all::<i64>()).threads(threads).shard(Shard::new(shard.0, shard.1).unwrap());
        sweep = match draws {
            Some(draws) => sweep.sample(Some(draws)).seed(7),
            None => sweep.ranges([Interval { first: first.into(), last: i128::from(first) + count }]).exhaustive(),
        };
        let folder = Folder::new();
        let (file, copy) = (folder.path("sweep.json"), folder.path("copy"));
        for (is_stop, call) in cuts {
            let watch = Watch::new();
            let mut checkpoint = folder.checkpoint().save_every(Duration::from_millis(1));
            let then = || match is_stop {
                true => watch.stop(),
                // There is no file yet while the edges are checked.
                false => drop(fs::copy(&file, &copy)),
            };
            sweep.run_watched(&at(call, then), &watch, Some(&mut checkpoint)).unwrap();
            drop(checkpoint);
            if copy.exists() {
                fs::rename(&copy, &file)?;
            }
        }
        let resumed = sweep.run_watched(&right(), &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
        prop_assert_eq!(result(&resumed), result(&sweep.run(&right()).unwrap()));
        prop_assert!(resumed.complete);
    }
}

#[test]
fn a_resumed_sample_goes_on_with_its_seed_and_any_other_is_refused() {
    let folder = Folder::new();
    let range = [Interval { first: 1 << 40, last: 1 << 50 }];
    let sample = Sweep::of(all::<i64>()).ranges(range).sample(Some(1_000_000)).threads(1);
    let run = |sweep: &Sweep<Scalars<i64>>, call| {
        let watch = Watch::new();
        sweep.run_watched(&at(call, || watch.stop()), &watch, Some(&mut folder.checkpoint()))
    };
    let stopped = run(&sample, 900).unwrap();
    let drawn = stopped.strata.iter().map(|stratum| stratum.sampled).sum::<u64>();
    assert!((1..1_000_000).contains(&drawn), "{drawn} draws before the stop");
    let seed = stopped.seed.expect("a seed");
    for other in [seed ^ 1, 1] {
        let refused = run(&sample.clone().seed(other), usize::MAX).unwrap_err().to_string();
        assert!(refused.contains(&format!("its seed is {seed}, not {other}")), "{refused}");
    }
    let resumed = run(&sample, usize::MAX).unwrap();
    let undisturbed = sample.clone().seed(seed).run(&right()).unwrap();
    assert_eq!((resumed.seed, &resumed.fingerprint), (Some(seed), &undisturbed.fingerprint));
    assert_eq!(result(&resumed), result(&undisturbed));
}

#[test]
fn a_finished_sweep_is_not_run_again() {
    let folder = Folder::new();
    // An empty file, such as one that `mktemp` creates, is a new checkpoint.
    fs::write(folder.path("sweep.json"), "").unwrap();
    let sweep = exhaustive_in(-9..=99);
    let run = |codec: &dyn Codec<i64>, watch: &Watch| {
        sweep.run_watched(codec, watch, Some(&mut folder.checkpoint())).unwrap()
    };
    let first = run(&right(), &Watch::new());
    let again = AtomicBool::new(false);
    assert_eq!(run(&at(0, || again.store(true, Relaxed)), &Watch::new()), first);
    assert!(!again.into_inner());
}

#[test]
fn a_sweep_that_stopped_at_its_maximum_of_failures_continues_with_a_higher_maximum() {
    let folder = Folder::new();
    let check = |value: i64| value % 1_000_003 != 500;
    let sweep = exhaustive_in(0..=8_000_000);
    let run = |most| {
        let sweep = sweep.clone().max_failures(most);
        sweep.report_watched("right", &check, &Watch::new(), Some(&mut folder.checkpoint())).unwrap()
    };
    let stopped = run(2);
    assert_eq!((stopped.ending, stopped.complete), (Ending::Failures, false));
    let whole = run(0);
    assert!(whole.complete);
    assert_eq!(result(&whole), result(&sweep.clone().max_failures(0).report("right", &check).unwrap()));
    assert_eq!(whole.failures, 8);
}

#[test]
fn a_checkpoint_of_another_sweep_is_refused_with_the_difference_and_left_unchanged() {
    let folder = Folder::new();
    let file = folder.path("sweep.json");
    let sweep = exhaustive_in(0..=5000);
    sweep.run_watched(&right(), &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
    let before = fs::read(&file).unwrap();
    let refused = |sweep: &Sweep<Scalars<i64>>, codec: &dyn Codec<i64>, wire, difference: &str| {
        let check = RoundTrip::new(codec, wire);
        match sweep.report_watched(codec.name(), &check, &Watch::new(), Some(&mut folder.checkpoint())) {
            Err(SweepError::File(error)) => {
                assert!(error.problem.contains(difference) && error.file.contains("sweep.json"), "{error}");
                assert!(error.remedy.contains("rerun with the original arguments"), "{error}");
            }
            other => panic!("{other:?}"),
        }
    };
    let (more, part) = (exhaustive_in(0..=5001), sweep.clone().shard(Shard::new(2, 3).unwrap()));
    let left = codec_from_fns("left", |_: i64, _| Ok(0), |_| Ok((0, 0)));
    refused(&more, &right(), Wire::Leb128, "its plan is 0..=5000, not 0..=5001");
    refused(&part, &right(), Wire::Leb128, "its shard is 1/1, not 2/3");
    refused(&sweep, &left, Wire::Leb128, "its codec is right, not left");
    refused(&sweep, &right(), Wire::SignedLeb128, "its wire format is leb128, not sleb128");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn corrupt_truncated_and_unrelated_files_are_refused_and_left_unchanged() {
    let folder = Folder::new();
    let file = folder.path("sweep.json");
    let sweep = exhaustive_in::<i64>(0..=5000);
    sweep.run_watched(&right(), &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
    let whole = fs::read(&file).unwrap();
    let refused = |content: &[u8]| {
        fs::write(&file, content).unwrap();
        let message = Checkpoint::open(&file).err().expect("it is no checkpoint").to_string();
        assert!(message.contains("sweep.json") && message.contains("name another file"), "{message}");
        assert_eq!(fs::read(&file).unwrap(), content);
    };
    refused(b"{}");
    refused(b"not JSON at all");
    refused(&[0; 5000]);
    for len in (1..whole.len() - 1).step_by(7) {
        refused(&whole[..len]);
    }
    for at in (0..whole.len() - 1).step_by(3) {
        let mut corrupt = whole.clone();
        corrupt[at] ^= 1;
        refused(&corrupt);
    }
    let text = String::from_utf8(whole).unwrap();
    refused(text.replace("\"checkpoint\":4", "\"checkpoint\":3").as_bytes());
}

#[test]
fn a_checkpoint_whose_counts_do_not_match_its_values_is_refused() {
    let folder = Folder::new();
    let file = folder.path("sweep.json");
    let sweep = exhaustive_in(0..=3_000_000).threads(1);
    let watch = Watch::new();
    sweep.run_watched(&at(900, || watch.stop()), &watch, Some(&mut folder.checkpoint())).unwrap();

    // The checksum is correct, but there is a failure at a position that is not finished.
    let mut content: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    content["content"]["state"]["consecutive"]["listed"]["2999999"] = serde_json::json!([]);
    fs::write(&file, sealed(content["content"].to_string().as_bytes())).unwrap();
    let error = sweep.run_watched(&right(), &Watch::new(), Some(&mut folder.checkpoint())).unwrap_err();
    assert!(error.to_string().contains("its counts do not match its finished values"), "{error}");
}

/// While a child process is being started, it has a copy of the descriptor of the lock file.
#[test]
#[cfg(unix)]
fn a_checkpoint_can_be_reopened_at_once_while_child_processes_are_started() {
    let folder = Folder::new();
    let file = folder.path("sweep.json");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !ended.load(Relaxed) {
                    std::process::Command::new("true").status().unwrap();
                }
            });
        }
        // One in four finds the lock held if it does not wait.
        let opened = (0..400).map(|_| Checkpoint::open(&file).map(drop)).find(Result::is_err);
        ended.store(true, Relaxed);
        assert_eq!(opened, None);
    });
}
