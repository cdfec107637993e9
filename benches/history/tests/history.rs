//! The program `history`, with criterion's folders, git repositories and databases made for each test.

mod fixture;

use std::fs;
use std::time::Duration;

use fixture::Fixture;
use rusqlite::Connection;

/// Forty samples around `mean`, with a deviation of 1 %.
fn around(mean: f64) -> Vec<f64> {
    (0..40).map(|sample| mean * (1.0 + 0.01 * f64::from(sample % 5 - 2) / 1.414)).collect()
}

#[test]
fn each_result_is_imported_once_with_its_date_commit_machine_compiler_and_samples() {
    let fixture = Fixture::new();
    fixture.bench("decode/u64/mix", "ours-avx2", "1c279a4", &[1.5, 1.25]);
    fixture.environment("decode/u64/mix", "ours-avx2", "1c279a4", "machine A", 1_700_000_000);
    for added in ["1 new of 1", "0 new of 1"] {
        assert!(fixture.run(&[]).succeeds().stderr.contains(added));
    }
    let sql =
        "SELECT concat_ws('|', benchmark, contender, baseline, date, machine, compiler, elements, samples)
        FROM measurement";
    let expected = "decode/u64/mix|ours-avx2|1c279a4|1700000000|machine A|rustc 1.95.0|100|[150.0,125.0]";
    assert_eq!(fixture.select(sql), expected); // the samples are nanoseconds per iteration

    // The same commit, measured again.
    fixture.bench("decode/u64/mix", "ours-avx2", "1c279a4", &[1.5, 1.0]);
    assert!(fixture.run(&[]).succeeds().stderr.contains("1 new of 1"));
    assert_eq!(fixture.run(&[]).succeeds().column("runs"), ["2"]);
}

#[test]
fn the_copy_that_criterion_keeps_as_new_is_the_same_result() {
    let fixture = Fixture::new();
    for baseline in ["new", "base", "zzz"] {
        fixture.bench("group", "function", baseline, &[1.5, 1.25]);
    }
    fixture.bench("group", "other", "base", &[2.5, 2.25]);
    fixture.bench("group", "other", "new", &[2.5, 2.25]);
    assert_eq!(fixture.run(&[]).succeeds().column("commit"), ["zzz", "base"]);
}

#[test]
fn commits_are_in_the_order_of_git_and_other_baselines_follow_by_date() {
    let fixture = Fixture::new();
    let [first, second, third] = fixture.commits();
    let unknown = "0123456789";
    // The dates have another order.
    let dirty = format!("{second}-dirty");
    for (baseline, date) in [
        (&*third, 10),
        (&*second, 30),
        (&dirty, 20),
        (&*first, 40),
        ("main", 60),
        ("before", 50),
        (unknown, 70),
    ] {
        fixture.bench("group", "function", baseline, &around(date as f64));
        fixture.environment("group", "function", baseline, "machine A", date);
    }
    let result = fixture.run(&[]).succeeds();
    assert_eq!(result.column("commit"), [&*first, &second, &dirty, &third, "before", "main", unknown]);
    assert!(
        result
            .stdout
            .contains(&format!("Git does not know these here, so they come last, by date: {unknown}.\n"))
    );
}

#[test]
fn commits_are_sorted_by_date_without_a_repository_or_git() {
    let fixture = Fixture::new();
    for (baseline, date) in [("1c279a4", 10), ("main", 20), ("0c279a4", 30)] {
        fixture.bench("group", "function", baseline, &around(date as f64));
        fixture.environment("group", "function", baseline, "machine A", date);
    }
    let expected = ["1c279a4", "main", "0c279a4"];
    let result = fixture.run(&[]).succeeds();
    assert_eq!(result.column("commit"), expected);
    assert!(result.stdout.contains("sorted by date, without git (fatal: not a git repository"), "{result:?}");
    let result = fixture.run_with(&[], |program| _ = program.env("PATH", "")).succeeds();
    assert_eq!(result.column("commit"), expected);
    assert!(result.stdout.contains("sorted by date, without git (git: "), "{result:?}");
}

