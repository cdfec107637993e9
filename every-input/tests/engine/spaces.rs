//! Spaces: what they contain, and that each kind of them can be resumed and divided into shards.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use every_input::merge::merge;
use every_input::{
    ByteString, ByteStrings, Class, Ending, List, Mode, Report, Scalars, Shard, Space, Sweep, Watch, all,
    exhaustive,
};
use proptest::prelude::*;

use crate::Folder;

/// Checks `fill`, `at`, `show` and `parse` on the inputs from a number on, and classes and edges.
fn is_consistent<S: Space<Item: PartialEq>>(space: &S, number: u64) -> Result<(), TestCaseError> {
    let count = space.count();
    let number = (u128::from(number) % count) as u64;
    let len = (count - u128::from(number)).min(700) as usize;
    let mut items = Vec::new();
    space.fill(number, len, &mut items);
    prop_assert_eq!(items.len(), len);
    for (item, number) in items.iter().zip(number..=u64::MAX).step_by(23) {
        prop_assert!(*item == space.at(number), "{} {number}: {item:?}", space.name());
        let text = space.show(number);
        prop_assert_eq!(space.parse(&text), Some(number), "{} {}", space.name(), text);
        prop_assert_eq!(space.parse(&format!("{text}?")), None);
    }
    // Each input is in one class.
    let mut next = 0;
    let mut classes: Vec<_> = space.classes().into_iter().map(|class| class.numbers.into_inner()).collect();
    classes.sort_unstable();
    for (first, last) in classes {
        prop_assert_eq!(u128::from(first), next, "{}", space.name());
        next = u128::from(last) + 1;
    }
    prop_assert_eq!(next, count, "{}", space.name());
    prop_assert!(space.edges().into_iter().all(|edge| u128::from(edge) < count));
    Ok(())
}

proptest! {
    #[test]
    fn inputs_have_the_numbers_that_their_texts_have(number: u64, small: u8, short in 0usize..6) {
        is_consistent(&all::<bool>(), number)?;
        is_consistent(&all::<char>(), number)?;
        is_consistent(&('a'..='\u{e100}'), number)?;
        is_consistent(&(-3i64..=i64::MAX), number)?;
        is_consistent(&(all::<u32>(), all::<i32>()), number)?;
        is_consistent(&(all::<bool>(), 7..=9u8, -5..=i16::MAX, all::<char>()), number)?;
        is_consistent(&(0..=0u8, all::<u64>()), number)?;
        is_consistent(&[0..=small, 0..=9, 5..=5], number)?;
        let no_elements: [Scalars<u8>; 0] = [];
        is_consistent(&no_elements, number)?;
        is_consistent(&ByteStrings::new(7), number >> short)?;
        is_consistent(&ByteStrings::structured(2), number)?;
        is_consistent(&ByteStrings::structured(0), small.into())?;
        let words = List::new(["a", "b, c", "(", "#3", "a"]);
        is_consistent(&words, number)?;
        let pair = [words.clone(), words.clone()];
        is_consistent(&(words, (pair, ByteStrings::new(short % 4)), all::<u16>()), number)?;
    }
}

/// Returns the inputs of a space.
fn inputs<S: Space<Item: Hash + Eq + Send>>(space: S) -> HashSet<S::Item> {
    let seen = Mutex::new(HashSet::new());
    let check = |input: S::Item| {
        seen.lock().unwrap().insert(input);
        true
    };
    let report = exhaustive(space).report("seen", &check).unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!((report.values, report.complete), (seen.len() as u128, true));
    seen
}

