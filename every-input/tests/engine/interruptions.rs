//! Sweeps of slow and fast inputs that are stopped and killed at random moments, on any number of threads
//! and in shards, find what an undisturbed sweep finds.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use every_input::merge::merge_reports;
use every_input::{Block, Breakdown, Check, Fault, Interval, Report, Scalars, Shard, Sweep, all};
use proptest::prelude::*;

use crate::Folder;

/// A check with failures and deviations, some of whose inputs take a moment. It calls a function at its
/// input with this number.
struct Uneven<'c> {
    inputs: AtomicU64,
    at: u64,
    then: &'c (dyn Fn() + Sync),
}

fn mixed(value: i64) -> u64 {
    (value as u64 ^ value as u64 >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn fails(value: i64) -> bool {
    mixed(value) % 9001 == 5 || value.rem_euclid(400_000) < 3000
}

impl Check<i64> for Uneven<'_> {
    /// The greatest deviation.
    type Memory = f64;

    fn passes(&self, values: &Block<'_, i64>, worst: &mut f64) -> Result<bool, Breakdown> {
        *worst = values.iter().map(|&value| (mixed(value) >> 11) as f64).fold(f64::NEG_INFINITY, f64::max);
        Ok(self.explain(values, worst)?.is_none())
    }

    fn explain(&self, values: &[i64], _: &mut f64) -> Result<Option<Fault>, Breakdown> {
        for &value in values {
            if self.inputs.fetch_add(1, Relaxed) + 1 == self.at {
                (self.then)();
            }
            // The pace changes all the time.
            if mixed(value).is_multiple_of(2003) {
                thread::sleep(Duration::from_micros(mixed(value) >> 53));
            }
        }
        Ok(values.iter().position(|&value| fails(value)).map(|at| Fault::new("", "wrong").at(at)))
    }

    fn deviation(&self, worst: &f64) -> Option<f64> {
        Some(*worst)
    }
}

/// Returns the part of a report that does not depend on interruptions and shards.
fn result(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let strata: Vec<_> = report.strata.iter().map(|stratum| (stratum.sampled, stratum.failures)).collect();
    let worst = report.worst.clone().map(|worst| (worst.value, worst.deviation));
    (
        report.complete,
        report.covered.clone(),
        report.values,
        report.by_length.clone(),
        strata,
        report.failures,
        worst,
    )
}

/// Runs a sweep and returns its report. At its input with this number the file of its checkpoint is kept
/// as it is after a kill, or it is stopped.
fn run(sweep: &Sweep<Scalars<i64>>, folder: &Folder, at: u64, is_stop: bool) -> Report {
    let (file, copy) = (folder.path("sweep.json"), folder.path("copy"));
    let (lines, lines_copy) = (folder.path("list"), folder.path("list copy"));
    let watch = folder.watch();
    let then = || match is_stop {
        true => watch.stop(),
        // The list has more than the checkpoint counts.
        false => {
            let _ = fs::copy(&file, &copy);
            thread::sleep(Duration::from_millis(3));
            let _ = fs::copy(&lines, &lines_copy);
        }
    };
    let check = Uneven { inputs: AtomicU64::new(0), at, then: &then };
    let mut checkpoint = folder.checkpoint().save_every(Duration::from_millis(1));
    let report = sweep.report_watched("uneven", &check, &watch, Some(&mut checkpoint)).unwrap();
    drop(checkpoint);
    if copy.exists() {
        fs::rename(copy, file).unwrap();
        fs::rename(lines_copy, lines).unwrap();
    }
    report
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn interrupted_sweeps_and_merged_shards_find_what_an_undisturbed_sweep_finds(
        first in -2_000_000i64..2_000_000,
        more in 0i128..500_000,
        draws in prop::option::of(1u64..60_000),
        shards in 1u64..4,
        cuts in prop::collection::vec((any::<bool>(), 1u64..300_000, 1usize..4), 1..5),
    ) {
        let sweep = Sweep::of(all::<i64>()).max_failures(0);
        let sweep = match draws {
            // Few boundaries are in this range.
            Some(draws) => sweep.ranges([Interval { first: (1 << 40) + 7, last: (1 << 41) - 7 }]).sample(Some(draws)).seed(7),
            None => {
                let first = i128::from(first);
                sweep.ranges([Interval { first, last: first + more }, Interval { first: 1 << 50, last: 1 << 50 }])
                    .exhaustive()
            }
        };
        let whole = Folder::new();
        let undisturbed = run(&sweep.clone().threads(1), &whole, u64::MAX, true);
        let (mut reports, mut lines) = (Vec::new(), Vec::new());
        for index in 1..=shards {
            let (folder, shard) = (Folder::new(), Shard::new(index, shards).unwrap());
            let sweep = sweep.clone().shard(shard);
            for &(is_stop, at, threads) in &cuts {
                run(&sweep.clone().threads(threads), &folder, at, is_stop);
            }
            let report = run(&sweep.clone().threads(2), &folder, u64::MAX, true);
            let alone = Folder::new();
            let own = run(&sweep.threads(3), &alone, u64::MAX, true);
            prop_assert_eq!(result(&report), result(&own));
            prop_assert_eq!(&report.first_failures, &own.first_failures);
            prop_assert_eq!(folder.values(), alone.values());
            lines.extend(folder.values());
            reports.push((index.to_string(), Ok(report)));
        }
        let merged = merge_reports(reports);
        prop_assert_eq!(merged.findings, []);
        let mut union = merged.report.unwrap();
        // One value may be drawn in several shards, or be an edge case of one.
        if draws.is_none() {
            let inputs = |lines: &[[i64; 2]]| lines.iter().map(|[first, last]| last - first + 1).sum::<i64>();
            prop_assert_eq!(inputs(&lines), inputs(&whole.values()));
        }
        union.complete = true;
        prop_assert_eq!(result(&union), result(&undisturbed));
    }
}