#[test]
fn a_change_that_chance_does_not_explain_is_faster_or_slower() {
    let fixture = Fixture::new();
    for (date, mean) in (1..).zip([1.0, 1.005, 0.9, 0.99, 0.9905]) {
        let baseline = format!("run{date}");
        fixture.bench("group", "function", &baseline, &around(mean));
        fixture.environment("group", "function", &baseline, "machine A", date);
    }
    fixture.bench("group", "function", "single", &[3.0]);
    fixture.environment("group", "function", "single", "machine A", 9);
    let result = fixture.run(&[]).succeeds();
    assert_eq!(result.column("mean"), ["1.000", "1.005", "0.9000", "0.9900", "0.9905", "3.000"]);
    assert_eq!(result.column("change"), ["", "+0.5 %", "-10.4 %", "+10.0 %", "+0.1 %", "+202.9 %"]);
    // 0.5 % of a mean with a standard error of 0.16 %: t = 2.2 with 78 degrees of freedom.
    assert_eq!(result.column("p"), ["", "0.0306", "<0.0001", "<0.0001", "0.8242", ""]);
    assert_eq!(result.column("result"), ["", "chance", "faster", "slower", "chance", "too few samples"]);
    assert!(!result.stdout.contains("git"), "no baseline is a commit: {result:?}");
}

#[test]
fn a_change_that_is_no_larger_than_between_two_runs_of_one_commit_is_drift() {
    let fixture = Fixture::new();
    let measure = |baseline: &str, mean, date, machine| {
        fixture.bench("group", "function", baseline, &around(mean));
        fixture.environment("group", "function", baseline, machine, date);
        fixture.run(&[]).succeeds()
    };
    measure("1c279a4", 1.0, 1, "A");
    assert_eq!(measure("2c279a4", 1.1, 2, "A").column("result"), ["", "slower"]);
    // Runs of uncommitted changes, or on other machines, do not show how much equal code differs.
    measure("2c279a4-dirty", 1.3, 3, "A");
    measure("2c279a4-dirty", 1.6, 4, "A");
    measure("3c279a4", 2.0, 5, "B");
    let result = measure("3c279a4", 1.24, 6, "A");
    assert_eq!(result.column("result"), ["", "slower", "slower", "slower", "first on 2", "faster"]);

    measure("3c279a4", 1.12, 7, "A");
    let result = measure("3c279a4", 1.2, 8, "A");
    assert_eq!(result.column("runs"), ["1", "1", "1", "1", "1", "3"]);
    assert_eq!(result.column("mean")[5], "1.120");
    assert_eq!(result.column("result"), ["", "drift", "slower", "slower", "first on 2", "faster"]);
}

#[test]
fn only_results_of_one_machine_are_compared() {
    let fixture = Fixture::new();
    for (date, machine, mean) in [(1, "A", 1.0), (2, "B", 2.0), (3, "A", 1.1), (4, "B", 1.9)] {
        let baseline = format!("run{date}");
        fixture.bench("group", "function", &baseline, &around(mean));
        fixture.environment("group", "function", &baseline, machine, date);
    }
    fixture.bench("group", "function", "elsewhere", &around(9.0));
    let result = fixture.run(&[]).succeeds();
    assert_eq!(result.column("on"), ["1", "2", "1", "2", "3"]);
    assert_eq!(result.column("result"), ["", "first on 2", "slower", "faster", "first on 3"]);
    assert_eq!(result.column("change"), ["", "", "+10.0 %", "-5.0 %", ""]);
    for line in ["on 1: A; rustc 1.95.0", "on 2: B; rustc 1.95.0", "on 3: machine and compiler unknown"] {
        assert!(result.stdout.contains(line), "{result:?}");
    }
}

#[test]
fn times_of_benchmarks_without_throughput_are_per_iteration() {
    let fixture = Fixture::new();
    fixture.bench("group", "function", "old", &[2.0; 3]);
    let benchmark = r#"{"group_id":"group","full_id":"group/function","throughput":{"Bytes":7}}"#;
    fixture.write("group", "function", "old", "benchmark.json", benchmark);
    fixture.bench("group", "function", "new", &[3.0; 3]);
    let result = fixture.run(&[]).succeeds();
    assert!(result.stdout.starts_with("group: nanoseconds per iteration\n"));
    assert_eq!(result.column("mean"), ["200.0", "300.0"]);
}