#[test]
fn every_combination_is_an_input_once() {
    assert_eq!(inputs(all::<bool>()), HashSet::from([false, true]));
    assert_eq!(inputs(all::<char>()), ('\0'..=char::MAX).collect());
    let pairs = (0..=9u8).flat_map(|a| [false, true].map(|b| (a, b))).collect();
    assert_eq!(inputs((0..=9u8, all::<bool>())), pairs);
    let strings: HashSet<_> = inputs(ByteStrings::new(2)).into_iter().map(|it| it.to_vec()).collect();
    let pairs = (0..=u16::MAX).map(|pair| pair.to_be_bytes().to_vec());
    let short = (0..=u8::MAX).map(|byte| vec![byte]).chain([vec![]]);
    assert_eq!(strings, pairs.chain(short).collect());
    assert_eq!(inputs([all::<u8>(); 2]).len(), 1 << 16);
    assert_eq!(inputs((List::new(["a", "b"]), [0..=2u8, 5..=6])).len(), 2 * 3 * 2);
}

#[test]
fn a_validator_that_accepts_surrogates_fails_in_few_ranges() {
    let is_valid = |bytes: &[u8]| match bytes {
        [0xed, 0xa0..=0xbf, 0x80..=0xbf] => true,
        bytes => std::str::from_utf8(bytes).is_ok(),
    };
    let check = |bytes: ByteString| is_valid(&bytes) == std::str::from_utf8(&bytes).is_ok();
    let report = exhaustive(ByteStrings::new(3)).max_failures(0).report("utf8", &check).unwrap();
    assert_eq!((report.values, report.failures), (0x101_0101, 2048));
    let first = &report.first_failures[0];
    assert_eq!((&*first.value, first.last.as_deref(), first.inputs()), ("eda080", Some("eda0bf"), 64));
    let text = report.to_string();
    assert!(text.starts_with("sweep of all byte strings of up to 3 bytes by function utf8\n"), "{text}");
}

#[test]
fn a_sample_has_the_combinations_of_edge_cases() {
    let check =
        |(a, b): (i32, f32)| (a, b.to_bits()) != (i32::MIN, f32::INFINITY.to_bits()) && (a, b) != (0, 1.0);
    let sweep = Sweep::of((all::<i32>(), all::<f32>())).sample(Some(100_000));
    let report = sweep.report("edges", &check).unwrap();
    assert_eq!((report.mode, report.failures, report.complete), (Mode::Sample, 2, true));
    assert!(report.strata.iter().all(|stratum| stratum.sampled > 0));
}

/// Returns the part of a report that does not depend on interruptions and shards.
fn result(report: &Report) -> impl PartialEq + Debug + use<> {
    let counts = (report.values, report.failures, report.by_length.clone());
    let mut failures = report.first_failures.clone();
    failures.sort_by(|one, other| one.value.cmp(&other.value)); // a merge has them in their order
    (report.complete, counts, failures)
}

