//! The shards of a sweep merge into the whole, and a merge reports gaps, overlaps, duplicates and
//! unrelated shards.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use varint_sweep::interval::{count, difference, intersection, union};
use varint_sweep::merge::{Finding, Merged, merge};
use varint_sweep::{Codec, Interval, Report, Shard, Sweep, codec_from_fns};

use crate::leb128;

fn codec() -> impl Codec<i64> {
    codec_from_fns("right", leb128::encode, leb128::decode)
}

fn shards(sweep: &Sweep<i64>, of: u64) -> Vec<Report> {
    let shard = |index| sweep.clone().shard(Shard::new(index, of).unwrap()).run(&codec()).unwrap();
    (1..=of).map(shard).collect()
}

/// Reports as files in a temporary folder.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, report: &Report) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, serde_json::to_string(report).unwrap()).unwrap();
        path
    }

    fn all(&self, reports: &[Report]) -> Vec<PathBuf> {
        reports.iter().enumerate().map(|(index, report)| self.put(&format!("{index}.json"), report)).collect()
    }
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
        let sweep = Sweep::<i64>::new().ranges(plan.clone()).exhaustive().threads(2);
        let reports = shards(&sweep, of);
        for (index, report) in reports.iter().enumerate() {
            prop_assert!(report.complete);
            for other in &reports[..index] {
                prop_assert_eq!(intersection(&report.covered, &other.covered), []);
            }
        }
        let merged = merge(&Files::new().all(&reports));
        prop_assert_eq!(merged.findings, []);
        let (merged, whole) = (merged.report.unwrap(), sweep.run(&codec()).unwrap());
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
        let sweep = Sweep::<i64>::new().ranges(plan.clone()).exhaustive().threads(2);
        let mut reports = shards(&sweep, of);
        // A shard of a division into another number of shards, which overlaps some of the others.
        let other = shards(&sweep, of + 1).swap_remove(cut.index(of as usize + 1));
        // A shard of another plan.
        let more = union(plan.iter().copied().chain([Interval { first: 9_000_000, last: 9_000_001 }]));
        let unrelated = shards(&sweep.clone().ranges(more), of).swap_remove(chosen.index(of as usize));
        let lost = reports.swap_remove(lost.index(reports.len()));

        let files = Files::new();
        let mut paths = files.all(&reports);
        paths.push(files.put("other.json", &other));
        paths.push(files.put("unrelated.json", &unrelated));
        let Merged { findings, report, .. } = merge(&paths);
        let report = report.unwrap();

        let covered = |report: &Report| report.covered.clone();
        let known = union(reports.iter().flat_map(covered));
        let overlap = intersection(&known, &other.covered);
        let doubles: Vec<Interval> = findings
            .iter()
            .flat_map(|finding| match finding {
                Finding::Overlap { file, values, .. } if file.ends_with("other.json") => values.clone(),
                Finding::Duplicate { file, covered, .. } if file.ends_with("other.json") => covered.clone(),
                _ => vec![],
            })
            .collect();
        prop_assert_eq!(union(doubles), union(overlap));

        let union = union(known.into_iter().chain(other.covered.iter().copied()));
        let gaps: Vec<Interval> = findings
            .iter()
            .flat_map(|finding| if let Finding::Gap { values } = finding { values.clone() } else { vec![] })
            .collect();
        prop_assert_eq!(&gaps, &difference(&plan, &union));
        prop_assert_eq!(count(&gaps), count(&lost.covered) - count(&intersection(&lost.covered, &other.covered)));
        prop_assert_eq!(report.complete, gaps.is_empty());
        prop_assert_eq!(report.values, count(&union));

        // With a single report of the sweep, either of the two may count as unrelated.
        if of > 2 {
            let is_reported = |finding: &Finding| matches!(finding, Finding::Unrelated { file, differs, .. }
                if file.ends_with("unrelated.json") && differs.contains("9000000..=9000001"));
            prop_assert!(findings.iter().any(is_reported), "{:?}", findings);
        }
    }
}

#[test]
fn a_merged_report_can_be_merged_again() {
    let sweep = Sweep::<i64>::new().ranges([Interval { first: 0, last: 5_000_000 }]).exhaustive();
    let files = Files::new();
    let paths = files.all(&shards(&sweep, 5));
    let half = merge(&paths[..2]).report.unwrap();
    assert_eq!((half.complete, half.shard.as_deref(), half.merged), (false, Some("1-2/5"), Some(2)));
    let mut rest = paths[2..].to_vec();
    rest.push(files.put("half.json", &half));
    let whole = merge(&rest);
    assert_eq!(whole.findings, []);
    let report = whole.report.unwrap();
    assert_eq!(
        (report.complete, report.shard, report.merged, report.values),
        (true, None, Some(5), 5_000_001)
    );
}

#[test]
fn shards_of_a_sample_draw_the_same_values_as_the_whole_and_none_counts_twice() {
    let sweep = Sweep::<i64>::new().sample(Some(1_000_000)).seed(5);
    let files = Files::new();
    let paths = files.all(&shards(&sweep, 4));
    let merged = merge(&paths);
    assert_eq!(merged.findings, []);
    let (merged, whole) = (merged.report.unwrap(), sweep.run(&codec()).unwrap());
    assert_eq!(
        (merged.values, &merged.by_length, &merged.strata, &merged.repeat),
        (whole.values, &whole.by_length, &whole.strata, &whole.repeat)
    );
    let double = merge(&[&paths[..], &paths[1..2]].concat());
    assert!(matches!(&double.findings[..], [Finding::Duplicate { file, .. }] if file.ends_with("1.json")));
    assert_eq!(double.report.unwrap().values, whole.values);
    let missing = merge(&paths[1..]).findings;
    assert!(missing.contains(&Finding::Shards { missing: "1/4".into() }), "{missing:?}");
}

#[test]
fn reports_that_contradict_themselves_are_refused() {
    let files = Files::new();
    let report = Sweep::<i64>::new().ranges([Interval { first: 0, last: 999 }]).run(&codec()).unwrap();
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
        let merged = merge(&[files.put("changed.json", &changed)]);
        assert!(
            matches!(&merged.findings[..], [Finding::Unreadable { why, .. }] if why.contains("contradicts itself"))
        );
        assert!(merged.report.is_none());
    }
}

proptest! {
    #[test]
    fn random_bytes_are_refused_without_a_panic(content in prop::collection::vec(any::<u8>(), 0..300)) {
        let files = Files::new();
        let path = files.0.path().join("report.json");
        fs::write(&path, content).unwrap();
        prop_assert!(merge(&[path]).report.is_none());
    }
}
