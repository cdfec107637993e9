//! The example children in other languages, for the languages that are installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use every_input::{
    ByteStrings, ExecCodec, ExecDecoder, ExecFunctions, FailureKind, Integer, Interval, PROTOCOL, Sweep,
    Ulps, all, exhaustive,
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
    let libraries: &[_] = if compiler == "cc" { &["-lm"] } else { &[] };
    let Some(arguments) = build else { return Some(format!("{compiler} '{}'", source.display())) };
    let built = Command::new(compiler).args(arguments).args([&program, &source]).args(libraries).status();
    assert!(built.expect("the compiler starts").success());
    Some(format!("'{}'", program.display()))
}

#[test]
fn codecs_of_signed_and_unsigned_types_pass() {
    fn passes<T: Integer>(name: &str, command: &str) {
        // Around the limits of lengths.
        let ranges = [0i128, 1 << 21, 1 << 35, 1 << 62, 1 << 63, 1 << 64];
        let limits = Interval { first: T::MIN, last: T::MAX };
        let ranges =
            ranges.iter().filter_map(|at| Interval { first: at - 700, last: at + 700 }.intersect(limits));
        let codec = ExecCodec::<T>::start(command, LONG).expect("it starts");
        let report = Sweep::of(all()).ranges(ranges).exhaustive().threads(2).run(&codec).expect("threads");
        assert!(report.complete && report.failures == 0, "{name}: {:?}", report.first_failures);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["child.py", "child.go"] {
        let Some(command) = command(name, folder.path(), ["", ""]) else { continue };
        passes::<u64>(name, &command);
        passes::<i64>(name, &command);
        if name == "child.py" {
            passes::<i8>(name, &command);
            passes::<u16>(name, &command);
        }
    }
}

#[test]
fn decoders_of_signed_and_unsigned_types_pass() {
    fn passes<T: Integer>(name: &str, command: &str) {
        let decoder = ExecDecoder::<T>::start(command, LONG).expect("it starts");
        let sweep = Sweep::of(ByteStrings::structured(1)).sample(Some(20_000));
        let report = sweep.report(name, &decoder).expect("threads");
        assert!(report.complete && report.failures == 0, "{name}: {:?}", report.first_failures);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["child.py", "child.js", "child.go"] {
        let Some(command) = command(name, folder.path(), ["", ""]) else { continue };
        passes::<u64>(name, &command);
        passes::<i64>(name, &command);
        if name == "child.py" {
            passes::<i8>(name, &command);
            passes::<u32>(name, &command);
            continue;
        }
        let error = ExecDecoder::<i8>::start(&command, LONG).err().expect("another type").to_string();
        assert!(error.contains("\"dec i8\"") && error.contains(&format!("{name} has no task")), "{error}");
    }
}

/// All functions of the C library are correct up to some units.
#[test]
fn functions_of_floats_pass_with_a_wider_reference() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(math) = command("math.c", folder.path(), ["", ""]) else { return };
    let [single, precise] = ["sqrtf", "sqrt"].map(|name| format!("{math} {name}"));
    let check = ExecFunctions::<f32>::start([&single, &precise], LONG).expect("it starts").ulps(Ulps(0.5));
    let report = exhaustive(0.99f32..=1.01).report("sqrt", &check).expect("threads");
    let worst = report.worst.as_ref().expect("a deviation");
    assert!(report.failures == 0 && worst.deviation > 0.4, "{report}");
    let check = ExecFunctions::<f64>::start([&precise, &precise], LONG).expect("it starts");
    assert_eq!(exhaustive(1.0..=1.000_000_000_01).report("sqrt", &check).expect("threads").failures, 0);
    let error = ExecFunctions::<u32>::start([&precise, &precise], LONG).err().expect("no task").to_string();
    assert!(error.contains("math.c has no other tasks"), "{error}");
}

/// The child in C has the child in Python as its reference.
#[test]
fn functions_pass_unless_they_have_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(reference) = command("child.py", folder.path(), ["", ""]) else { return };
    for (fault, failures) in [(["", ""], 0), (["1ull << 31", "1ull << 14"], 700)] {
        let Some(function) = command("child.c", folder.path(), fault) else { return };
        let functions = ExecFunctions::<u32>::start([&function, &reference], LONG).expect("it starts");
        let sweep = exhaustive_in((1 << 30) - 700..=(1 << 30) + 699);
        let report = sweep.report("c", &functions).expect("threads");
        assert_eq!((report.complete, report.failures), (true, failures), "{:?}", report.first_failures);
        if let [failure, ..] = &report.first_failures[..] {
            let text = failure.to_string();
            assert!(text.contains("1073741824") && text.contains("expected 32768, got 32767"), "{text}");
            continue;
        }
        let functions = ExecFunctions::<i64>::start([&function, &reference], LONG).expect("it starts");
        assert_eq!(exhaustive(-700i64..=700).report("c", &functions).expect("threads").failures, 0);
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
