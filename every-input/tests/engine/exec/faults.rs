//! Faults of child processes, and how the sweep reports them.

use std::time::Duration;

use every_input::{
    ByteStrings, Codec, Ending, ExecCodec, ExecDecoder, ExecFunctions, Failure, FailureKind, Integer,
    Limited, Report, RoundTrip, Scalars, Sweep, Watch, Wire, all,
};

use super::child::command;
use crate::byte_properties::sets::count;
use crate::exhaustive_in;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(2);
/// The value that a child gets wrong. It is not next to an edge, so the sweep must search a block
/// for it.
const BAD: i64 = 2071;

fn sweep_around(bad: i64) -> Sweep<Scalars<i64>> {
    exhaustive_in(i128::from(bad) - 10..=i128::from(bad) + 9)
}

fn exec<T: Integer>(role: &str, bad: i64, timeout: Duration) -> ExecCodec<T> {
    ExecCodec::start(&command(role, bad), timeout).expect("it starts")
}

#[track_caller]
fn single_failure<'r>(role: &str, report: &'r Report, kind: FailureKind, words: &[&str]) -> &'r Failure {
    let [failure] = &report.first_failures[..] else { panic!("{role}: {report:#?}") };
    assert_eq!((report.failures, failure.kind), (1, kind), "{role}: {failure}");
    for word in words {
        assert!(failure.to_string().contains(word), "{role}: no {word:?} in {failure}");
    }
    failure
}

#[test]
fn correct_children_pass_for_every_type_on_any_number_of_threads() {
    fn passes<T: Integer>() {
        let codec = exec::<T>("right", 0, LONG);
        for threads in [1, 3] {
            let report = Sweep::of(all::<T>()).sample(Some(10_000)).threads(threads).run(&codec).unwrap();
            assert!(report.complete && report.failures == 0, "{}: {:?}", T::NAME, report.first_failures);
            assert_eq!(report.codec, format!("exec: {}", command("right", 0)));
        }
    }
    call_each!(passes: i64 u64 i32 u32 i16 u16 i8 u8);
}

#[test]
fn a_child_that_fails_for_all_values_is_not_asked_for_a_million() {
    let sweep = exhaustive_in::<u32>(10_000..=1_000_000).threads(1);
    let codec = exec::<u32>("right", 0, LONG);
    let report = sweep.report("other format", &RoundTrip::new(&codec, Wire::PrefixVarint)).unwrap();
    assert_eq!(report.ending, Ending::Failures);
    assert!((4096..100_000).contains(&report.failures), "{}", report.failures);
}

#[test]
fn every_fault_is_reported_for_its_value_only() {
    use FailureKind::{
        DecodeBreakdown, DecodeError, EncodeBreakdown, EncodeError, WrongBytes, WrongLength, WrongValue,
    };
    let faults: &[(&str, FailureKind, &[&str])] = &[
        ("exits", DecodeBreakdown, &["exit status: 3", "; on stderr:\n    out of luck\n    at line 5"]),
        ("encodes-short", WrongBytes, &["expected ae20, got ae"]),
        ("encodes-long", EncodeError, &["too long (200 bytes of 2071)"]),
        ("announces-a-long-string", EncodeBreakdown, &["2 bytes for result 0 (expected 200)"]),
        (
            "has-too-few-results",
            EncodeBreakdown,
            &["an answer of 0 bytes (expected 1 to 256 for 1 input", "`sweep protocol` prints the protocol"],
        ),
        (
            "has-too-many-results",
            EncodeBreakdown,
            &["2 results (expected 1); `sweep protocol` prints the protocol"],
        ),
        ("decodes-long", DecodeBreakdown, &["expected a length above 0 and 8 bytes, or"]),
        ("stops-half-way", DecodeBreakdown, &["exit status: 0", "after 9 bytes of an answer"]),
        ("writes-garbage", EncodeBreakdown, &["an answer of 1667330644 bytes", "\"Traceback (most"]),
        ("says-more", EncodeBreakdown, &["1 bytes or more after the answer"]),
        ("closes-its-output", EncodeBreakdown, &["end of its output"]),
        ("is-wrong", WrongValue, &["expected 2071, got 2072"]),
        ("takes-less", WrongLength, &["expected 2 bytes, got 1 bytes"]),
        ("refuses-to-encode", EncodeError, &["no encoding of 2071; on stderr: no luck with 2071"]),
        ("refuses-to-decode", DecodeError, &["Overflow at byte 9"]),
        ("has-no-reason", DecodeError, &["no value"]),
        ("hangs", DecodeBreakdown, &["no answer within 2s"]),
    ];
    for (role, kind, words) in faults {
        let timeout = if *role == "hangs" { SHORT } else { LONG };
        let report = sweep_around(BAD).run(&exec(role, BAD, timeout)).unwrap();
        let failure = single_failure(role, &report, *kind, words);
        assert_eq!((failure.value.as_str(), failure.block), ("2071", 1), "{role}");
        assert!(report.complete && report.values == 20, "{role}");
    }
}

