//! The example children in other languages, for the languages that are installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use every_input::{
    ByteStrings, ExecCodec, ExecDecoder, ExecFunctions, FailureKind, Interval, PROTOCOL, Sweep, all,
};

use crate::exhaustive_in;

/// Long enough for virtual machines and compilers to start on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Returns the command for an example, with `change` made to its text, or `None` if its language is
/// not installed. The file is in `folder`.
fn command(name: &str, folder: &Path, change: [&str; 2]) -> Option<String> {
    let (_, text) = PROTOCOL.iter().find(|(other, _)| *other == name).expect("an example");
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

#[test]
fn codecs_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    // Around the limits of lengths.
    let range =
        |at: u64| Interval { first: at.saturating_sub(700).into(), last: at.saturating_add(700).into() };
    let ranges = [0, 1 << 21, 1 << 35, 1 << 63, u64::MAX].map(range);
    for name in ["child.py", "child.go"] {
        let Some(command) = command(name, folder.path(), ["", ""]) else { continue };
        let codec = ExecCodec::<u64>::start(&command, LONG).expect("it starts");
        let report = Sweep::of(all()).ranges(ranges).exhaustive().threads(2).run(&codec).expect("threads");
        assert!(report.complete && report.failures == 0, "{name}: {:?}", report.first_failures);
    }
}

#[test]
fn decoders_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["child.py", "child.js", "child.go"] {
        let Some(command) = command(name, folder.path(), ["", ""]) else { continue };
        let decoder = ExecDecoder::<u64>::start(&command, LONG).expect("it starts");
        let sweep = Sweep::of(ByteStrings::structured(1)).sample(Some(20_000));
        let report = sweep.report(name, &decoder).expect("threads");
        assert!(report.complete && report.failures == 0, "{name}: {:?}", report.first_failures);
        let error = ExecDecoder::<i8>::start(&command, LONG).err().expect("another type").to_string();
        assert!(error.contains("\"dec i8\"") && error.contains(&format!("{name} has no task")), "{error}");
    }
}

/// The child in C has the child in Python as its reference.
#[test]
fn functions_pass_unless_they_have_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(reference) = command("child.py", folder.path(), ["", ""]) else { return };
    for (fault, failures) in [(["", ""], 0), (["1u << 15", "1u << 14"], 700)] {
        let Some(function) = command("child.c", folder.path(), fault) else { return };
        let functions = ExecFunctions::<u32>::start([&function, &reference], LONG).expect("it starts");
        let sweep = exhaustive_in((1 << 30) - 700..=(1 << 30) + 699);
        let report = sweep.report("c", &functions).expect("threads");
        assert_eq!((report.complete, report.failures), (true, failures), "{:?}", report.first_failures);
        if let [failure, ..] = &report.first_failures[..] {
            let text = failure.to_string();
            assert!(text.contains("1073741824") && text.contains("expected 32768, got 32767"), "{text}");
        }
    }
}

/// The first failure is the shortest string, even in a sample. Two decoders drop the upper bits of the
/// tenth byte, one has a wrong offset.
#[test]
fn faulty_decoders_are_caught_with_the_shortest_string() {
    let folder = tempfile::tempdir().expect("a folder");
    let upper = ["80808080808080808002", "Overflow at byte 9", "value 0 in 10 bytes"];
    for (name, fault, expected) in [
        ("child.py", ["n |= (byte & 127) << 7 * at", "n = (n | (byte & 127) << 7 * at) % 2**64"], upper),
        ("child.js", ["if (n >> 64n) return Buffer.of(0, 2, 9);", "n &= 0xffffffffffffffffn;"], upper),
        ("child.py", ["[0, 1, len(s)]", "[0, 1, 0]"], ["80", "Truncated at byte 1", "Truncated at byte 0"]),
    ] {
        let Some(command) = command(name, folder.path(), fault) else { continue };
        let decoder = ExecDecoder::<u64>::start(&command, LONG).expect("it starts");
        for sweep in [
            Sweep::of(ByteStrings::structured(1)).exhaustive(),
            Sweep::of(ByteStrings::structured(2)).sample(Some(50_000)),
        ] {
            let report = sweep.report(name, &decoder).expect("threads");
            let first = &report.first_failures[0];
            assert_eq!([&first.value, &first.expected, &first.got], expected, "{name}");
            assert_eq!(first.kind, FailureKind::Disagreement);
        }
    }
}

/// An exception for an input ends the child, and the failure has the message.
#[test]
fn a_child_that_ends_is_reported_with_its_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let fault = ["out.append(n & 127 | 128)", "out.append(n | 128)"];
    let Some(command) = command("child.py", folder.path(), fault) else { return };
    let codec = ExecCodec::<u64>::start(&command, LONG).expect("it starts");
    let report = exhaustive_in(100..=257).run(&codec).expect("threads");
    let failures: Vec<_> = report.first_failures.iter().map(|failure| failure.value.as_str()).collect();
    assert_eq!(failures, ["256", "257"]);
    assert!(report.first_failures.iter().all(|failure| {
        failure.kind == FailureKind::EncodeBreakdown && failure.got.contains("ValueError")
    }));
}
