//! The words of messages: a sweep of this library names its methods, and one of a program its options.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use every_input::{Interval, Report, Scalars, Shard, Sweep, Watch, all};

use crate::exhaustive_in;

/// Returns what sweeps with this watch say about their settings.
fn messages(watch: impl Fn() -> Watch) -> Vec<String> {
    let half = Sweep::of(all::<i64>()).shard(Shard::new(1, 2).unwrap());
    let refused = [half.clone(), half.sample(None)].map(|sweep| {
        sweep.report_watched("x", &|_| true, &watch(), None).expect_err("a shard needs more").to_string()
    });
    let report = |sweep: Sweep<Scalars<i64>>, fails: i64| -> Report {
        sweep.report_watched("x", &|value: i64| value % 77 != fails, &watch(), None).unwrap()
    };
    let stopped = report(exhaustive_in(0..=100_000), 7).to_string();
    let sample = Sweep::of(all::<i64>()).sample(Some(9000)).seed(5);
    let shard = report(sample.clone().sample(Some(2_000_000)).shard(Shard::new(2, 3).unwrap()), 99);
    let sample = report(sample, 99);
    let warnings = Arc::new(Mutex::new(vec![]));
    let heard = Arc::clone(&warnings);
    let warned = watch().on_warning(move |warning| heard.lock().unwrap().push(warning.to_owned()));
    let long = Sweep::of(all::<i64>()).exhaustive().time_limit(Duration::ZERO);
    long.report_watched("x", &|_| true, &warned, None).unwrap();
    let warnings = warnings.lock().unwrap().join("\n");
    refused.into_iter().chain([stopped, sample.to_string(), shard.to_string(), warnings]).collect()
}

#[track_caller]
fn assert_contain(messages: &[String], words: [&str; 6]) {
    for (message, words) in messages.iter().zip(words) {
        assert!(message.contains(words), "no {words:?} in {message}");
    }
    assert_eq!(messages.len(), words.len());
}

#[test]
fn the_library_names_its_methods() {
    let messages = messages(Watch::new);
    let words = [
        "Sweep::shard needs Sweep::exhaustive or Sweep::sample (",
        "Sweep::shard of a random sample needs Sweep::seed (otherwise each machine would choose a seed for \
         itself); add Sweep::seed(N), with the same N",
        " (use Sweep::max_failures(0) to count them all)",
        "(to repeat: Sweep::sample(Some(9000)), Sweep::seed(5))",
        ", Sweep::seed(5), Sweep::shard(\"2/3\".parse()?))",
        "check a random sample with Sweep::sample, or divide them among machines with Sweep::shard",
    ];
    assert_contain(&messages, words);
    assert!(messages.iter().all(|message| !message.contains("--")), "{messages:?}");
}

#[test]
fn a_program_names_its_options() {
    let words = [
        "--shard needs --exhaustive or --sample (",
        "add --seed N, with the same N",
        " (use --max-failures 0 to count them all)",
        "(to repeat: --sample 9000 --seed 5)",
        " --seed 5 --shard 2/3)",
        "check a random sample with --sample, or divide them among machines with --shard",
    ];
    assert_contain(&messages(|| Watch::for_program("own 1.0")), words);
}

#[test]
fn what_parses_texts_names_no_option() {
    let environment = |name: &str| (name == "JOB_COMPLETION_INDEX").then(|| "0".to_owned());
    for (message, words) in [
        (Shard::assigned(|_| None).unwrap_err(), "no shard in the environment; set SWEEP_SHARD=K/N"),
        (Shard::assigned(environment).unwrap_err(), "SWEEP_SHARD_COUNT is not set; "),
        (Shard::assigned(|_| Some("x".into())).unwrap_err(), "SWEEP_SHARD: 'x' is not a shard; write K/N"),
        (Interval::parse::<i8>("0..=300").unwrap_err(), "stay within the type, or choose a larger type"),
    ] {
        assert!(message.contains(words) && !message.contains("--"), "{message}");
    }
}
