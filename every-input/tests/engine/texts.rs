//! The text of a report says what was checked, and no more.

use every_input::{Ending, Interval, Limited, Report, Sweep, all};

use crate::exhaustive_in;

/// Returns the line of a text that starts with this.
fn line<'t>(text: &'t str, start: &str) -> &'t str {
    text.lines()
        .find(|line| line.trim_start().starts_with(start))
        .unwrap_or_else(|| panic!("{start}: {text}"))
}

#[test]
fn a_sample_names_what_its_strata_differ_in() {
    let unsigned = Sweep::of(all::<u64>()).sample(Some(1000)).report("right", &|_| true).unwrap().to_string();
    let words = |start| line(&unsigned, start).split_whitespace().take(3).collect::<Vec<_>>();
    assert_eq!(words("bytes"), ["bytes", "values", "drawn"], "{unsigned}");
    assert!(unsigned.contains("95 % confidence for all lengths together"), "{unsigned}");
    let signed = Sweep::of(all::<i64>()).sample(Some(1000)).report("right", &|_| true).unwrap().to_string();
    assert!(line(&signed, "bytes").contains("bytes  sign "), "{signed}");
    assert!(signed.contains("95 % confidence for all lengths and signs together"), "{signed}");
    let floats = Sweep::of(all::<f32>()).sample(Some(1000)).report("right", &|_| true).unwrap().to_string();
    assert!(line(&floats, "class").contains("class     values  drawn"), "{floats}");
    assert!(floats.contains("95 % confidence for all classes together"), "{floats}");
}

#[test]
fn a_sample_with_failures_has_a_bound_for_each_length_without_one() {
    let sweep = Sweep::of(all::<u64>()).sample(Some(7000)).seed(1).max_failures(0);
    // Values of ten bytes fail, and those of 9 and 8 bytes that are near a boundary only.
    let passes = |x: u64| x < 1 << 63 && x != (1 << 63) - 1 && x != 1 << 49;
    let report = sweep.report("nine", &passes).unwrap();
    let of = |length| report.strata.iter().find(|stratum| stratum.length == length).unwrap();
    assert_eq!((of(10).failures, of(10).sampled, of(10).fails_at_most), (1000, 1000, None));
    let needed = (report.strata.len() as f64 / 0.05).ln();
    for length in [8, 9] {
        assert_eq!((of(length).failures, of(length).fails_at_most), (0, Some(needed / 1000.0)));
    }
    let text = report.to_string();
    let row = |start| line(&text, start).split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    assert_eq!(row("10 "), "1,000 (1,000 failed)", "{text}");
    assert!(row("9 ").starts_with("1,000 1 in "), "{text}");
}

#[test]
fn a_rate_of_a_sample_is_not_compared_with_that_of_an_exhaustive_sweep() {
    let sample = Sweep::of(all::<u32>()).sample(Some(9)).report("sample", &|_| true).unwrap();
    let whole = |name| exhaustive_in::<u32>(0..=2_000_000).report(name, &|_| true).unwrap();
    let cells = |reports: &[Report]| {
        let text = Report::comparison(reports).to_string();
        let (_, table) = text.split_once("relative time").expect("a table");
        let relative = |row: &str| row.split_whitespace().nth(2).is_some_and(|cell| cell != "-");
        let rows = table.lines().skip(1).take(reports.len()).map(relative).collect::<Vec<_>>();
        (rows, text.contains("no relative time for samples: drawing a value takes longer"))
    };
    assert_eq!(cells(&[sample.clone(), whole("a"), whole("b")]), (vec![false, true, true], true));
    assert_eq!(cells(&[sample.clone(), sample]), (vec![true, true], false));
    assert_eq!(cells(&[whole("a"), whole("b")]), (vec![true, true], false));
}

#[test]
fn a_sample_that_stops_among_its_boundaries_says_how_many_it_checked() {
    let sweep = Sweep::of(all::<i64>()).sample(Some(1_000_000)).threads(1);
    let report = sweep.clone().max_failures(3).report("even", &|x: i64| x % 2 == 0).unwrap();
    assert_eq!(report.ending, Ending::Failures);
    let text = report.to_string();
    let checked = line(&text, "checked");
    assert!(
        checked.starts_with("checked around boundaries: ") && checked.contains(" of 4,915,472 values"),
        "{text}"
    );
    let complete = sweep.report("right", &|_| true).unwrap().to_string();
    assert!(
        line(&complete, "checked").starts_with("checked exhaustively: 4,915,472 values (b"),
        "{complete}"
    );
}

#[test]
fn a_sweep_that_ends_after_2_to_the_20_failing_values_says_that_this_is_the_limit() {
    let sweep = exhaustive_in::<u32>(0..=20_000_000).threads(1);
    let many = sweep.clone().report("none", &|_: u32| false).unwrap();
    let limit = many.limit.expect("a limit");
    assert_eq!((many.ending, limit.of, limit.number), (Ending::Failures, Limited::FailingInputs, 1 << 20));
    assert!(many.to_string().contains(": the limit is 1,048,576 failing values (use"), "{many}");
    let few = sweep.max_failures(3).report("tens", &|x: u32| x < 9_000_000 || !x.is_multiple_of(10)).unwrap();
    let limit = few.limit.expect("a limit");
    assert_eq!((limit.of, limit.number), (Limited::Failures, 3));
    assert!(!few.to_string().contains("the limit is"), "{few}");
}

/// All values below -2^62 fail, of which a sample checks few.
#[test]
fn a_range_whose_neighbours_are_not_checked_is_not_said_to_end() {
    let says_more = |report: &Report| {
        let says = |text: String| text.contains("a range ends where checking ended");
        assert_eq!(says(report.to_string()), says(Report::junit(std::slice::from_ref(report))));
        says(report.to_string())
    };
    let sweep = Sweep::of(all::<i64>()).sample(Some(1000));
    assert!(says_more(&sweep.report("low", &|x: i64| x >= -1 << 62).unwrap()));
    let plan = [Interval { first: -5000, last: 5_000_000 }];
    let sweep = Sweep::of(all::<i64>()).ranges(plan).exhaustive();
    assert!(!says_more(&sweep.report("low", &|x: i64| x >= 0).unwrap()), "the plan ends there");
    let ended = sweep.threads(1).max_failures(1).report("two thirds", &|x: i64| x > 0 && x % 3 == 0).unwrap();
    assert!(says_more(&ended), "{ended}");
}