#[test]
fn a_broken_file_is_named_and_the_rest_is_imported() {
    for (file, content, reason) in [
        ("sample.json", r#"{"sampling_mode":"Flat","iters":[1.0,"#, "EOF while parsing"),
        ("sample.json", "", "EOF while parsing"),
        ("sample.json", r#"{"iters":[1.0,2.0],"times":[5.0]}"#, "1 times of 2 samples"),
        ("sample.json", r#"{"iters":[],"times":[]}"#, "0 times of 0 samples"),
        ("sample.json", r#"{"iters":[0.0],"times":[5.0]}"#, "a time that is not above 0"),
        ("sample.json", r#"{"iters":[1.0],"times":[-5.0]}"#, "a time that is not above 0"),
        ("benchmark.json", "[]", "invalid length 0"),
        ("benchmark.json", "\u{0}\u{0}", "expected value"),
        ("environment.json", r#"{"date":1,"machine":"A"}"#, "missing field `compiler`"),
    ] {
        let fixture = Fixture::new();
        for contender in ["broken", "whole"] {
            fixture.bench("group", contender, "1c279a4", &[1.0, 2.0]);
        }
        let path = fixture.write("group", "broken", "1c279a4", file, content);
        let result = fixture.run(&[]).fails(1);
        let expected = format!("history: {path}: not as criterion writes it ({reason}");
        assert!(result.stderr.starts_with(&expected), "{result:?}");
        assert_eq!(result.column("contender"), ["whole"]);
    }
    for missing in ["sample.json", "benchmark.json"] {
        let fixture = Fixture::new();
        fixture.bench("group", "broken", "1c279a4", &[1.0, 2.0]);
        fixture.bench("group", "whole", "1c279a4", &[1.0, 2.0]);
        let path = fixture.write("group", "broken", "1c279a4", missing, "");
        fs::remove_file(&path).unwrap();
        assert!(
            fixture
                .run(&[])
                .fails(1)
                .stderr
                .contains(&format!("{path}: not as criterion writes it (No such"))
        );
    }
}

#[test]
fn a_folder_without_results_is_named_and_makes_no_database() {
    let fixture = Fixture::new();
    let remedy = "no results of criterion; run `cargo bench`, or name another folder with --criterion\n";
    let result = fixture.run(&[]).fails(3);
    assert_eq!(result.stderr, format!("history: {}: {remedy}", fixture.criterion().display()));
    fs::remove_dir(fixture.criterion()).unwrap();
    let result = fixture.run(&[]).fails(3);
    assert!(
        result.stderr.contains("criterion: cannot be read (") && result.stderr.ends_with(remedy),
        "{result:?}"
    );
    assert!(!fixture.database().exists());
    fs::write(fixture.criterion(), "a file").unwrap();
    assert!(fixture.run(&[]).fails(3).stderr.ends_with(remedy));
}

#[test]
fn the_database_is_shown_when_the_folder_is_gone() {
    let fixture = Fixture::new();
    fixture.bench("group", "function", "1c279a4", &[1.0, 2.0]);
    fixture.run(&[]).succeeds();
    fs::remove_dir_all(fixture.criterion()).unwrap();
    assert_eq!(fixture.run(&[]).fails(1).column("commit"), ["1c279a4"]);
}

#[test]
fn a_filter_chooses_benchmarks_by_their_full_names() {
    let fixture = Fixture::new();
    for contender in ["ours", "plain"] {
        fixture.bench("decode/u64", contender, "1c279a4", &[1.0, 2.0]);
        fixture.bench("encode/u64", contender, "1c279a4", &[1.0, 2.0]);
    }
    let result = fixture.run(&["^decode/.*/ours$"]).succeeds();
    assert_eq!((result.column("contender"), result.stdout.contains("encode")), (vec!["ours".into()], false));
    let result = fixture.run(&["nothing"]).fails(2);
    let names = "decode/u64/ours\n  decode/u64/plain\n  encode/u64/ours\n  encode/u64/plain\n";
    assert_eq!(
        result.stderr.split_once("FILTER").unwrap().1,
        format!(" 'nothing': no such benchmark; known are\n  {names}")
    );
    assert!(fixture.run(&["("]).fails(2).stderr.contains("invalid value '(' for '[FILTER]'"));
}

#[test]
fn a_database_that_is_not_ours_is_refused_and_unchanged() {
    for (sql, expected) in [
        (
            "CREATE TABLE measurement (a); PRAGMA user_version = 1",
            "a database of another program; name another",
        ),
        ("PRAGMA application_id = 7", "a database of another program; name another"),
        (
            "PRAGMA user_version = 2; PRAGMA application_id = 2054846056",
            "version 2, and this program knows version 1; update",
        ),
    ] {
        let fixture = Fixture::new();
        fixture.bench("group", "function", "1c279a4", &[1.0, 2.0]);
        Connection::open(fixture.database()).unwrap().execute_batch(sql).unwrap();
        refused(&fixture, expected);
    }
    let fixture = Fixture::new();
    fixture.bench("group", "function", "1c279a4", &[1.0, 2.0]);
    for content in ["short", &"notes and more notes ".repeat(1000)] {
        fs::write(fixture.database(), content).unwrap();
        refused(&fixture, "not a SQLite database; name another file with --db");
    }
    // A page in the middle, which has some of the samples.
    fs::remove_file(fixture.database()).unwrap();
    for number in 0..100 {
        fixture.bench("group", &format!("function{number}"), "1c279a4", &around(1.0 + f64::from(number)));
    }
    fixture.run(&[]).succeeds();
    let mut bytes = fs::read(fixture.database()).unwrap();
    bytes[10 * 4096..11 * 4096].fill(0xff);
    fs::write(fixture.database(), bytes).unwrap();
    refused(&fixture, "damaged (");
}

fn refused(fixture: &Fixture, expected: &str) {
    let before = fs::read(fixture.database()).unwrap();
    let result = fixture.run(&[]).fails(3);
    let path = fixture.database();
    assert!(
        result.stderr.contains(&path.display().to_string()) && result.stderr.contains(expected),
        "{result:?}"
    );
    assert!(fs::read(path).unwrap() == before, "{expected}: the file has changed");
}

#[test]
fn a_database_that_cannot_be_opened_is_named() {
    let fixture = Fixture::new();
    fixture.bench("group", "function", "1c279a4", &[1.0, 2.0]);
    let folder = fixture.criterion();
    for path in [folder.to_str().unwrap(), "nowhere/history.sqlite"] {
        let result = fixture.run(&["--db", path]).fails(3);
        assert!(result.stderr.contains(&format!("{path}: cannot be opened or written (")), "{result:?}");
    }
    fixture.run(&[]).succeeds();
    let other = Connection::open(fixture.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(fixture.run(&[]).fails(3).stderr.contains("in use by another program; try again"));
    other.execute_batch("ROLLBACK").unwrap();
    fixture.run(&[]).succeeds();
}

#[test]
fn an_import_adds_all_results_or_none() {
    let fixture = Fixture::new();
    fixture.bench("group", "first", "1c279a4", &[1.0, 2.0]);
    fixture.run(&[]).succeeds();
    let database = Connection::open(fixture.database()).unwrap();
    let trigger = "CREATE TRIGGER fault BEFORE INSERT ON measurement WHEN NEW.contender = 'third'
        BEGIN SELECT RAISE(ABORT, 'injected fault'); END";
    database.execute_batch(trigger).unwrap();
    fixture.bench("group", "second", "1c279a4", &[1.0, 2.0]);
    fixture.bench("group", "third", "1c279a4", &[1.0, 2.0]);
    assert!(fixture.run(&[]).fails(3).stderr.contains("injected fault"));
    assert_eq!(fixture.select("SELECT group_concat(contender) FROM measurement"), "first");
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    database.execute_batch("DROP TRIGGER fault").unwrap();
    assert!(fixture.run(&[]).succeeds().stderr.contains("2 new of 3"));
}

#[test]
fn a_picture_has_a_panel_for_each_group_and_machine_and_a_line_for_each_contender() {
    let fixture = Fixture::new();
    for (date, machine) in [(1, "A"), (2, "B"), (3, "A"), (4, "B")] {
        for contender in ["ours & co", "plain"] {
            let baseline = format!("run{date}");
            fixture.bench("decode", contender, &baseline, &around(date as f64));
            fixture.environment("decode", contender, &baseline, machine, date);
        }
    }
    let path = fixture.path("history.svg");
    let result = fixture.run(&["--svg", path.to_str().unwrap()]).succeeds();
    assert_eq!(result.column("on").len(), 8);
    let svg = fs::read_to_string(&path).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.is_text())
        .map(|node| node.text().unwrap().trim())
        .collect();
    for (text, count) in [
        ("decode: mean time in percent of the first; less is faster", 2),
        ("A; rustc 1.95.0", 1),
        ("B; rustc 1.95.0", 1),
        ("run1", 1),
        ("run2", 1),
        ("run3", 1),
        ("run4", 1),
        ("ours & co 1.000 → 3.000 ns", 1),
        ("plain 2.000 → 4.000 ns", 1),
    ] {
        assert_eq!(texts.iter().filter(|other| **other == text).count(), count, "{text} in {texts:?}");
    }
    let lines = document
        .descendants()
        .filter(|node| node.has_tag_name("polyline") && node.attribute("stroke-width") == Some("2"));
    let points: Vec<usize> =
        lines.map(|line| line.attribute("points").unwrap().split_whitespace().count()).collect();
    assert_eq!(points, [2; 4]);

    let before = fs::read(fixture.database()).unwrap();
    for database in ["history.sqlite", "./criterion/../history.sqlite"] {
        assert!(
            fixture.run(&["--svg", database]).fails(2).stderr.contains("is the database; name another file")
        );
    }
    assert!(fs::read(fixture.database()).unwrap() == before);
    let result = fixture.run(&["--svg", "nowhere/history.svg"]).fails(3);
    assert!(result.stderr.contains("nowhere/history.svg: cannot be written ("), "{result:?}");
    assert_eq!(result.column("on").len(), 8);
}