/// Checks that a sweep that is stopped and resumed has the report of a whole one, and so has the union
/// of shards.
fn resumes_and_merges<S: Space>(space: S, check: impl Fn(S::Item) -> bool + Sync) {
    let (folder, sweep) = (Folder::new(), exhaustive(space).max_failures(0));
    let whole = sweep.report("x", &check).unwrap();
    assert!((5..20).contains(&whole.first_failures.len()) && whole.complete, "{whole:?}");

    for _ in 0..2 {
        let (watch, calls) = (Arc::new(Watch::new()), AtomicU64::new(0));
        let stop = Arc::clone(&watch);
        let stopping = |input| {
            if calls.fetch_add(1, Relaxed) == 100_000 {
                stop.stop();
            }
            check(input)
        };
        let mut checkpoint = folder.checkpoint();
        let part = sweep.clone().threads(1).report_watched("x", &stopping, &watch, Some(&mut checkpoint));
        assert_eq!(part.unwrap().ending, Ending::Interrupted);
    }
    let resumed = sweep.report_watched("x", &check, &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
    assert_eq!(result(&resumed), result(&whole));

    let shards = (1..=3).map(|index| {
        let shard = sweep.clone().shard(Shard::new(index, 3).unwrap()).report("x", &check).unwrap();
        (shard.values, folder.put(&index.to_string(), &shard))
    });
    let (values, files): (Vec<_>, Vec<_>) = shards.unzip();
    assert_eq!(values.into_iter().sum::<u128>(), whole.values);
    let merged = merge(&files);
    assert_eq!(merged.findings, []);
    assert_eq!(result(&merged.report.unwrap()), result(&whole));
}

#[test]
fn each_kind_of_space_is_resumed_and_divided_into_shards() {
    // The range is in several units and shards, and the second stop is within it.
    let has_range = |c| !(500_000..800_000).contains(&u32::from(c)) && u32::from(c) % 99_999 != 5_000;
    resumes_and_merges(all::<char>(), has_range);
    let tuple = (all::<bool>(), -300..=299i16, 0.5..=0.50006f32);
    resumes_and_merges(tuple, |(a, b, c)| a || b != 7 || c.to_bits() % 90 != 5);
    resumes_and_merges([0..=99u8, 1..=100, 0..=199], |[a, b, c]| (a, b) != (31, 41) || c % 20 != 5);
    resumes_and_merges(ByteStrings::new(3), |string| !matches!(*string, [7, 8, last] if last % 20 == 9));
    resumes_and_merges(List::new(0..1_500_000), |input| input % 200_000 != 77);
    let tuple = (List::new(["a", "b"]), 1..=1_500_000u32);
    resumes_and_merges(tuple, |(text, x)| text == "b" || x % 180_000 != 5);
}

#[test]
fn a_space_that_is_too_large_is_an_error_that_names_the_remedy() {
    let too_large = exhaustive((all::<u64>(), all::<bool>())).report("x", &|_| true).unwrap_err();
    let expected = "space '(u64, bool)': more than 2^64 inputs; sweep parts of it, such as ranges of values";
    assert_eq!(too_large.to_string(), expected);
    let too_large = exhaustive([all::<f64>(); 300]).report("x", &|_| true).unwrap_err();
    assert!(too_large.to_string().contains("more than 2^64 inputs"), "{too_large}");
    let too_large = Sweep::of(ByteStrings::new(8)).report("x", &|_| true).unwrap_err();
    assert!(too_large.to_string().contains("of up to 8 bytes': more than 2^64"), "{too_large}");
    let all_numbers = Sweep::of((0..=0u8, all::<u64>())).sample(Some(1000)).report("x", &|_| true).unwrap();
    assert!(all_numbers.complete);
}

#[test]
fn lists_have_other_names_if_their_inputs_differ() {
    let name = |inputs: [&'static str; 2]| List::new(inputs).name();
    assert_eq!(name(["a", "b"]), name(["a", "b"]));
    assert_ne!(name(["a", "b"]), name(["b", "a"]));
    assert_eq!(List::<u8>::new([]).count(), 0);
}

/// All values of `u32` as even and odd ones.
#[derive(Clone)]
struct Named;

impl Space for Named {
    type Item = u32;

    fn name(&self) -> String {
        "u32".into()
    }

    fn count(&self) -> u128 {
        1 << 32
    }

    fn at(&self, number: u64) -> u32 {
        (number << 1 | number >> 31) as u32
    }

    fn classes(&self) -> Vec<Class> {
        let halves = [("even", 0..=(1 << 31) - 1), ("odd", 1 << 31..=(1 << 32) - 1)];
        halves.map(|(name, numbers)| Class { name: name.into(), numbers }).into()
    }
}

#[test]
fn a_space_with_the_name_of_a_type_and_other_classes_is_merged_by_its_own() {
    let report = Sweep::of(Named).sample(Some(1000)).report("x", &|_| true).unwrap();
    let folder = Folder::new();
    let merged = merge(&[folder.put("report", &report)]);
    assert_eq!(merged.findings, []);
    let strata = merged.report.unwrap().strata;
    assert_eq!(
        strata.iter().map(|one| one.class.as_deref()).collect::<Vec<_>>(),
        [Some("even"), Some("odd")]
    );
}
