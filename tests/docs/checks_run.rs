//! `checks/run` says what it does not run, what it does not record, and which results are old.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use zigzag_varint_docs::{read, root};

/// Runs `checks/run` in a folder, without the programs that cargo installs.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    // By `bash`, because a script that was just written may not be executable yet: a process that
    // another test starts holds it open for writing until it runs its program.
    let mut command = Command::new("bash");
    command.arg(folder.join("checks/run")).args(arguments).current_dir(folder).env("PATH", "/usr/bin:/bin");
    command.output().expect("bash is installed")
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_names() {
    let output = run(root(), &["exhaustive", "nothing"]);
    let message = String::from_utf8_lossy(&output.stderr);
    let words = "no check named 'nothing'; available: gate weekly hand all format ";
    assert!(message.starts_with(words), "{message}");
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &[][..]));
}

/// Makes a repository without a commit, with a copy of `checks/run`.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a new folder");
    fs::create_dir(folder.path().join("checks")).expect("a new folder");
    for file in ["checks/run", "checks/results.sh"] {
        fs::copy(root().join(file), folder.path().join(file)).expect("a copy");
    }
    git(folder.path(), &["init"]);
    folder
}

/// Runs git in a folder, and returns the first line that it prints.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]);
    let output = command.args(arguments).current_dir(folder).output().expect("git is installed");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

/// Returns whether `checks/run` finds jq, without which it neither records nor compares results.
fn has_jq() -> bool {
    let found = Path::new("/usr/bin/jq").exists() || Path::new("/bin/jq").exists();
    if !found {
        println!("not checked: no jq");
    }
    found
}