#[test]
fn a_decoder_that_takes_bytes_of_the_next_value_fails_in_a_block() {
    let report = sweep_around(BAD).run(&exec("takes-more-of-several", BAD, LONG)).unwrap();
    // Blocks are as long as the speed allows, but a first answer is followed by a block of at least two.
    assert!(report.failures > 0, "{report:#?}");
    for failure in &report.first_failures {
        let (text, block) = (failure.to_string(), failure.block);
        assert!(failure.kind == FailureKind::WrongLength && block > 1, "{text}");
        let words = format!(
            "expected {} bytes, got {} bytes (only in a block of {block} values",
            2 * block,
            2 * block + 1
        );
        assert!(text.contains(&words), "{text}");
    }
}

#[test]
fn every_fault_of_a_decoder_is_reported_for_its_string_only() {
    use FailureKind::{Breakdown, Disagreement};
    let faults: &[(&str, FailureKind, &[&str])] = &[
        ("exits", Breakdown, &["exit status: 3", "; on stderr:\n    out of luck\n    at line 5"]),
        ("decodes-long", Breakdown, &["expected a length above 0 and 8 bytes"]),
        ("is-wrong", Disagreement, &["expected value 5 in 1 bytes, got value 6 in 1 bytes"]),
        ("refuses-to-decode", Disagreement, &["got Overflow at byte 9"]),
        ("has-no-reason", Disagreement, &["got an error without a reason"]),
    ];
    for (role, kind, words) in faults {
        let decoder = ExecDecoder::<u64>::start(&command(role, 5), LONG).expect("it starts");
        let report = Sweep::of(ByteStrings::new(1)).exhaustive().report(role, &decoder).unwrap();
        let failure = single_failure(role, &report, *kind, words);
        assert_eq!((failure.value.as_str(), report.complete, report.values), ("05", true, 257), "{role}");
    }
}

#[test]
fn every_fault_of_a_function_or_its_reference_is_reported_for_its_value_only() {
    use FailureKind::{Breakdown, WrongValue};
    let faults: &[([&str; 2], FailureKind, &str)] = &[
        (["is-wrong", "right"], WrongValue, "expected -2072, got bytes 0707"),
        (["has-no-result", "right"], WrongValue, "expected -2072, got no result"),
        (["right", "has-no-result"], WrongValue, "expected no result, got -2072"),
        (["exits", "right"], Breakdown, "got end of the process"),
        (["right", "exits"], Breakdown, "got from the reference: end of the process"),
    ];
    for (roles, kind, words) in faults {
        let [function, reference] = roles.map(|role| command(role, BAD));
        let functions = ExecFunctions::start([&function, &reference], LONG).expect("they start");
        let report = sweep_around(BAD).report("functions", &functions).unwrap();
        let failure = single_failure(roles[0], &report, *kind, &[words]);
        assert_eq!((failure.value.as_str(), report.complete), ("2071", true), "{roles:?}");
    }
}

