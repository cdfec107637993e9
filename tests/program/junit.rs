//! `--junit`: the XML has the structure that Jenkins and others read, and every failure makes a test
//! case fail.

use std::fs;

use every_input::{Interval, Report, Scalars, Sweep, Watch, all, codec_from_fns};
use roxmltree::{Document, Node};

use crate::leb128;
use crate::support::{in_folder, program};

/// A test case: its name, the element that says how it ended (empty if it passed), and its message.
type Case = (String, String, String);

/// Parses a JUnit document, checks its structure, and returns the cases of each suite.
///
/// The structure is that of junit-10.xsd of Jenkins' xUnit plugin.
#[track_caller]
fn parsed(xml: &str) -> Vec<(String, Vec<Case>)> {
    let document = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    root.children().filter(Node::is_element).map(suite).collect()
}

fn suite(suite: Node<'_, '_>) -> (String, Vec<Case>) {
    assert_eq!(suite.tag_name().name(), "testsuite");
    let name = suite.attribute("name").expect("a name");
    let cases: Vec<Case> = suite.children().filter(Node::is_element).map(|node| case(node, name)).collect();
    let number = |attribute| suite.attribute(attribute).and_then(|text| text.parse().ok());
    let count = |element: &str| Some(cases.iter().filter(|(_, kind, _)| kind == element).count());
    assert_eq!(number("tests"), Some(cases.len()));
    assert_eq!(number("failures"), count("failure"));
    assert_eq!(number("errors"), count("error"));
    assert!(suite.attribute("time").is_some_and(|time| time.parse::<f64>().is_ok_and(|time| time >= 0.0)));
    for (at, (name, ..)) in cases.iter().enumerate() {
        assert!(!cases[..at].iter().any(|(other, ..)| other == name), "two cases '{name}'");
    }
    (name.to_owned(), cases)
}

fn case(case: Node<'_, '_>, suite: &str) -> Case {
    assert_eq!(case.tag_name().name(), "testcase");
    assert_eq!(case.attribute("classname"), Some(suite));
    let outcomes: Vec<_> = case.children().filter(Node::is_element).collect();
    assert!(outcomes.len() <= 1);
    let outcome = outcomes.first();
    let kind = outcome.map_or("", |outcome| outcome.tag_name().name());
    assert!(["", "failure", "error"].contains(&kind), "{kind}");
    let message = outcome.map_or("", |outcome| outcome.attribute("message").expect("a message"));
    (case.attribute("name").expect("a name").to_owned(), kind.to_owned(), message.to_owned())
}

/// Returns the cases of a sweep that did not pass.
#[track_caller]
fn not_passed(report: &Report) -> Vec<Case> {
    let suites = parsed(&Report::junit(std::slice::from_ref(report)));
    suites.into_iter().flat_map(|(_, cases)| cases).filter(|(_, kind, _)| !kind.is_empty()).collect()
}

fn names(cases: &[Case]) -> Vec<(&str, &str)> {
    cases.iter().map(|(name, kind, _)| (&**name, &**kind)).collect()
}

/// Runs the sweep with a codec that decodes these values wrongly.
fn report(sweep: &Sweep<Scalars<i64>>, is_wrong: impl Fn(i64) -> bool + Sync) -> Report {
    let decode = |src: &[u8]| {
        let (value, len) = leb128::decode(src)?;
        Ok((if is_wrong(value) { value ^ 1 } else { value }, len))
    };
    sweep.run(&codec_from_fns("mine", leb128::encode, decode)).expect("a report")
}

#[test]
fn a_sweep_is_a_suite_that_passes_unless_a_value_fails() {
    let sample = Sweep::of(all()).sample(Some(28_000)).max_failures(0);
    let suites = parsed(&Report::junit(&[report(&sample, |_| false)]));
    let [(name, cases)] = &suites[..] else { panic!("one suite") };
    assert_eq!(name, "sweep of i64 by codec mine");
    assert_eq!(names(cases), [("every value passes", ""), ("the sweep is complete", "")]);
    let failing = not_passed(&report(&sample, |value| value == -300));
    assert_eq!(names(&failing), [("every value passes", "failure")]);
    assert_eq!(failing[0].2, "-300: wrong value: expected -300, got -299");

    let failing = report(&sample, |value| value % 3 == 1);
    let xml = Report::junit(std::slice::from_ref(&failing));
    assert!(parsed(&xml)[0].1[0].2.ends_with(", and 19 more") && xml.contains("failures are not listed"));
}

