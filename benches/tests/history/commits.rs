//! Which results are recorded for which commit, and names of commits.

use std::fs;

use crate::fixture::{Fixture, rows, stderr, stdout};

#[test]
fn a_run_is_recorded_for_the_commit_that_is_checked_out() {
    let fixture = Fixture::new();
    let commit = &fixture.commit("Faster <still>")[..7];
    fixture.bench("decode/u64/mix", "ours-avx2", &[2.0, 1.0, 3.0]);
    fixture.bench("decode/u64/mix", "plain", &[4.0, 4.0]);
    let output = fixture.record();
    assert!(output.starts_with(&format!("recorded 2 results as run 1 of {commit} in ")), "{output}");

    let text = stdout(&fixture.history(&["table", "--peers"]).success());
    assert!(text.contains(&format!("* {commit}, 2023-11-14, 1 run: Faster <still>\n")), "{text}");
    assert!(text.contains("rustc "), "{text}");
    assert_eq!(
        rows(&text),
        [["decode/u64/mix/ours-avx2", "1.000", "–"], ["decode/u64/mix/plain", "4.000", "–"]]
    );
    let text = stdout(&fixture.history(&["table", "--metric", "mean"]).success());
    assert_eq!(rows(&text), [["decode/u64/mix/ours-avx2", "2.000", "–"]]);
}

