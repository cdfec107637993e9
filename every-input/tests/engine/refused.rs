//! Sweeps that are refused at their start, because they would leave inputs out or check none, and shards
//! that have none.
#![allow(clippy::reversed_empty_ranges)] // they are refused

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use every_input::byte_strings::Decoders;
use every_input::{
    ByteStrings, Checkpoint, Class, Ending, Interval, List, Report, Shard, Space, Status, Sweep, SweepError,
    Watch, all, exhaustive,
};

use crate::{Folder, exhaustive_in, right};

/// The numbers below a count, with any classes and edges.
#[derive(Clone)]
struct Numbers {
    count: u128,
    classes: Vec<Class>,
    edges: Vec<u64>,
}

impl Space for Numbers {
    type Item = u64;

    fn name(&self) -> String {
        "numbers".into()
    }

    fn count(&self) -> u128 {
        self.count
    }

    fn at(&self, number: u64) -> u64 {
        number
    }

    fn classes(&self) -> Vec<Class> {
        self.classes.clone()
    }

    fn edges(&self) -> Vec<u64> {
        self.edges.clone()
    }
}

/// The name of a class, and its first and last number.
type Row = (&'static str, u64, u64);

fn numbers(count: u128, classes: &[Row]) -> Numbers {
    let class = |&(name, first, last): &Row| Class { name: name.into(), numbers: first..=last };
    Numbers { count, classes: classes.iter().map(class).collect(), edges: vec![] }
}

/// Returns why a sweep is refused.
fn refused(result: Result<Report, SweepError>) -> String {
    match result {
        Err(SweepError::Usage(message)) => message,
        other => panic!("{other:?}"),
    }
}

/// Returns the text of a panic.
fn panic_of(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a text").clone()
}

/// Returns why all ways to sweep a space refuse it. None of them calls the check.
fn refused_in_every_way<S: Space>(sweep: &Sweep<S>) -> String {
    let (calls, folder) = (AtomicU64::new(0), Folder::new());
    let check = |_| calls.fetch_add(1, Relaxed) == u64::MAX;
    let message = refused(sweep.report("x", &check));
    for sweep in [sweep.clone().exhaustive(), sweep.clone().sample(None), sweep.clone().sample(Some(5))] {
        let (watch, mut checkpoint) = (Watch::new(), folder.checkpoint());
        let watched = sweep.report_watched("x", &check, &watch, Some(&mut checkpoint));
        assert_eq!(refused(watched), message);
        assert_eq!(Status::of(&watch).error, Some(message.clone()));
        assert!(!folder.path("sweep.json").exists() || Checkpoint::open(&folder.path("sweep.json")).is_ok());
        assert_eq!(panic_of(|| sweep.check(|_| true)), message);
    }
    assert_eq!(calls.into_inner(), 0);
    message
}

#[test]
fn a_space_whose_classes_do_not_have_each_number_once_is_refused_with_the_class_and_the_number() {
    const ONE_CLASS: &str = "; put each number from 0 to 99 in one class";
    let cases: [(&[Row], &str); 8] = [
        (&[("low", 0, 39), ("high", 60, 99)], "no class has number 40 (the next one, 'high', begins at 60)"),
        (&[("high", 60, 99), ("low", 0, 39)], "no class has number 40 (the next one, 'high', begins at 60)"),
        (&[("high", 5, 99)], "no class has number 0 (the next one, 'high', begins at 5)"),
        (&[("low", 0, 39), ("b", 40, 98)], "no class has number 99 (the last one, 'b', ends at 98)"),
        (&[], "no class has number 0 (there are no classes)"),
        (&[("low", 0, 60), ("high", 60, 99)], "the classes 'low' and 'high' both have number 60"),
        (
            &[("low", 0, 99), ("b", 100, 100)],
            "class 'b' has number 100, which is not less than the count, 100",
        ),
        (&[("low", 0, 39), ("b", 99, 40)], "class 'b' has no numbers (99..=40 is reversed)"),
    ];
    for (classes, problem) in cases {
        let message = refused_in_every_way(&Sweep::of(numbers(100, classes)));
        assert_eq!(message, format!("space 'numbers': {problem}{ONE_CLASS}"));
    }
    let within = [("low", 0, 60), ("within", 20, 30), ("high", 61, 99)];
    let message = refused_in_every_way(&Sweep::of(numbers(100, &within)));
    assert!(message.contains("the classes 'low' and 'within' both have number 20"), "{message}");
    // A check that fails from 45 to 55 million is not passed by leaving these inputs out.
    let gap = numbers(100_000_000, &[("low", 0, 39_999_999), ("high", 60_000_000, 99_999_999)]);
    let fails = |number| !(45_000_000..=55_000_000).contains(&number);
    for sweep in [Sweep::of(gap.clone()).sample(Some(1000)), exhaustive(gap)] {
        let message = refused(sweep.report("fails", &fails));
        assert!(message.contains("no class has number 40000000 (the next one, 'high',"), "{message}");
    }
    let all = numbers(u128::from(u64::MAX) + 1, &[("high", 1 << 40, u64::MAX), ("low", 0, (1 << 40) - 1)]);
    assert!(Sweep::of(all).sample(Some(1000)).report("x", &|_| true).unwrap().complete);
}

#[test]
fn an_edge_that_is_not_an_input_is_refused() {
    let space = Numbers { edges: vec![7, 100, 200], ..numbers(100, &[("all", 0, 99)]) };
    let message = refused_in_every_way(&Sweep::of(space));
    let expected = "space 'numbers': edge 100 is not less than the count, 100; return edges below the count";
    assert_eq!(message, expected);
}

#[test]
fn a_combination_with_an_invalid_space_is_refused_in_the_words_of_that_space() {
    let gap = || numbers(100, &[("low", 0, 39), ("high", 60, 99)]);
    let expected = refused_in_every_way(&Sweep::of(gap()));
    assert_eq!(refused_in_every_way(&Sweep::of((gap(), all::<bool>()))), expected);
    // A sample draws from the classes of the first space only.
    assert_eq!(refused_in_every_way(&Sweep::of((all::<u64>(), gap()))), expected);
    assert_eq!(refused_in_every_way(&Sweep::of([gap(), gap()])), expected);
    assert_eq!(refused_in_every_way(&Sweep::of((all::<bool>(), (gap(), 0..=9u8)))), expected);
    let message = refused_in_every_way(&Sweep::of((all::<bool>(), 9..=3u8)));
    assert_eq!(message, reversed("9..=3", "u8"));
}

/// Two inputs, and one more each time that the number is asked for.
#[derive(Clone)]
struct Growing(std::sync::Arc<AtomicU64>);

impl Space for Growing {
    type Item = u64;

    fn name(&self) -> String {
        "growing".into()
    }

    fn count(&self) -> u128 {
        2 + u128::from(self.0.fetch_add(1, Relaxed))
    }

    fn at(&self, number: u64) -> u64 {
        number
    }

    fn classes(&self) -> Vec<Class> {
        vec![Class { name: "all".into(), numbers: 0..=1 }]
    }
}

#[test]
fn a_space_whose_count_changes_is_refused() {
    let message = refused(exhaustive(Growing(Default::default())).report("x", &|_| true));
    let (start, end) = ("space 'growing': its count was 2, and is ", " now; return the same count each time");
    assert!(message.starts_with(start) && message.ends_with(end), "{message}");
}

/// The numbers below 5,000, of which `fill` leaves out the last in a block.
#[derive(Clone)]
struct Short;

impl Space for Short {
    type Item = u64;

    fn name(&self) -> String {
        "short".into()
    }

    fn count(&self) -> u128 {
        5000
    }

    fn at(&self, number: u64) -> u64 {
        number
    }

    fn fill(&self, first: u64, count: usize, items: &mut Vec<u64>) {
        items.clear();
        items.extend((first..first + count as u64).take(1000));
    }
}

#[test]
fn a_space_that_fills_a_block_with_too_few_inputs_ends_the_sweep() {
    let sweep = exhaustive(Short).threads(2);
    let text = panic_of(|| drop(sweep.report("x", &|number| number != 1010)));
    assert!(
        text.starts_with("space 'short': `fill` gave 1000 inputs instead of 1024 from number "),
        "{text}"
    );
}

/// Returns the message about a range of a type.
fn reversed(range: &str, name: &str) -> String {
    format!("range {range}: reversed in the order of all::<{name}>(); write the smaller bound first")
}

#[test]
fn a_range_or_a_list_without_inputs_is_refused() {
    fn message<S: Space>(space: S) -> String {
        refused_in_every_way(&Sweep::of(space))
    }
    assert_eq!(message(9u8..=3), reversed("9..=3", "u8"));
    assert_eq!(message(1i64..=-1), reversed("1..=-1", "i64"));
    assert_eq!(message(1.0f32..=-1.0), reversed("1.0..=-1.0", "f32"));
    assert_eq!(message(0.0f64..=-0.0), reversed("0.0..=-0.0", "f64"));
    assert_eq!(message(true..=false), reversed("true..=false", "bool"));
    assert_eq!(message('z'..='a'), reversed("'z'..='a'", "char"));
    assert_eq!(message(f32::NAN..=1.0), reversed("NaN..=1.0", "f32"));
    let empty = message(List::<u8>::new([]));
    assert!(empty.starts_with("space 'list of 0 inputs ("), "{empty}");
    assert!(empty.ends_with(")': no inputs to check; add at least one"), "{empty}");
    assert_eq!(message((all::<u16>(), List::<u8>::new([]))), empty);
    assert_eq!(message((all::<u64>(), all::<u64>(), List::<u8>::new([]))), empty);
    assert_eq!(message(numbers(0, &[])), "space 'numbers': no inputs to check; add at least one");
    assert_eq!(exhaustive(0.0f32..=0.0).report("x", &|_| true).unwrap().values, 1);
}

#[test]
fn ranges_that_are_reversed_or_not_of_the_space_are_refused() {
    let ranges = |ranges: &[(i128, i128)]| {
        let ranges = ranges.iter().map(|&(first, last)| Interval { first, last });
        refused_in_every_way(&Sweep::of(all::<u8>()).ranges(ranges))
    };
    let outside = |range: &str| format!("range {range}: not within u8 (0..=255); stay within these");
    assert_eq!(ranges(&[(9, 3)]), "range 9..=3: reversed; write the smaller bound first");
    assert_eq!(ranges(&[(1, 2), (0, -1)]), "range 0..=-1: reversed; write the smaller bound first");
    assert_eq!(ranges(&[(300, 400)]), outside("300..=400"));
    assert_eq!(ranges(&[(5, 6), (200, 300)]), outside("200..=300"));
    assert_eq!(ranges(&[(i128::MIN, i128::MAX)]), outside(&format!("{}..={}", i128::MIN, i128::MAX)));
    assert_eq!(ranges(&[]), "ranges: there is none; name at least one, or sweep all of u8");
    // The limits are those of the space, not of its type.
    let part = Sweep::of(10..=19u8).ranges([Interval { first: 15, last: 20 }]);
    let expected = "range 15..=20: not within u8 10..=19 (10..=19); stay within these";
    assert_eq!(refused_in_every_way(&part), expected);
    let floats = Sweep::of(0.0f32..=1.0).ranges([Interval { first: -1, last: 5 }]);
    let expected = "range -1..=5: not within f32 0.0..=1.0 (0..=1065353216); stay within these";
    assert_eq!(refused_in_every_way(&floats), expected);
    // Later ranges replace earlier ones.
    let again = part.ranges([Interval { first: 15, last: 19 }]).report("x", &|_| true).unwrap();
    assert_eq!((again.values, again.complete), (5, true));
    let codec = exhaustive_in::<u8>(250..=256).run(&right());
    assert_eq!(refused(codec), outside("250..=256"));
    let strings = Sweep::of(ByteStrings::structured(1)).ranges([Interval { first: 3, last: 2 }]);
    assert!(refused(strings.check_decoders(&Decoders::new())).contains("range 3..=2: reversed; "));
}

#[test]
fn a_sweep_of_no_decoders_is_refused() {
    let sweep = Sweep::of(ByteStrings::structured(1));
    let message = refused(sweep.check_decoders(&Decoders::new()));
    assert_eq!(message, "no decoders to check; add at least one, with `Decoders::with`");
}

#[test]
fn a_shard_without_inputs_says_that_it_has_nothing_to_check() {
    let shard = |index| Shard::new(index, 8).unwrap();
    let sweep = |index| exhaustive(1..=3u8).shard(shard(index)).report("x", &|_| true).unwrap();
    let texts = (1..=8).map(|index| sweep(index).to_string());
    let (ok, nothing): (Vec<_>, Vec<_>) =
        texts.partition(|text| text.contains("\nOK: no failure in 3 values"));
    assert_eq!((ok.len(), nothing.len()), (1, 7));
    for text in nothing {
        assert!(text.contains("/8 has no values, because the sweep has fewer units of work than"), "{text}");
        assert!(text.contains("\nNOTHING TO CHECK: shard ") && !text.contains("OK"), "{text}");
    }
    let empty = (1..=8).map(sweep).find(|report| report.values == 0).unwrap();
    assert_eq!((empty.complete, empty.ending), (true, Ending::Complete));
    let junit = Report::junit(&[empty]);
    assert_eq!(
        junit.matches("<skipped type=\"nothing_to_check\" message=\"nothing to check: ").count(),
        1,
        "{junit}"
    );
}
