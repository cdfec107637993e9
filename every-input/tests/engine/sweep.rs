//! Sweeps find every injected fault, cover the values that they report, and have the same report on
//! any number of threads.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use every_input::FailureKind::{self, DecodePanic, EncodeError, WrongBytes, WrongLength, WrongValue};
use every_input::{Codec, Integer, Interval, Mode, Report, Scalars, Shard, Sweep, all, codec_from_fns};
use proptest::prelude::*;

use crate::Blocks;
use crate::byte_properties::sets::{count, union};
use crate::{exhaustive_in, leb128, right};

/// The faults of a codec for one value. With wrong bytes, the round trip succeeds.
const FAULTS: [FailureKind; 5] = [WrongValue, WrongBytes, WrongLength, DecodePanic, EncodeError];

/// Returns a codec that is correct for every value except `bad`.
fn faulty<T: Integer>(bad: T, fault: FailureKind) -> impl Codec<T> {
    let secret = invalid_encoding(bad);
    codec_from_fns(
        "faulty",
        move |value: T, dst: &mut [u8]| match fault {
            EncodeError if value == bad => Err("not this one".into()),
            WrongBytes if value == bad => {
                let secret = invalid_encoding(bad);
                dst[..secret.len()].copy_from_slice(&secret);
                Ok(secret.len())
            }
            _ => leb128::encode(value, dst),
        },
        move |src: &[u8]| {
            if fault == WrongBytes && src.starts_with(&secret) {
                return Ok((bad, secret.len()));
            }
            let (value, len) = leb128::decode::<T>(src)?;
            match fault {
                WrongValue if value == bad => Ok((value.complement(), len)),
                WrongLength if value == bad => Ok((value, len.wrapping_sub(1))),
                DecodePanic if value == bad => panic!("not this one"),
                _ => Ok((value, len)),
            }
        },
    )
}

/// Returns bytes that no correct encoder writes: an overlong encoding of `value`, or one whose last
/// byte is too large.
fn invalid_encoding<T: Integer>(value: T) -> Vec<u8> {
    let mut bytes = vec![0; T::MAX_LEN];
    let len = leb128::encode(value, &mut bytes).expect("a slice of the greatest length");
    bytes.truncate(len);
    let last = len - 1;
    if bytes.len() < T::MAX_LEN {
        bytes[last] |= 0x80;
        bytes.push(0);
    } else {
        bytes[last] |= 0x40;
    }
    bytes
}

/// Checks that a sweep finds each kind of fault of this value alone.
fn finds<T: Integer>(sweep: &Sweep<Scalars<T>>, bad: T) {
    for kind in FAULTS {
        let report = sweep.run(&faulty(bad, kind)).unwrap();
        let [failure] = &report.first_failures[..] else { panic!("{report:?}") };
        let expected = (1, &*bad.to_i128().to_string(), kind, 1);
        assert_eq!((report.failures, &*failure.value, failure.kind, failure.block), expected);
        assert!(report.complete && (report.mode == Mode::Sample || report.values == count(&report.plan)));
    }
}

#[test]
fn a_single_wrong_value_is_found_wherever_it_is() {
    let sweep = exhaustive_in(-700_001..=900_003);
    // The ends, zero, the edges of a block of 1024 and of a unit of 2^18, and another value.
    [-700_001i64, 900_003, 0, -1, 1, 123_457].into_iter().for_each(|bad| finds(&sweep, bad));
    for edge in [1024, 1 << 18, -(1 << 18), 2 << 18, -1024] {
        [edge - 1, edge, edge + 1].into_iter().for_each(|bad| finds(&sweep, bad));
    }
}

#[test]
fn a_single_wrong_value_at_an_edge_is_found_in_a_sample_of_the_whole_range() {
    let sweep = Sweep::of(all()).sample(Some(1000));
    for bad in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX, 0, -1, 63, -64] {
        finds(&sweep, bad);
    }
    for bad in [1 << 62, -(1 << 62) - 1, 1 << 40, (1i64 << 55) + 16_384] {
        finds(&sweep, bad);
    }
}