/// The answers of all later requests would be those of other inputs.
#[test]
fn an_answer_given_twice_is_a_fault_of_its_request() {
    let sweep = exhaustive_in::<i64>(2000..=9999).threads(1);
    for roles in [["answers-twice", "right"], ["right", "answers-twice"]] {
        let [function, reference] = roles.map(|role| command(role, BAD));
        let functions = ExecFunctions::start([&function, &reference], LONG).expect("they start");
        let report = sweep.report("functions", &functions).unwrap();
        single_failure(
            roles[0],
            &report,
            FailureKind::NotReproducible,
            &["the request before it was \"fun i64\" with "],
        );
    }
    // The encodings are read as the results of the decoder.
    let report = sweep.run(&exec("answers-twice", BAD, LONG)).unwrap();
    let before = "the request before it was \"enc i64\" with 1 input, the first 1708000000000000 in hex";
    let failure = single_failure("codec", &report, FailureKind::DecodeBreakdown, &[before]);
    assert_eq!((failure.value.as_str(), report.complete), ("2071", true));
    // No other string of two bytes begins with this value.
    let decoder = ExecDecoder::<u64>::start(&command("answers-twice", 129), LONG).expect("it starts");
    let report = Sweep::of(ByteStrings::new(2)).exhaustive().threads(1).report("decoder", &decoder).unwrap();
    single_failure(
        "decoder",
        &report,
        FailureKind::NotReproducible,
        &["the request before it was \"dec u64\" with "],
    );
}

#[test]
fn a_child_that_knows_no_second_request_without_inputs_keeps_its_faults() {
    for role in ["is-wrong-and-ends-without-inputs", "is-wrong-and-hangs-without-inputs"] {
        let [function, reference] = [role, "right"].map(|role| command(role, BAD));
        let functions = ExecFunctions::start([&function, &reference], SHORT).expect("they start");
        let report = sweep_around(BAD).report("functions", &functions).unwrap();
        let words = &["expected -2072, got bytes 0707"];
        single_failure(role, &report, FailureKind::WrongValue, words);
    }
}

#[test]
fn a_slow_answer_is_a_hang() {
    // The value is an edge, so it is sent alone and once.
    let report = sweep_around(64).run(&exec("drips", 64, SHORT)).unwrap();
    assert!(report.first_failures.iter().any(|failure| failure.value == "64"
        && failure.kind == FailureKind::DecodeBreakdown
        && failure.got.starts_with("no answer within 2s")));
}

#[test]
fn a_crash_that_does_not_recur_is_not_reproducible() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("witness");
    std::fs::write(&witness, "").expect("a file");
    let command = format!("{} '{}'", command("crashes-once", 0), witness.display());
    // The edges are checked first, each in a call of its own. The third call encodes the second
    // edge and crashes, and passes when it is repeated.
    let codec = ExecCodec::<i64>::start(&command, LONG).expect("it starts");
    let report = exhaustive_in(70_000..=75_000).run(&codec).unwrap();
    let words = &["70001", "end of the process (exit status: 3)"];
    single_failure("crashes-once", &report, FailureKind::NotReproducible, words);

    // The codec by itself, called with whole blocks.
    std::fs::remove_dir(folder.path().join("witness.crashed")).expect("it crashed");
    let codec = ExecCodec::<i64>::start(&command, LONG).expect("it starts");
    let values: Vec<i64> = (1..=1000).collect();
    let mut bytes = vec![0; 10_000];
    let calls: Vec<bool> = (0..4).map(|_| codec.encode(&values, &mut bytes).is_ok()).collect();
    assert_eq!(calls, [true, true, false, true], "a new child is started");
}

#[test]
fn a_sweep_with_children_that_always_hang_ends() {
    let codec = exec("always-hangs", 0, SHORT);
    let report = Sweep::of(all::<i64>()).max_failures(2).run(&codec).unwrap();
    assert_eq!(report.ending, Ending::Failures);
    assert_eq!(report.first_failures[0].value, i64::MIN.to_string());
    assert_eq!(report.first_failures[0].got, "no answer within 2s");
}

#[test]
fn a_sweep_with_children_that_hang_at_every_decode_ends() {
    let codec = exec("hangs-at-every-decode", 0, SHORT);
    let report = Sweep::of(all::<i64>()).exhaustive().max_failures(1000).run(&codec).unwrap();
    assert_eq!((report.ending, report.complete), (Ending::Breakdown, false));
    let limit = report.limit.expect("a limit");
    assert_eq!((limit.of, limit.number), (Limited::Timeouts, 20));
    assert!(
        report.to_string().contains("stopped after 20 timeouts of child processes, the limit"),
        "{report}"
    );
    // Of 20 hangs, most failures take two.
    assert!((10..30).contains(&report.failures), "{}", report.failures);
    assert_eq!(report.values, count(&report.covered));
}

