//! Files that are no history, or not one to write now: said in words, and left as they are.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::world::{World, stderr};

/// With one recorded run, and a new result to record.
fn recorded() -> World {
    let world = World::new();
    for benchmark in 0..100 {
        world.bench(&format!("decode/u64/set{benchmark}"), "ours-avx2", &[1.0, 1.0 + f64::from(benchmark)]);
    }
    world.record();
    world.bench("decode/u64/mix", "ours-avx2", &[2.0, 2.1]);
    world
}

/// Every command fails with 3, names the file and says `what`; the file stays as it was.
fn refused(world: &World, path: &Path, what: &str) {
    let before = fs::read(path).ok();
    fails(world, path, what);
    assert!(fs::read(path).ok() == before, "{} has changed", path.display());
}

fn fails(world: &World, path: &Path, what: &str) {
    let picture = world.path("picture.svg");
    let picture = picture.to_str().unwrap();
    for arguments in [&["record"][..], &["table"], &["compare", "HEAD", "HEAD~1"], &["plot", picture]] {
        let text = stderr(&world.history_of(path, arguments).failure().code(3));
        assert!(text.contains(&path.display().to_string()) && text.contains(what), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    assert!(!Path::new(picture).exists());
}

fn execute(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn tables_of_another_version_are_left_alone() {
    let world = recorded();
    for version in [0, 2, -1] {
        execute(&world.database(), &format!("PRAGMA user_version = {version}"));
        refused(&world, &world.database(), &format!("has version {version} of the tables"));
    }
}

#[test]
fn databases_of_other_programs_are_left_alone() {
    let world = recorded();
    let path = world.path("other.sqlite");
    execute(&path, "CREATE TABLE run (id INTEGER); PRAGMA user_version = 1");
    refused(&world, &path, "a database of another program");
    execute(&path, "PRAGMA application_id = 7");
    refused(&world, &path, "a database of another program");
}

#[test]
fn files_that_are_no_database_are_left_alone() {
    let world = recorded();
    let path = world.path("notes.txt");
    fs::write(&path, "These are notes, and many of them. ".repeat(1000)).unwrap();
    refused(&world, &path, "no SQLite database");
    fs::write(&path, "short").unwrap();
    refused(&world, &path, "no SQLite database");
}

#[test]
fn folders_are_no_database() {
    let world = recorded();
    refused(&world, &world.repository(), "it is a folder");
}

#[test]
fn every_damaged_page_is_noticed_and_the_rest_is_left_to_be_saved() {
    let world = recorded();
    let sound = fs::read(world.database()).unwrap();
    let path = world.path("damaged.sqlite");
    let pages = sound.len() / 4096;
    assert!(pages > 4, "{pages}");
    for page in 1..pages {
        let mut bytes = sound.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xff);
        fs::write(&path, bytes).unwrap();
        refused(&world, &path, "damaged");
    }
    for kept in [sound.len() / 2, 4096] {
        fs::write(&path, &sound[..kept]).unwrap();
        refused(&world, &path, "damaged");
    }
    fs::write(&path, &sound).unwrap();
    world.history_of(&path, &["table"]).success();
}

#[test]
fn a_locked_database_is_said_to_be_in_use() {
    let world = recorded();
    let before = fs::read(world.database()).unwrap();
    let other = Connection::open(world.database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    // Reading the file in this process would end the lock: POSIX drops it where any descriptor is closed.
    fails(&world, &world.database(), "another program is using it");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    assert!(fs::read(world.database()).unwrap() == before);
    world.history(&["record"]).success();
}

#[test]
fn a_missing_history_names_the_remedy() {
    let world = World::new();
    for arguments in [&["table"][..], &["compare", "HEAD", "HEAD~1"], &["plot", "x.svg"]] {
        let text = stderr(&world.history(arguments).failure().code(3));
        assert!(text.contains("no history in ") && text.contains("`history record`"), "{text}");
    }
    let text = stderr(&world.history(&["record"]).failure().code(3));
    assert!(text.contains("no benchmark results") && text.contains("run `cargo bench` first"), "{text}");
    assert!(!world.database().exists());

    fs::write(world.database(), "").unwrap();
    let text = stderr(&world.history(&["table"]).failure().code(3));
    assert!(text.contains("is empty; run `history record`"), "{text}");
    world.bench("decode/u64/mix", "ours-avx2", &[2.0, 2.1]);
    world.record();
}

#[test]
fn a_folder_that_cannot_be_written_is_said_to_be() {
    let world = recorded();
    // Nobody can write there, not even root.
    if cfg!(target_os = "linux") {
        let text =
            stderr(&world.history_of(Path::new("/proc/history.sqlite"), &["record"]).failure().code(3));
        assert!(text.contains("/proc/history.sqlite: it cannot be opened or written"), "{text}");
    }
    let nowhere = world.path("nowhere").join("history.sqlite");
    let text = stderr(&world.history_of(&nowhere, &["record"]).failure().code(3));
    assert!(text.contains("cannot be opened or written") && text.contains("--database"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_history_in_a_read_only_folder_can_be_read() {
    use std::os::unix::fs::PermissionsExt;

    let world = recorded();
    let folder = world.path("read-only");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("history.sqlite");
    fs::copy(world.database(), &path).unwrap();
    let permit = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    permit(&path, 0o444);
    permit(&folder, 0o555);
    world.history_of(&path, &["table"]).success();
    if fs::write(folder.join("x"), "").is_ok() {
        println!("root may write everywhere: the rest is for other users");
    } else {
        let before = fs::read(&path).unwrap();
        let text = stderr(&world.history_of(&path, &["record"]).failure().code(3));
        assert!(text.contains("cannot be opened or written"), "{text}");
        assert!(fs::read(&path).unwrap() == before);
    }
    permit(&folder, 0o755);
}