/// Makes a repository with two source files, and a result of `proofs` with this exit code. Returns its
/// commit, too.
fn recorded(exit: u8) -> (TempDir, String) {
    let folder = repository();
    for file in ["src/simd/avx2/mod.rs", "src/bin/sweep.rs"] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, "// one\n").expect("a new file");
    }
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-m", "a"]);
    let commit = git(folder.path(), &["rev-parse", "--short", "HEAD"]);
    let result = format!(r#"{{"proofs": {{"date": "", "commit": "{commit}", "exit": {exit}}}}}"#);
    fs::write(folder.path().join("checks/results.json"), result).expect("a new file");
    let output = run(folder.path(), &["--recount"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    (folder, commit)
}

/// Returns the exit code of `checks/run --stale` and what it prints about a check.
fn stale(folder: &Path, check: &str) -> (Option<i32>, String) {
    let output = run(folder, &["--stale", check]);
    assert!(output.stderr.is_empty(), "{output:?}");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_result_is_old_from_a_change_of_its_sources_until_they_are_as_before() {
    if !has_jq() {
        return;
    }
    let (folder, commit) = recorded(0);
    let folder = folder.path();
    let current = (Some(0), String::new());
    let old = |files| (Some(1), format!("{:<20} {commit:<10} {files}\n", "proofs"));
    assert_eq!(stale(folder, "proofs"), current);
    let kernel = folder.join("src/simd/avx2/mod.rs");
    fs::write(&kernel, "// two\n").expect("written");
    assert_eq!(stale(folder, "proofs"), old("1 file changed: 1 in src"));
    git(folder, &["commit", "-a", "-m", "b"]);
    assert_eq!(stale(folder, "proofs"), old("1 file changed: 1 in src"));
    fs::create_dir(folder.join("proofs")).expect("a new folder");
    fs::write(folder.join("proofs/new.py"), "").expect("written");
    assert_eq!(stale(folder, "proofs"), old("2 files changed: 1 in src, 1 in proofs"));
    fs::remove_file(folder.join("proofs/new.py")).expect("removed");
    fs::write(kernel, "// one\n").expect("written");
    // The library, which is proved, is without the program.
    fs::write(folder.join("src/bin/sweep.rs"), "// two\n").expect("written");
    assert_eq!(stale(folder, "proofs"), current);
}

#[test]
fn a_missing_and_a_failed_result_are_to_be_run_again() {
    if !has_jq() {
        return;
    }
    let (folder, commit) = recorded(2);
    let failed = format!("{:<20} {commit:<10} failed with exit code 2\n", "proofs");
    assert_eq!(stale(folder.path(), "proofs"), (Some(1), failed));
    let missing = format!("{:<20} -          not recorded\n", "exhaustive");
    assert_eq!(stale(folder.path(), "exhaustive"), (Some(1), missing));
}

#[test]
fn a_result_of_a_commit_that_is_not_in_the_history_is_compared_by_its_hash() {
    if !has_jq() {
        return;
    }
    let (folder, commit) = recorded(0);
    let file = folder.path().join("checks/results.json");
    let results = fs::read_to_string(&file).expect("readable").replace(&commit, "01234567");
    fs::write(&file, results).expect("written");
    assert_eq!(stale(folder.path(), "proofs"), (Some(0), String::new()));
    fs::write(folder.path().join("src/simd/avx2/mod.rs"), "// two\n").expect("written");
    git(folder.path(), &["commit", "-a", "-m", "b"]);
    let old = format!("{:<20} 01234567   sources changed; its commit is not in the history here\n", "proofs");
    assert_eq!(stale(folder.path(), "proofs"), (Some(1), old));
    let output = run(folder.path(), &["--recount"]);
    let message =
        "proofs: its commit 01234567 is not in the history here; fetch it, or run the check again\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), message);
    let results: Value = serde_json::from_slice(&fs::read(file).expect("readable")).expect("JSON");
    assert_eq!(results["changed"]["files"]["proofs"], Value::Null);
}

/// As in the weekly workflow, whose jobs record a result each, in copies of one file.
#[test]
fn merged_copies_have_the_results_of_all() {
    if !has_jq() {
        return;
    }
    let (folder, commit) = recorded(0);
    let file = folder.path().join("checks/results.json");
    let recorded = fs::read_to_string(&file).expect("readable");
    let copies = [("proofs", 2), ("size", 0)].map(|(check, exit)| {
        let mut copy: Value = serde_json::from_str(&recorded).expect("JSON");
        copy[check] = serde_json::json!({"date": "", "commit": commit, "exit": exit});
        let path = folder.path().join(check);
        fs::write(&path, copy.to_string()).expect("a new file");
        path.to_string_lossy().into_owned()
    });
    let output = run(folder.path(), &["--merge", &copies[0], &copies[1]]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let merged: Value = serde_json::from_slice(&fs::read(file).expect("readable")).expect("JSON");
    assert_eq!((&merged["proofs"]["exit"], &merged["size"]["exit"]), (&2.into(), &0.into()));
    assert_eq!(merged["changed"]["files"], serde_json::json!({"proofs": 0, "size": 0}));
}

/// docs/trust.md shows these numbers. They are of a commit, so that a later change of the sources does not
/// make them wrong.
#[test]
fn the_ages_of_the_recorded_results_are_those_of_the_history() {
    let text = read("checks/results.json".as_ref());
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let until = results["changed"]["until"].as_str().expect("a commit");
    let at_root = |arguments: &[&str]| Command::new("git").args(arguments).current_dir(root()).output();
    let is_shallow = at_root(&["rev-parse", "--is-shallow-repository"]);
    let has_history = is_shallow.is_ok_and(|output| output.stdout == b"false\n")
        && at_root(&["merge-base", "--is-ancestor", until, "HEAD"])
            .is_ok_and(|output| output.status.success());
    if !has_jq() || !has_history {
        println!("not checked: no history here");
        return;
    }
    let folder = repository();
    fs::write(folder.path().join("checks/results.json"), &text).expect("written");
    let history = git(root(), &["rev-parse", "--absolute-git-dir"]);
    let mut command = Command::new("bash");
    command.arg(folder.path().join("checks/run")).args(["--recount", until]);
    let output = command.env("GIT_DIR", history).env("GIT_WORK_TREE", folder.path()).output();
    assert!(output.is_ok_and(|output| output.status.success()));
    let counted = fs::read_to_string(folder.path().join("checks/results.json")).expect("readable");
    assert!(
        counted == text,
        "checks/results.json: hashes or numbers of changed files are not those of the history; \
         `checks/run --recount` and then `cargo run -p zigzag-varint-docs` write them"
    );
}

#[test]
fn a_check_without_its_tool_is_not_run_and_changed_sources_are_not_recorded() {
    let folder = repository();
    let output = run(folder.path(), &["mutants-codec"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let is_refused = |reason| text.contains(&format!("nothing is recorded: {reason}"));
    assert!(is_refused("the sources differ from the commit:\n?? checks/\n") || is_refused("no jq"), "{text}");
    let row = "mutants-codec        not run: no cargo-mutants; run cargo install cargo-mutants --locked\n";
    assert!(text.contains(row), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!folder.path().join("checks/results.json").exists());
}
