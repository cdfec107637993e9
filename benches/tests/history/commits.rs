//! What is recorded for which commit, and how commits are named.

use std::fs;

use crate::world::{World, rows, stderr, stdout};

#[test]
fn a_run_is_recorded_for_the_commit_that_is_checked_out() {
    let world = World::new();
    let commit = &world.commit("Faster <still>")[..7];
    world.bench("decode/u64/mix", "ours-avx2", &[2.0, 1.0, 3.0]);
    world.bench("decode/u64/mix", "plain", &[4.0, 4.0]);
    let said = world.record();
    assert!(said.starts_with(&format!("recorded 2 results as run 1 of {commit} in ")), "{said}");

    let text = stdout(&world.history(&["table", "--peers"]).success());
    assert!(text.contains(&format!("* {commit}, 2023-11-14, 1 run: Faster <still>\n")), "{text}");
    assert!(text.contains("rustc "), "{text}");
    assert_eq!(
        rows(&text),
        [["decode/u64/mix/ours-avx2", "1.000", "–"], ["decode/u64/mix/plain", "4.000", "–"]]
    );
    let text = stdout(&world.history(&["table", "--metric", "mean"]).success());
    assert_eq!(rows(&text), [["decode/u64/mix/ours-avx2", "2.000", "–"]]);
}

#[test]
fn results_are_recorded_once_and_new_ones_are_added_as_a_run() {
    let world = World::new();
    world.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    world.bench("encode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    world.record();
    let before = fs::read(world.database()).unwrap();
    let said = world.record();
    assert!(
        said.starts_with("nothing new for ") && said.contains("left out 2 results, recorded before"),
        "{said}"
    );
    assert!(fs::read(world.database()).unwrap() == before);

    world.bench("decode/u64/mix", "ours-avx2", &[1.2, 1.3]);
    let said = world.record();
    assert!(said.contains("recorded 1 result as run 2 of "), "{said}");
    assert!(said.contains("left out 1 result, recorded before"), "{said}");
    let text = stdout(&world.history(&["table"]).success());
    assert_eq!(
        rows(&text),
        [["encode/u64/mix/ours-avx2", "1.000", "–"], ["decode/u64/mix/ours-avx2", "1.100 ± 0.100", "–"]]
    );

    // What an earlier commit left in criterion's folder is not the later one's.
    world.commit("second");
    let said = world.record();
    assert!(said.starts_with("nothing new for "), "{said}");
}

#[test]
fn results_from_before_the_commit_are_not_its_own() {
    let world = World::new();
    world.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    world.bench("encode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    let old = world.criterion().join("encode_u64_mix/ours-avx2/new/sample.json");
    let set = |path: &std::path::Path| {
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    };
    set(&old);
    let said = world.record();
    assert!(
        said.contains("recorded 1 result ") && said.contains("left out 1 result, measured before"),
        "{said}"
    );

    let world = World::new();
    world.bench("decode/u64/mix", "ours-avx2", &[1.0, 1.1]);
    set(&world.criterion().join("decode_u64_mix/ours-avx2/new/sample.json"));
    let text = stderr(&world.history(&["record"]).failure().code(3));
    assert!(text.contains("before") && text.contains("run `cargo bench` first"), "{text}");
    assert!(!world.database().exists());
}

#[test]
fn a_dirty_tree_is_marked_and_kept_apart_from_its_commit() {
    let world = World::new();
    let record = |time: f64| {
        world.bench("decode/u64/mix", "ours-avx2", &[time, time + 0.1]);
        world.record()
    };
    record(1.0);
    fs::write(world.repository().join("code"), "changed").unwrap();
    let said = record(2.0);
    assert!(said.contains("-dirty-") && said.contains("changes that are not committed"), "{said}");
    record(2.2);
    fs::write(world.repository().join("code"), "changed again").unwrap();
    record(3.0);
    fs::write(world.repository().join("notes"), "git does not track this").unwrap();
    fs::write(world.repository().join("code"), "first").unwrap();
    record(1.2);

    let text = stdout(&world.history(&["table"]).success());
    let cells = &rows(&text)[0];
    assert!(cells.contains(&"1.100 ± 0.100".to_owned()), "the clean tree, twice: {text}");
    assert!(cells.contains(&"2.100 ± 0.100".to_owned()), "one change, twice: {text}");
    assert!(cells.contains(&"3.000".to_owned()), "the other change: {text}");
    assert_eq!(text.matches("-dirty-").count(), 4, "two columns, two lines: {text}");

    let text = stderr(&world.history(&["compare", "HEAD", "HEAD-dirty"]).failure().code(2));
    assert!(text.contains("'HEAD-dirty' may be ") && text.matches("-dirty-").count() == 2, "{text}");
}

#[test]
fn commits_are_named_by_their_digits_or_as_git_does() {
    let world = World::new();
    let mut names = Vec::new();
    for (subject, time) in [("second", 1.0), ("third", 2.0)] {
        names.push(world.commit(subject));
        for run in 0..3 {
            world.bench("decode/u64/mix", "ours-avx2", &[time + f64::from(run) / 100.0, 9.0]);
            world.record();
        }
    }
    let compare = |a: &str, b: &str| stdout(&world.history(&["compare", a, b]).success());
    let text = compare(&names[0], &names[1]);
    assert_eq!(rows(&text)[0][8], "**slower**", "{text}");
    assert_eq!(compare(&names[0][..5], &names[1][..7]), text);
    assert_eq!(compare("HEAD~1", "HEAD"), text);
    assert_eq!(rows(&compare("HEAD", "HEAD~1"))[0][8], "**faster**");

    for (a, b, what) in [
        ("HEAD", &names[1][..7], "both names mean"),
        ("HEAD~2", "HEAD", "'HEAD~2' is not recorded; there are "),
        ("--help=x", "HEAD", ""),
        ("HEAD", "no such thing", "'no such thing' is not recorded"),
        ("", "HEAD", "'' is not recorded"),
    ] {
        let text = stderr(&world.history(&["compare", a, b]).failure().code(2));
        assert!(text.contains(what), "{a} {b}: {text}");
    }
    let text = stderr(&world.history(&["compare", "HEAD", "HEAD~1", "no-such"]).failure().code(2));
    assert!(text.contains("no recorded benchmark matches"), "{text}");
    let text = stderr(&world.history(&["table", "("]).failure().code(2));
    assert!(text.contains("regex"), "{text}");
}

#[test]
fn the_table_shows_the_last_commits_with_a_change() {
    let world = World::new();
    for time in 1..=4 {
        world.commit(&format!("commit {time}"));
        world.bench("decode/u64/mix", "ours-avx2", &[f64::from(time)]);
        world.bench("sweep/i64/small", "ours-scalar", &[1.0 / f64::from(time)]);
        world.record();
    }
    let table =
        |arguments: &[&str]| rows(&stdout(&world.history(&[&["table"], arguments].concat()).success()));
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
    world.history(&["table", "--last", "0"]).failure().code(2);
}