#[test]
fn a_sweep_whose_children_all_exit_ends_after_a_hundred() {
    for sweep in [exhaustive_in::<i64>(i64::MIN.into()..=i64::MAX.into()), exhaustive_in(70_000..=1 << 40)] {
        let codec = exec("always-exits", 0, LONG);
        let report = sweep.max_failures(1000).run(&codec).unwrap();
        assert_eq!((report.ending, report.complete), (Ending::Breakdown, false));
        let limit = report.limit.expect("a limit");
        assert_eq!((limit.of, limit.number), (Limited::Crashes, 100));
        assert!(
            report.to_string().contains("stopped after 100 crashes of child processes, the limit"),
            "{report}"
        );
        assert!((1..300).contains(&report.failures), "{}", report.failures);
        assert!(report.values < 2_000_000, "{}", report.values);
        assert!(report.first_failures.iter().all(|failure| failure.got.contains("exit status: 3")));
    }
}

#[test]
fn a_sweep_without_a_limit_of_failures_goes_on_after_a_hundred_crashes() {
    let codec = exec("always-exits", 0, LONG);
    let report = exhaustive_in::<i64>(70_000..=70_119).max_failures(0).run(&codec).unwrap();
    assert_eq!((report.ending, report.failures, report.limit), (Ending::Complete, 120, None), "{report}");
    let report = exhaustive_in::<i64>(70_000..=70_119).max_failures(1000).run(&codec).unwrap();
    assert_eq!(report.ending, Ending::Breakdown, "the limit is that of a sweep");
}

#[test]
fn children_that_are_lost_in_a_measurement_before_the_sweep_do_not_end_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("witness");
    std::fs::write(&witness, "").expect("a file");
    let command = format!("{} '{}'", command("is-wrong-of-several-and-then-exits", 0), witness.display());
    let decoder = ExecDecoder::<u64>::start(&command, LONG).expect("it starts");
    let watch = Watch::new().on_warning(|_| ()); // for a warning a large sweep is measured
    let sweep = Sweep::of(ByteStrings::structured(2)).exhaustive().threads(1).max_failures(1);
    let report = sweep.report_watched("decoder", &decoder, &watch, None).unwrap();
    let words = &["broke down: expected an answer, got end of the process (exit status: 3)"];
    single_failure("decoder", &report, FailureKind::Breakdown, words);
}

#[test]
fn commands_that_cannot_start_are_refused_before_any_work() {
    let folder = std::env::temp_dir();
    let cases = [
        (String::new(), "name a program"),
        ("  ".into(), "name a program"),
        ("'open".into(), "'open"),
        ("/no/such/program --x".into(), "'/no/such/program'"),
        (format!("'{}'", folder.display()), "cannot start"),
        ("true".into(), "exit status: 0"),
        (command("ends-at-start", 0), "exit status: 7"),
        (command("hangs-at-start", 0), "no answer within 2s"),
        (command("prints-text", 0), "\"Hello, world!\\n\""),
        (command("prints-text", 0), "`sweep protocol` prints the protocol"),
    ];
    for (command, words) in cases {
        let message = ExecCodec::<i64>::start(&command, SHORT).err().expect("refused").to_string();
        assert!(message.contains(words), "{command}: no {words:?} in {message}");
    }
}

#[test]
fn only_bytes_that_were_just_encoded_are_decoded_and_no_more_than_a_block() {
    let codec = exec::<u8>("right", 0, LONG);
    let error = codec.encode(&[0; 1025], &mut []).unwrap_err().to_string();
    assert!(error.contains("at most 1024 inputs"), "{error}");
    let (mut bytes, mut decoded) = ([0; 4], [0; 2]);
    assert_eq!(codec.encode(&[1, 200], &mut bytes).unwrap(), 3);
    assert_eq!(codec.decode(&bytes[..3], &mut decoded).unwrap(), 3);
    assert_eq!(decoded, [1, 200]);
    for other in [&[1, 1][..], &bytes[..2]] {
        let error = codec.decode(other, &mut decoded).unwrap_err().to_string();
        assert!(error.contains("call encode before decode"), "{error}");
    }
}

#[test]
fn large_output_on_stderr_is_not_a_failure() {
    let report = sweep_around(BAD).run(&exec("floods-stderr", 0, LONG)).unwrap();
    assert_eq!((report.failures, report.values), (0, 20));
}