#[test]
fn results_are_recorded_once_and_new_ones_are_added_as_a_run() {
    let fixture = Fixture::new();
    fixture.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    fixture.bench("encode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    fixture.record();
    let before = fs::read(fixture.database()).unwrap();
    let output = fixture.record();
    assert!(
        output.starts_with("nothing new for ")
            && output.contains("left out 2 results that were recorded before"),
        "{output}"
    );
    assert!(fs::read(fixture.database()).unwrap() == before);

    fixture.bench("decode/u64/mix", "ours-avx2", &[1.2, 1.3]);
    let output = fixture.record();
    assert!(output.contains("recorded 1 result as run 2 of "), "{output}");
    assert!(output.contains("left out 1 result that was recorded before"), "{output}");
    let text = stdout(&fixture.history(&["table"]).success());
    assert_eq!(
        rows(&text),
        [["encode/u64/mix/ours-avx2", "1.000", "–"], ["decode/u64/mix/ours-avx2", "1.100 ± 0.100", "–"]]
    );

    // Results of an earlier commit in criterion's folder are not recorded for a later one.
    fixture.commit("second");
    let output = fixture.record();
    assert!(output.starts_with("nothing new for "), "{output}");
}

#[test]
fn results_that_are_older_than_the_commit_are_left_out() {
    let fixture = Fixture::new();
    fixture.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    fixture.bench("encode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    let old = fixture.criterion().join("encode_u64_mix/ours-avx2/new/sample.json");
    let set = |path: &std::path::Path| {
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    };
    set(&old);
    let output = fixture.record();
    assert!(
        output.contains("recorded 1 result ")
            && output.contains("left out 1 result that is older than the commit"),
        "{output}"
    );

    let fixture = Fixture::new();
    fixture.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    set(&fixture.criterion().join("decode_u64_mix/ours-avx2/new/sample.json"));
    let text = stderr(&fixture.history(&["record"]).failure().code(3));
    assert!(text.contains("no result is newer") && text.contains("run `cargo bench` first"), "{text}");
    assert!(!fixture.database().exists());
}

#[test]
fn a_dirty_tree_is_marked_and_distinguished_from_its_commit() {
    let fixture = Fixture::new();
    let record = |time: f64| {
        fixture.bench("decode/u64/mix", "ours-avx2", &[time, time + 0.1]);
        fixture.record()
    };
    record(1.0);
    fs::write(fixture.repository().join("code"), "changed").unwrap();
    let output = record(2.0);
    assert!(output.contains("-dirty-") && output.contains("uncommitted changes"), "{output}");
    record(2.2);
    fs::write(fixture.repository().join("code"), "changed again").unwrap();
    record(3.0);
    fs::write(fixture.repository().join("notes"), "git does not track this").unwrap();
    fs::write(fixture.repository().join("code"), "first").unwrap();
    record(1.2);

    let text = stdout(&fixture.history(&["table"]).success());
    let cells = &rows(&text)[0];
    assert!(cells.contains(&"1.100 ± 0.100".to_owned()), "the clean tree, twice: {text}");
    assert!(cells.contains(&"2.100 ± 0.100".to_owned()), "one change, twice: {text}");
    assert!(cells.contains(&"3.000".to_owned()), "the other change: {text}");
    assert_eq!(text.matches("-dirty-").count(), 4, "two columns, two lines: {text}");

    let text = stderr(&fixture.history(&["compare", "HEAD", "HEAD-dirty"]).failure().code(2));
    assert!(
        text.contains("'HEAD-dirty' is ambiguous (candidates: ") && text.matches("-dirty-").count() == 2,
        "{text}"
    );
}

#[test]
fn commits_are_named_by_digits_or_git_revisions() {
    let fixture = Fixture::new();
    let mut names = Vec::new();
    for (subject, time) in [("second", 1.0), ("third", 2.0)] {
        names.push(fixture.commit(subject));
        for run in 0..3 {
            fixture.bench("decode/u64/mix", "ours-avx2", &[time + f64::from(run) / 100.0, 9.0]);
            fixture.record();
        }
    }
    let compare = |a: &str, b: &str| stdout(&fixture.history(&["compare", a, b]).success());
    let text = compare(&names[0], &names[1]);
    assert_eq!(rows(&text)[0][8], "**slower**", "{text}");
    assert_eq!(compare(&names[0][..5], &names[1][..7]), text);
    assert_eq!(compare("HEAD~1", "HEAD"), text);
    assert_eq!(rows(&compare("HEAD", "HEAD~1"))[0][8], "**faster**");

    for (a, b, what) in [
        ("HEAD", &names[1][..7], "both names refer to"),
        ("HEAD~2", "HEAD", "'HEAD~2' is not recorded (recorded: "),
        ("--help=x", "HEAD", ""),
        ("HEAD", "no such thing", "'no such thing' is not recorded"),
        ("", "HEAD", "'' is not recorded"),
    ] {
        let text = stderr(&fixture.history(&["compare", a, b]).failure().code(2));
        assert!(text.contains(what), "{a} {b}: {text}");
    }
    let text = stderr(&fixture.history(&["compare", "HEAD", "HEAD~1", "no-such"]).failure().code(2));
    assert!(text.contains("no recorded benchmark matches"), "{text}");
    let text = stderr(&fixture.history(&["table", "("]).failure().code(2));
    assert!(text.contains("regex"), "{text}");
}

#[test]
fn the_table_shows_the_last_commits_with_a_change() {
    let fixture = Fixture::new();
    for time in 1..=4 {
        fixture.commit(&format!("commit {time}"));
        fixture.bench("decode/u64/mix", "ours-avx2", &[f64::from(time)]);
        fixture.bench("sweep/i64/small", "ours-scalar", &[1.0 / f64::from(time)]);
        fixture.record();
    }
    let table =
        |arguments: &[&str]| rows(&stdout(&fixture.history(&[&["table"], arguments].concat()).success()));
    assert_eq!(
        table(&["decode"]),
        [["decode/u64/mix/ours-avx2", "1.000", "2.000", "3.000", "4.000", "+300.0 %"]]
    );
    assert_eq!(
        table(&["--last", "2"]),
        [
            ["decode/u64/mix/ours-avx2", "3.000", "4.000", "+33.3 %"],
            ["sweep/i64/small/ours-scalar", "0.333", "0.250", "-25.0 %"]
        ]
    );
    fixture.history(&["table", "--last", "0"]).failure().code(2);
}
