//! Files that are no history, or cannot be written: the message names the problem, and the file
//! stays unchanged.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::fixture::{Fixture, stderr};

/// Returns a fixture with one recorded run and a new result to record.
fn recorded() -> Fixture {
    let fixture = Fixture::new();
    for benchmark in 0..100 {
        fixture.bench(&format!("decode/u64/set{benchmark}"), "ours-avx2", &[1.0, 1.0 + f64::from(benchmark)]);
    }
    fixture.record();
    fixture.bench("decode/u64/mix", "ours-avx2", &[2.0, 2.1]);
    fixture
}

/// Checks that every command fails with exit code 3 and names the file and the problem, and that
/// the file stays unchanged.
fn refused(fixture: &Fixture, path: &Path, what: &str) {
    let before = fs::read(path).ok();
    fails(fixture, path, what);
    assert!(fs::read(path).ok() == before, "{} has changed", path.display());
}

fn fails(fixture: &Fixture, path: &Path, what: &str) {
    for arguments in [&["record"][..], &["table"], &["compare", "HEAD", "HEAD~1"]] {
        let text = stderr(&fixture.history_of(path, arguments).failure().code(3));
        assert!(text.contains(&path.display().to_string()) && text.contains(what), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

fn execute(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn tables_of_another_version_are_refused_and_unchanged() {
    let fixture = recorded();
    for version in [0, 2, -1] {
        execute(&fixture.database(), &format!("PRAGMA user_version = {version}"));
        refused(
            &fixture,
            &fixture.database(),
            &format!("version {version} of the tables (expected version 1)"),
        );
    }
}

#[test]
fn databases_of_other_programs_are_refused_and_unchanged() {
    let fixture = recorded();
    let path = fixture.path("other.sqlite");
    execute(&path, "CREATE TABLE run (id INTEGER); PRAGMA user_version = 1");
    refused(&fixture, &path, "a database of another program");
    execute(&path, "PRAGMA application_id = 7");
    refused(&fixture, &path, "a database of another program");
}

#[test]
fn files_that_are_no_database_are_refused_and_unchanged() {
    let fixture = recorded();
    let path = fixture.path("notes.txt");
    fs::write(&path, "These are notes, and many of them. ".repeat(1000)).unwrap();
    refused(&fixture, &path, "not a SQLite database");
    fs::write(&path, "short").unwrap();
    refused(&fixture, &path, "not a SQLite database");
}

#[test]
fn folders_are_refused() {
    let fixture = recorded();
    refused(&fixture, &fixture.repository(), "is a folder");
}

#[test]
fn every_damaged_page_is_detected_and_the_file_is_unchanged() {
    let fixture = recorded();
    let valid = fs::read(fixture.database()).unwrap();
    let path = fixture.path("damaged.sqlite");
    let pages = valid.len() / 4096;
    assert!(pages > 4, "{pages}");
    for page in 1..pages {
        let mut bytes = valid.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xff);
        fs::write(&path, bytes).unwrap();
        refused(&fixture, &path, "damaged");
    }
    for kept in [valid.len() / 2, 4096] {
        fs::write(&path, &valid[..kept]).unwrap();
        refused(&fixture, &path, "damaged");
    }
    fs::write(&path, &valid).unwrap();
    fixture.history_of(&path, &["table"]).success();
}

#[test]
fn a_locked_database_is_reported_as_in_use() {
    let fixture = recorded();
    let before = fs::read(fixture.database()).unwrap();
    let other = Connection::open(fixture.database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    // Reading the file in this process would release the lock: POSIX drops it when any descriptor
    // of the file is closed.
    fails(&fixture, &fixture.database(), "in use by another program");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    assert!(fs::read(fixture.database()).unwrap() == before);
    fixture.history(&["record"]).success();
}

#[test]
fn a_missing_history_names_the_remedy() {
    let fixture = Fixture::new();
    for arguments in [&["table"][..], &["compare", "HEAD", "HEAD~1"]] {
        let text = stderr(&fixture.history(arguments).failure().code(3));
        assert!(text.contains("no such history") && text.contains("`history record`"), "{text}");
    }
    let text = stderr(&fixture.history(&["record"]).failure().code(3));
    assert!(text.contains("no benchmark results") && text.contains("run `cargo bench` first"), "{text}");
    assert!(!fixture.database().exists());

    fs::write(fixture.database(), "").unwrap();
    let text = stderr(&fixture.history(&["table"]).failure().code(3));
    assert!(text.contains("is empty; run `history record`"), "{text}");
    fixture.bench("decode/u64/mix", "ours-avx2", &[2.0, 2.1]);
    fixture.record();
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let fixture = recorded();
    // Not even root can write there.
    if cfg!(target_os = "linux") {
        let text =
            stderr(&fixture.history_of(Path::new("/proc/history.sqlite"), &["record"]).failure().code(3));
        assert!(text.contains("/proc/history.sqlite: cannot be opened or written"), "{text}");
    }
    let nowhere = fixture.path("nowhere").join("history.sqlite");
    let text = stderr(&fixture.history_of(&nowhere, &["record"]).failure().code(3));
    assert!(text.contains("cannot be opened or written") && text.contains("--database"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_history_in_a_read_only_folder_can_be_read() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = recorded();
    let folder = fixture.path("read-only");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("history.sqlite");
    fs::copy(fixture.database(), &path).unwrap();
    let permit = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    permit(&path, 0o444);
    permit(&folder, 0o555);
    fixture.history_of(&path, &["table"]).success();
    if fs::write(folder.join("x"), "").is_ok() {
        println!("the rest is skipped for root, who may write everywhere");
    } else {
        let before = fs::read(&path).unwrap();
        let text = stderr(&fixture.history_of(&path, &["record"]).failure().code(3));
        assert!(text.contains("cannot be opened or written"), "{text}");
        assert!(fs::read(&path).unwrap() == before);
    }
    permit(&folder, 0o755);
}
