//! The shards of a sweep merge into the whole, and a merge reports gaps, overlaps, duplicates and
//! unrelated shards.

use std::path::PathBuf;

use every_input::merge::{Finding, FindingKind, Merged, merge};
use every_input::{Interval, Report, Scalars, Shard, StratumReport, Sweep, all};
use proptest::prelude::*;

use crate::byte_properties::sets::{count, difference, intersection, union};
use crate::{Folder, exhaustive_in};

fn run(sweep: &Sweep<Scalars<i64>>) -> Report {
    sweep.report("right", &|_: i64| true).unwrap()
}

fn shards(sweep: &Sweep<Scalars<i64>>, of: u64) -> Vec<Report> {
    let shard = |index| run(&sweep.clone().shard(Shard::new(index, of).unwrap()));
    (1..=of).map(shard).collect()
}

/// Writes reports to files in a folder.
fn files(folder: &Folder, reports: &[Report]) -> Vec<PathBuf> {
    reports.iter().enumerate().map(|(index, report)| folder.put(&format!("{index}.json"), report)).collect()
}

fn plans() -> impl Strategy<Value = Vec<Interval>> {
    prop::collection::vec((-4_000_000i128..4_000_000, 0i128..1_500_000), 1..4).prop_map(|pairs| {
        union(pairs.into_iter().map(|(first, more)| Interval { first, last: first + more }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn shards_of_any_plan_are_disjoint_balanced_and_merge_to_the_whole(plan in plans(), of in 1u64..12) {
        let sweep = Sweep::of(all::<i64>()).ranges(plan.clone()).exhaustive().threads(2);
        let reports = shards(&sweep, of);
        for (index, report) in reports.iter().enumerate() {
            prop_assert!(report.complete);
            for other in &reports[..index] {
                prop_assert_eq!(intersection(&report.covered, &other.covered), []);
            }
        }
        let merged = merge(&files(&Folder::new(), &reports));
        prop_assert_eq!(merged.findings, []);
        let (merged, whole) = (merged.report.unwrap(), run(&sweep));
        prop_assert!(merged.complete);
        prop_assert_eq!((&merged.covered, &merged.by_length, merged.values), (&plan, &whole.by_length, whole.values));
        prop_assert_eq!(merged.fingerprint, whole.fingerprint);
    }

    #[test]
    fn every_gap_overlap_and_unrelated_shard_is_reported(
        plan in plans(),
        of in 2u64..9,
        lost in any::<prop::sample::Index>(),
        chosen in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let sweep = Sweep::of(all::<i64>()).ranges(plan.clone()).exhaustive().threads(2);
        let mut reports = shards(&sweep, of);
        // A shard of a division into another number of shards, which overlaps some of the others.
        let other = shards(&sweep, of + 1).swap_remove(cut.index(of as usize + 1));
        // A shard of another plan.
        let more = union(plan.iter().copied().chain([Interval { first: 9_000_000, last: 9_000_001 }]));
        let unrelated = shards(&sweep.clone().ranges(more), of).swap_remove(chosen.index(of as usize));
        let lost = reports.swap_remove(lost.index(reports.len()));

        let folder = Folder::new();
        let mut paths = files(&folder, &reports);
        paths.push(folder.put("other.json", &other));
        paths.push(folder.put("unrelated.json", &unrelated));
        let Merged { findings, report, .. } = merge(&paths);
        let report = report.unwrap();

        let covered = |report: &Report| report.covered.clone();
        let known = union(reports.iter().flat_map(covered));
        let overlap = intersection(&known, &other.covered);
        let values_of = |kinds: &[FindingKind]| {
            union(findings.iter().filter(|one| kinds.contains(&one.kind)).flat_map(|one| one.values.clone()))
        };
        prop_assert_eq!(values_of(&[FindingKind::Overlap, FindingKind::Duplicate]), union(overlap));

        let union = union(known.into_iter().chain(other.covered.iter().copied()));
        let gaps = values_of(&[FindingKind::Gap]);
        prop_assert_eq!(&gaps, &difference(&plan, &union));
        prop_assert_eq!(count(&gaps), count(&lost.covered) - count(&intersection(&lost.covered, &other.covered)));
        prop_assert_eq!(report.complete, gaps.is_empty());
        prop_assert_eq!(report.values, count(&union));

        // With a single report of the sweep, either of the two may count as unrelated.
        if of > 2 {
            let is_reported = |finding: &Finding| {
                let text = finding.to_string();
                text.contains("unrelated.json': unrelated shard") && text.contains("9000000..=9000001")
            };
            prop_assert!(findings.iter().any(is_reported), "{:?}", findings);
        }
    }
}

#[test]
fn a_merged_report_can_be_merged_again() {
    let sweep = exhaustive_in(0..=5_000_000);
    let folder = Folder::new();
    let paths = files(&folder, &shards(&sweep, 5));
    let half = merge(&paths[..2]).report.unwrap();
    assert_eq!((half.complete, half.shard.as_deref(), half.merged), (false, Some("1-2/5"), Some(2)));
    let mut rest = paths[2..].to_vec();
    rest.push(folder.put("half.json", &half));
    let whole = merge(&rest);
    assert_eq!(whole.findings, []);
    let report = whole.report.unwrap();
    let found = (report.complete, report.shard, report.merged, report.values);
    assert_eq!(found, (true, None, Some(5), 5_000_001));
}

/// More failures than a report lists, and ranges that are in two shards each.
#[test]
fn shards_with_many_failures_list_those_of_the_whole() {
    let passes = |value: i64| value % 397 != 7 && value % 500_000 < 499_000;
    let sweep = exhaustive_in(0..=4_050_000).max_failures(1_000_000);
    let run = |sweep: &Sweep<Scalars<i64>>| sweep.report("own", &passes).unwrap();
    let shard = |index| run(&sweep.clone().shard(Shard::new(index, 16).unwrap()));
    let reports: Vec<_> = (1..=16).map(shard).collect();
    let merged = merge(&files(&Folder::new(), &reports)).report.unwrap();
    let whole = run(&sweep);
    assert_eq!((merged.first_failures.len(), merged.failures), (10_000, whole.failures));
    assert!(merged.first_failures == whole.first_failures);
}

#[test]
fn shards_of_a_sample_draw_the_same_values_as_the_whole_and_none_counts_twice() {
    let sweep = Sweep::of(all::<i64>()).sample(Some(1_000_000)).seed(5);
    let folder = Folder::new();
    let paths = files(&folder, &shards(&sweep, 4));
    let merged = merge(&paths);
    assert_eq!(merged.findings, []);
    let (merged, whole) = (merged.report.unwrap(), run(&sweep));
    assert_eq!(
        (merged.values, &merged.by_length, &merged.strata, &merged.repeat),
        (whole.values, &whole.by_length, &whole.strata, &whole.repeat)
    );
    let double = merge(&[&paths[..], &paths[1..2]].concat());
    let [finding] = &double.findings[..] else { panic!("{double:?}") };
    assert!(finding.kind == FindingKind::Duplicate && finding.to_string().contains("1.json'"), "{finding}");
    assert_eq!(double.report.unwrap().values, whole.values);
    let missing = merge(&paths[1..]).findings;
    assert!(missing.iter().any(|one| one.to_string().starts_with("shard 1/4: missing")), "{missing:?}");
}

/// If more than the bound of a stratum failed, its draws would all pass with at most this
/// probability.
fn risks(report: &Report, bound: impl Fn(&StratumReport) -> f64) -> Vec<f64> {
    let drawn = report.strata.iter().filter(|stratum| stratum.sampled > 0);
    drawn.map(|stratum| (1.0 - bound(stratum)).powf(stratum.sampled as f64)).collect()
}

#[test]
fn the_bounds_of_all_strata_hold_together_with_95_percent_confidence() {
    // Draws from 1, 5 and 14 strata, and from 10 of 14, in unequal numbers.
    for (range, strata, draws) in [
        ((1 << 35, 1 << 40), 1, 90_000),
        ((1 << 30, 1 << 60), 5, 90_000),
        ((i64::MIN.into(), i64::MAX.into()), 14, 1_000_000),
        ((i64::MIN.into(), i64::MAX.into()), 10, 10),
    ] {
        let range = [Interval { first: range.0, last: range.1 }];
        let sample = Sweep::of(all::<i64>()).ranges(range).sample(Some(draws)).seed(5);
        let mut reports = shards(&sample, 2);
        let merged = merge(&files(&Folder::new(), &reports));
        assert_eq!(merged.findings, []);
        reports.extend(merged.report);
        reports.push(run(&sample));
        reports.retain(|report| report.strata.iter().any(|stratum| stratum.sampled > 0));
        for report in reports {
            let stated = risks(&report, |stratum| stratum.fails_at_most.expect("a bound"));
            // The draws of the strata are independent, so the confidences of the bounds multiply.
            let confidence = |risks: &[f64]| risks.iter().map(|risk| 1.0 - risk).product::<f64>();
            assert!(stated.len() <= strata && confidence(&stated) >= 0.95, "{:?}", report.strata);
            // A bound of three by the number of draws is enough for one stratum only.
            let of_three = risks(&report, |stratum| (3.0 / stratum.sampled as f64).min(1.0));
            if draws > 10 {
                assert!((stated.iter().sum::<f64>() - 0.05).abs() < 0.001, "no weaker than needed");
                assert_eq!(confidence(&of_three) >= 0.95, strata == 1, "{strata} strata");
            }
        }
    }
}

#[test]
fn reports_that_contradict_themselves_are_refused() {
    let folder = Folder::new();
    let report = run(&exhaustive_in(0..=999));
    let changes: [fn(&mut Report); 6] = [
        |report| report.values += 1,
        |report| *report.by_length.entry(2).or_default() += 1,
        |report| report.covered[0].last -= 1,
        |report| report.plan[0].last += 1,
        |report| report.value_type = "i65".into(),
        |report| report.shard = Some("5/3".into()),
    ];
    for change in changes {
        let mut changed = report.clone();
        change(&mut changed);
        let merged = merge(&[folder.put("changed.json", &changed)]);
        assert!(merged.findings[0].to_string().contains("contradicts itself"), "{merged:?}");
        assert!(merged.report.is_none());
    }
}