#[test]
fn a_single_wrong_value_is_found_in_every_type() {
    fn both_ends<T: Integer>() {
        for number in [T::MIN, T::MAX, (T::MIN + T::MAX) / 2 + 1] {
            let range = T::MIN.max(number - 3000)..=T::MAX.min(number + 3000);
            finds(&exhaustive_in(range), T::from_i128(number));
        }
    }
    call_each!(both_ends: i64 u64 i32 u32 i16 u16 i8 u8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_value_of_a_plan_is_checked_exactly_once(
        ranges in prop::collection::vec((-300_000i128..300_000, 0i128..400_000), 1..5),
        threads in 1usize..6,
    ) {
        let ranges: Vec<_> = ranges.iter().map(|&(first, more)| Interval { first, last: first + more }).collect();
        let plan = union(ranges.iter().copied());
        // How often each value is encoded.
        let counts: Vec<_> = (0..1 << 20).map(|_| AtomicU8::new(0)).collect();
        let encode = |values: &[i32], dst: &mut [u8]| {
            for value in values {
                counts[(value + 300_000) as usize].fetch_add(1, Relaxed);
            }
            leb128::encode_slice(values, dst)
        };
        let seen = Blocks("seen", encode, leb128::decode_slice);
        let report = Sweep::of(all::<i32>()).ranges(ranges).threads(threads).exhaustive().run(&seen).unwrap();
        prop_assert_eq!(report.values, count(&plan));
        prop_assert_eq!(&report.covered, &plan);
        prop_assert!(report.complete && report.failures == 0);
        // The edges are checked twice: first, and with their unit. No value outside the plan is
        // checked.
        for (at, count) in counts.iter().enumerate() {
            let inside = plan.iter().any(|i| i.contains(at as i128 - 300_000));
            prop_assert!(count.load(Relaxed) >= u8::from(inside) && (inside || count.load(Relaxed) == 0));
        }
        let twice = counts.iter().filter(|count| count.load(Relaxed) > 1).count();
        prop_assert!(twice < 700, "{twice} values were checked more than once");
    }
}

#[test]
fn failures_do_not_depend_on_the_number_of_threads() {
    // One value in 50,000 is wrong.
    let check = |value: i64| value % 50_000 != 777;
    let sweep = exhaustive_in(0..=3_000_000);
    let one = sweep.clone().threads(1).report("often wrong", &check).unwrap();
    assert_eq!(one.first_failures.len(), 10);
    for threads in [2, 3, 7] {
        let more = sweep.clone().threads(threads).report("often wrong", &check).unwrap();
        assert_eq!(more.first_failures, one.first_failures, "{threads} threads");
    }
    let all = sweep.max_failures(0).report("often wrong", &check).unwrap();
    assert_eq!((all.failures, all.complete), (60, true));
}

/// Runs the sweep on a range, and returns the sum of all values that it checked and its report.
fn summed(sweep: Sweep<Scalars<i64>>) -> (u64, Report) {
    let sum = AtomicU64::new(0);
    let codec = codec_from_fns(
        "sum",
        |value: i64, dst: &mut [u8]| {
            sum.fetch_add(value as u64, Relaxed);
            // Without a failure, a short trial would follow the sample and call the codec an
            // unpredictable number of times.
            if value == 1 << 45 { Err("one failure".into()) } else { leb128::encode(value, dst) }
        },
        leb128::decode,
    );
    let report = sweep.ranges([Interval { first: 1 << 40, last: 1 << 50 }]).run(&codec).unwrap();
    drop(codec);
    (sum.into_inner(), report)
}

#[test]
fn the_same_seed_draws_the_same_values_on_any_number_of_threads() {
    let sums = |seed, threads| {
        let (sum, report) = summed(Sweep::of(all()).sample(Some(100_000)).seed(seed).threads(threads));
        assert_eq!(report.strata.iter().map(|stratum| stratum.sampled).sum::<u64>(), 100_000);
        sum
    };
    assert_eq!(sums(1, 1), sums(1, 3));
    assert_ne!(sums(1, 1), sums(2, 1));
}

#[test]
fn the_options_in_a_report_repeat_the_values_of_a_sample() {
    let by_budget = Sweep::of(all()).sample(None).budget(Duration::from_millis(30));
    let mut seeds = HashSet::new();
    for sample in [
        by_budget.clone(),
        by_budget.clone(),
        by_budget.seed(5).shard(Shard::new(2, 3).unwrap()),
        Sweep::of(all()).sample(Some(100_000)),
    ] {
        // A round of draws is not finished if the calls before seem slow, as on a busy machine. The options
        // then repeat what was drawn, and the rest of the round.
        let is_balanced = |report: &Report| {
            let first = report.strata[0].sampled; // one more, if a number of draws cannot be divided
            report.repeat.is_some() && report.strata.iter().all(|row| first - row.sampled <= 1)
        };
        let mut runs = (0..50).map(|_| summed(sample.clone()));
        let (sum, report) = runs.find(|(_, report)| is_balanced(report)).expect("a balanced sample");
        let options = report.repeat.expect("options");
        let (draws, seed, shard) = match options.split(' ').collect::<Vec<_>>()[..] {
            ["--sample", draws, "--seed", seed] => (draws, seed, Shard::WHOLE),
            ["--sample", draws, "--seed", seed, "--shard", shard] => (draws, seed, shard.parse().unwrap()),
            _ => panic!("{options}"),
        };
        let (draws, seed) = (draws.parse().unwrap(), seed.parse().unwrap());
        let (again, repeated) = summed(Sweep::of(all()).sample(Some(draws)).seed(seed).shard(shard));
        assert_eq!(repeated.strata, report.strata, "{options}");
        // A slow machine takes fewer boundaries within the budget.
        if report.neighbours.is_none() {
            assert_eq!(again, sum, "{options}");
        }
        seeds.insert(seed);
    }
    assert_eq!(seeds.len(), 4, "each sample has a seed of its own: {seeds:?}");
}

#[test]
fn a_sample_ends_with_its_budget_but_draws_from_every_stratum() {
    let sweep = Sweep::of(all::<i64>()).sample(None).budget(Duration::from_millis(1));
    let mut runs = (0..50).map(|_| {
        let report = sweep.run(&right()).unwrap();
        assert!(report.complete);
        report.strata.iter().map(|stratum| stratum.sampled).collect::<Vec<_>>()
    });
    // A round of draws is not finished if the calls before seem slow, as on a busy machine.
    let is_balanced = |shares: &Vec<u64>| shares[0] > 0 && shares.iter().all(|&share| share == shares[0]);
    assert!(runs.any(|shares| is_balanced(&shares)));
}
