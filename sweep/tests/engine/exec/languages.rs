//! The example children in other languages, for the languages that are installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use every_input::{Exec, FailureKind, Integer, Interval, Sweep, all};

/// Long enough for virtual machines and compilers to start on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/exec")
}

/// Returns whether a program can be run, and prints a line if not.
fn has(program: &str, argument: &str) -> bool {
    let run = Command::new(program).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has = run.is_ok_and(|status| status.success());
    if !has {
        println!("skipped: {program} is not installed");
    }
    has
}

fn passes(command: &str) {
    fn sweep<T: Integer>(command: &str) {
        let codec = Exec::<T>::start(command, LONG).unwrap_or_else(|error| panic!("{error}"));
        let middle = [0, 1 << 20, 1 << 34, 1 << 62].map(|at| Interval { first: at - 700, last: at + 700 });
        let ends = [T::MIN, T::MAX].map(|end| Interval { first: end - 700, last: end + 700 });
        let sweep = Sweep::of(all::<T>()).ranges(middle.into_iter().chain(ends)).exhaustive().threads(2);
        let report = sweep.run(&codec).expect("threads");
        assert!(report.complete && report.failures == 0, "{command}: {:?}", report.first_failures);
    }
    sweep::<i64>(command);
    sweep::<u64>(command);
    sweep::<i16>(command);
}

#[test]
fn python_passes() {
    if has("python3", "--version") {
        passes(&format!("python3 '{}'", folder().join("python/varint.py").display()));
    }
}

#[test]
fn go_passes() {
    if has("go", "version") {
        let built = tempfile::tempdir().expect("a folder");
        let program = built.path().join("varint");
        let source = folder().join("go/main.go");
        let build = Command::new("go").args(["build", "-o"]).args([&program, &source]).status();
        assert!(build.expect("go starts").success());
        passes(&format!("'{}'", program.display()));
    }
}

#[test]
fn java_passes() {
    // `java FILE` also needs the compiler.
    if has("javac", "-version") {
        passes(&format!("java '{}'", folder().join("java/Varint.java").display()));
    }
}

/// Injects a typical mistake: zigzag without the sign.
#[test]
fn a_fault_in_a_python_codec_is_reported() {
    if !has("python3", "--version") {
        return;
    }
    let right = std::fs::read_to_string(folder().join("python/varint.py")).expect("the child");
    let wrong = right.replace("(n << 1) ^ (n >> 63)", "n << 1");
    assert_ne!(right, wrong, "the fault is injected");
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("wrong.py");
    std::fs::write(&path, wrong).expect("a file");
    let codec = Exec::<i64>::start(&format!("python3 '{}'", path.display()), LONG).expect("it starts");
    let report = Sweep::of(all())
        .ranges([Interval { first: 5, last: 5000 }])
        .exhaustive()
        .run(&codec)
        .expect("threads");
    assert_eq!(report.failures, 0, "{:?}", report.first_failures);
    // For negative numbers its loop ends at once, with a number that is not a byte.
    let report =
        Sweep::of(all()).ranges([Interval { first: -3, last: 5 }]).exhaustive().run(&codec).expect("threads");
    assert_eq!(report.failures, 3);
    assert!(report.first_failures.iter().all(|failure| {
        failure.value.starts_with('-')
            && failure.kind == FailureKind::EncodeError
            && failure.got.contains("ValueError")
    }));
}