#[test]
fn a_sweep_that_ended_early_is_not_passed() {
    let sweep = Sweep::of(all()).ranges([Interval { first: 0, last: 3_000_000 }]).threads(1).max_failures(1);
    let failing = not_passed(&report(&sweep, |value| value > 2_000_000));
    assert_eq!(names(&failing), [("every value passes", "failure"), ("the sweep is complete", "error")]);
    assert!(failing[1].2.contains("stopped after"), "{failing:?}");

    let watch = Watch::new();
    watch.stop();
    let sweep = Sweep::of(all::<u64>()).sample(None);
    let failing = not_passed(&sweep.report_watched("x", &|_| true, &watch, None).expect("a report"));
    assert_eq!(names(&failing), [("the sweep is complete", "error")]);
    assert!(failing[0].2.contains("interrupted"), "{failing:?}");
}

#[test]
fn any_text_can_be_written() {
    let text = "<a href=\"x\">&amp; ]]> 'q'\t\r\n\u{e9}\u{1f600}\u{0}\u{1b}[31m\u{7f}\u{9b}\u{fffe}\u{ffff}";
    let allowed = "<a href=\"x\">&amp; ]]> 'q'\t\r\n\u{e9}\u{1f600}\u{fffd}\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
    let codec = codec_from_fns(text, |_: u64, _: &mut [u8]| Err(text.into()), leb128::decode);
    let report = Sweep::of(all()).ranges([Interval { first: 5, last: 5 }]).run(&codec).expect("a report");
    let xml = Report::junit(&[report]);
    let suites = parsed(&xml);
    assert_eq!(suites[0].0, format!("sweep of u64 by codec {allowed}"));
    let expected = format!("5: encode returned an error: expected 05, got {allowed}");
    assert_eq!(suites[0].1[0].2, expected);
    let document = Document::parse(&xml).expect("XML");
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("a failure");
    assert_eq!((failure.attribute("type"), failure.text()), (Some("encode_error"), Some(&*expected)));
}

/// Runs a command with `--junit` and returns its exit code and the suites.
#[track_caller]
fn run(arguments: &[&str]) -> (Option<i32>, Vec<(String, Vec<Case>)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("junit.xml");
    let output = program().args(arguments).arg("--junit").arg(&path).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    let xml = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}: {text}"));
    (output.status.code(), parsed(&xml))
}

#[test]
fn each_of_several_codecs_has_a_suite_without_the_kernel() {
    let (code, suites) =
        run(&["--codec", "bulk", "--codec", "article2015", "MIN..=-9_223_372_036_854_775_000"]);
    assert_eq!(code, Some(1));
    let is_passed = |(_, cases): &(String, Vec<Case>)| cases.iter().all(|(_, kind, _)| kind.is_empty());
    assert_eq!(suites.iter().map(is_passed).collect::<Vec<_>>(), [true, false]);
    let names: Vec<_> = suites.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["sweep of i64 by codec bulk", "sweep of i64 by codec article2015"]);
}

#[test]
fn a_merge_is_a_suite_whose_findings_are_errors() {
    let path = in_folder();
    let shard = |codec: &str, shard: &str| {
        let path = path(&(codec.to_owned() + &shard.replace('/', "-")));
        let range = "MIN..=-9_223_372_036_854_000_000";
        let arguments = ["--exhaustive", "--codec", codec, "--shard", shard, range, "--json", &path];
        program().args(arguments).output().expect("the program starts");
        path
    };
    let (first, second, failing) = (shard("bulk", "1/2"), shard("bulk", "2/2"), shard("article2015", "1/1"));
    let (failed, error) = (("every value passes", "failure"), ("the sweep is complete", "error"));
    for (files, expected_code, expected) in [
        (&[&*first, &second][..], 0, &[][..]),
        (&[&first], 1, &[error]),
        (&[&failing], 1, &[failed]),
        (&[&first, &second, &failing, "/no/such/report"], 3, &[error]),
        (&["/no/such/report"], 3, &[("reports are merged", "error")]),
    ] {
        let (code, suites) = run(&[&["merge"], files].concat());
        let cases = names(&suites[0].1).into_iter().filter(|(_, kind)| !kind.is_empty());
        assert_eq!((code, cases.collect::<Vec<_>>()), (Some(expected_code), expected.to_vec()), "{files:?}");
    }
}
