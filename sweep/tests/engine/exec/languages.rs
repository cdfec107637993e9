//! The example children in other languages, for the languages that are installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use every_input::{EXAMPLE_CHILDREN, Exec, FailureKind, Interval, Sweep, all};

/// Long enough for virtual machines and compilers to start on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Returns the command for an example, with `change` made to its text, or `None` if its language is
/// not installed. The file is in `folder`.
fn command(name: &str, folder: &Path, change: [&str; 2]) -> Option<String> {
    let (_, text) = EXAMPLE_CHILDREN.iter().find(|(other, _)| *other == name).expect("an example");
    assert!(text.contains(change[0]), "the fault is injected");
    let (source, program) = (folder.join(name), folder.join("child"));
    std::fs::write(&source, text.replace(change[0], change[1])).expect("a file");
    let (compiler, build) = match name.rsplit('.').next() {
        Some("py") => ("python3", None),
        Some("js") => ("node", None),
        Some("go") => ("go", Some(&["build", "-o"][..])),
        _ => ("cc", Some(&["-O2", "-Wall", "-Wextra", "-Werror", "-o"][..])),
    };
    let version = if compiler == "go" { "version" } else { "--version" };
    let run = Command::new(compiler).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !run.is_ok_and(|status| status.success()) {
        println!("skipped: {compiler} is not installed");
        return None;
    }
    let Some(arguments) = build else { return Some(format!("{compiler} '{}'", source.display())) };
    let built = Command::new(compiler).args(arguments).args([&program, &source]).status();
    assert!(built.expect("the compiler starts").success());
    Some(format!("'{}'", program.display()))
}

/// Ranges around the limits of lengths.
fn ranges() -> impl Iterator<Item = Interval> {
    [0, 1 << 21, 1 << 35, 1 << 63, 1 << 64].into_iter().map(|at| Interval { first: at - 700, last: at + 700 })
}

#[test]
fn the_python_codec_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command("codec.py", folder.path(), ["", ""]) else { return };
    let codec = Exec::<u64>::start(&command, LONG).unwrap_or_else(|error| panic!("{error}"));
    let report = Sweep::of(all()).ranges(ranges()).exhaustive().threads(2).run(&codec).expect("threads");
    assert!(report.complete && report.failures == 0, "{:?}", report.first_failures);
    let error = Exec::<i8>::start(&command, LONG).err().expect("another type").to_string();
    assert!(error.contains("on stderr: codec.py supports u64 only"), "{error}");
}

/// An exception for an input ends the child, and the failure has the message.
#[test]
fn a_fault_in_the_python_codec_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let fault = ["out.append(n & 0x7F | 0x80)", "out.append(n | 0x80)"];
    let Some(command) = command("codec.py", folder.path(), fault) else { return };
    let codec = Exec::<u64>::start(&command, LONG).unwrap_or_else(|error| panic!("{error}"));
    let plan = [Interval { first: 100, last: 257 }];
    let report = Sweep::of(all()).ranges(plan).exhaustive().run(&codec).expect("threads");
    let failures: Vec<_> = report.first_failures.iter().map(|failure| failure.value.as_str()).collect();
    assert_eq!(failures, ["256", "257"]);
    assert!(report.first_failures.iter().all(|failure| {
        failure.kind == FailureKind::EncodeBreakdown && failure.got.contains("ValueError")
    }));
}
