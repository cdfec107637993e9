//! The options, exit codes and messages of `sweep`.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::support::{OUTPUTS, assert_refused, document, err, in_folder, json, out, program, sweep};

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The tests of the parsers have further values.
#[test]
fn invalid_arguments_are_refused_before_any_work() {
    // If the work started, some of these would not end: all of i64 takes centuries.
    for (arguments, words) in [
        (&["5..5"][..], &["5..5", "empty"][..]),
        (&["abc"], &["abc", "A..=B"]),
        (&["--type", "i8", "0..=300"], &["end 300", "maximum of i8, 127", "a larger type"]),
        (&["--type", "i65"], &["i65", "i64"]),
        (&["--codec", "x"], &["'x'", "bulk", "article2015"]),
        (&["--kernel", "x"], &["'x'", "scalar"]),
        (&["--preset", "x"], &["'x'", "article2015"]),
        (&["--preset", "article2015", "1..=2"], &["--preset", "cannot be used with", "[RANGE]"]),
        (&["--preset", "article2015", "--replay", "x"], &["--preset", "cannot be used with", "--replay"]),
        (
            &["--preset", "article2015", "--type", "i16"],
            &["--preset article2015: ", "150_000_001", "maximum of i16", "a larger type"],
        ),
        (&["--threads", "100_000"], &["'100_000'", "from 1 to "]),
        (&["--budget", "soon"], &["soon", "10s"]),
        (&["--sample", "0"], &["'0'", "from 1 to"]),
        (&["--min-rate", "fast"], &["'fast'", "10M"]),
        (&["--exhaustive", "--shard", "x"], &["'x'", "3/8, or auto"]),
        (&["--exhaustive", "--sample", "5"], &["--exhaustive", "--sample"]),
        (&["--shard", "1/2"], &["--shard needs --exhaustive or --sample"]),
        (&["--sample", "--shard", "1/2"], &["--shard of a random sample needs --seed"]),
        (&["--codec", "article2015", "--type", "i32"], &["article2015", "i64", "remove --type"]),
        (&["--codec", "single", "--kernel", "scalar"], &["single", "remove --kernel"]),
        (&["--wire", "x"], &["'x'", "prefix-varint"]),
        (
            &["--wire", "sleb128", "--codec", "io"],
            &["--wire sleb128: the codec io writes leb128", "remove --wire"],
        ),
        (&["--wire", "leb128", "--round-trip"], &["--wire", "--round-trip"]),
        (&["--exhaustive", "--status", "-"], &["expected the name of a file"]),
        (&["--exhaustive", "--checkpoint", "-"], &["expected the name of a file"]),
        (&["--json", "-", "--junit", "-"], &["--json and --junit name the same file '-'"]),
        (&["--json", "-", "--failures", "-"], &["name the same file '-'"]),
        (&["bytes", "--len", "6"], &["'6'", "0 to 5"]),
        (&["bytes", "--shard", "1/2"], &["--exhaustive"]),
        (&["bytes", "--decoder", "article2015"], &["'article2015'", "reader"]),
        (&["bytes", "--decoder", "io", "--kernel", "scalar"], &["add --decoder bulk or remove --kernel"]),
    ] {
        assert_refused(arguments, 2, words);
    }
}

#[test]
fn unwritable_files_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing/report.json");
    let missing = missing.to_str().unwrap();
    for option in OUTPUTS {
        assert_refused(&["--exhaustive", option, missing], 3, &[missing, "folder"]);
        assert_refused(&["bytes", "--exhaustive", option, missing], 3, &[missing, "folder"]);
    }
    assert_refused(&["--exhaustive", "--json", folder.path().to_str().unwrap()], 3, &["directory"]);
    assert_refused(&["--exhaustive", "--status", folder.path().to_str().unwrap()], 3, &["directory"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn ranges_may_begin_with_a_minus() {
    for arguments in [
        &["-5..=5"][..],
        &["-5..6"],
        &["--", "-5..=5"],
        &["-5..=-1", "--exhaustive", "0..=5"],
        &["-5..=3", "-2..=5"],
    ] {
        let (report, code) = json(arguments);
        assert_eq!(code, Some(0), "{arguments:?}");
        assert_eq!(report["covered"], serde_json::json!([["-5", "5"]]), "{arguments:?}");
        assert_eq!(report["values"], "11");
    }
}

#[test]
fn a_sample_reports_its_seed_and_its_confidence() {
    let (report, code) = json(&["--sample", "7000", "--seed", "42"]);
    assert_eq!(code, Some(0));
    assert_eq!(report["mode"], "sample");
    assert_eq!(report["seed"], "42");
    let strata = report["strata"].as_array().unwrap();
    assert_eq!(strata.len(), 14); // lengths 4 to 10, both signs
    assert!(strata.iter().all(|stratum| stratum["sampled"] == "500"));

    let text = out(&sweep(&["--sample", "7000", "--seed", "42"]));
    let words =
        "With 95 % confidence for all lengths and signs together, at most 1 in 88 values of each one fail.";
    for words in [words, "--sample 7000 --seed 42", "years", "OK: no failure"] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    // Nothing is drawn from two of the 14 lengths and signs.
    let text = out(&sweep(&["--sample", "12"]));
    assert!(text.contains("(nothing drawn)") && !text.contains("With 95 % confidence"), "{text}");
}

#[test]
fn two_samples_have_different_seeds_and_the_printed_options_repeat_one() {
    // A sample by budget covers fewer boundaries on a busy machine, and says so.
    let sample = ["--sample", "100000", "--no-progress"];
    let [first, other] = [(); 2].map(|()| out(&sweep(&sample)));
    let options = |text: &str| {
        let (_, rest) = text.split_once("(to repeat: ").expect("options");
        rest.split_once(")\n").expect("their end").0.to_owned()
    };
    let seed = |text: &str| options(text).rsplit(' ').next().map(str::to_owned);
    assert_ne!(seed(&first), seed(&other));
    let repeated = out(&sweep(&options(&first).split(' ').collect::<Vec<_>>()));
    let checked = |text: &str| {
        let lines =
            text.lines().filter(|line| line.starts_with("drawn at random: ") || line.contains(" 1 in "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((checked(&repeated), checked(&first).len()), (checked(&first), 14 + 1 + 1));
}

#[test]
fn a_sweep_that_takes_longer_than_a_day_says_how_long_and_goes_on() {
    let warning = |arguments: &[&str]| {
        let output = sweep(&[&["--exhaustive", "--no-progress"], arguments].concat());
        let warnings: Vec<_> = err(&output)
            .lines()
            .filter(|line| line.contains(" values takes about "))
            .map(str::to_owned)
            .collect();
        (warnings, code(&output), out(&output))
    };
    let limit = ["--time-limit", "100ms"];
    let (warnings, ended, report) = warning(&limit);
    assert_eq!((warnings.len(), ended), (1, Some(124)), "{report}");
    let words = [
        "warning: checking 18,446,744,073,709,551,616 values takes about ",
        " years on this machine",
        "--sample",
        "--shard",
    ];
    assert!(words.iter().all(|word| warnings[0].contains(word)), "{warnings:?}");
    assert!(report.contains("no failure in"), "{report}");
    // A shard has its part of the values.
    let (warnings, ..) = warning(&[&limit[..], &["--shard", "2/4"]].concat());
    assert!(warnings[0].contains(" 4,611,686,018,427,387,904 values takes about "), "{warnings:?}");
    for short in [&["0..=5_000_000"][..], &[&limit[..], &["--quiet"]].concat()] {
        assert_eq!(warning(short).0, [""; 0], "{short:?}");
    }
}

#[test]
fn quiet_prints_nothing_but_sets_the_exit_code() {
    let failing = ["-q", "--codec", "article2015", "MIN..=-9_223_372_036_854_775_000"];
    for (arguments, expected) in [(&["--quiet", "1..=9"][..], 0), (&failing, 1)] {
        let output = sweep(arguments);
        assert_eq!((&*out(&output), &*err(&output), code(&output)), ("", "", Some(expected)));
    }
}

#[test]
fn progress_is_hidden_without_a_terminal() {
    for arguments in [&["0..=30_000_000"][..], &["0..=3000", "--no-progress"]] {
        let output = sweep(arguments);
        // On a slow machine, a log has a line of figures after a second.
        assert!(!err(&output).contains(['\r', '\x1b']), "{}", err(&output));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn standard_output_on_a_full_disk_exits_with_3() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(["1..=9"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), Some(3));
    assert!(err(&output).contains("standard output"), "{}", err(&output));
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_written_to_and_not_replaced() {
    assert_eq!(code(&sweep(&["1..=9", "--json", "/dev/null"])), Some(0));
    use std::os::unix::fs::FileTypeExt;
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let output = sweep(&["1..=9", "--json", "/dev/full"]);
    assert_eq!(code(&output), Some(3));
    assert!(err(&output).contains("/dev/full"));
}

#[test]
fn the_preset_has_the_eight_ranges_of_the_article() {
    let (report, _) = json(&["--preset", "article2015", "--exhaustive"]);
    assert_eq!((&report["values"], &report["failures"]), (&"399999994".into(), &"0".into()));
    let plan = report["plan"].as_array().unwrap();
    let bound = |range: &Value, end: usize| range[end].as_str().unwrap().parse::<i128>().unwrap();
    let values: i128 = plan.iter().map(|range| bound(range, 1) - bound(range, 0) + 1).sum();
    assert_eq!((plan.len(), values), (8, 399_999_994));
    assert_eq!((bound(&plan[0], 0), bound(&plan[7], 1)), (100_000_001, 849_999_999));

    let path = in_folder();
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let (file, checkpoint) = (path(&shard.replace('/', "-")), path("checkpoint") + &shard[..1]);
        let preset = ["--preset", "article2015", "--type", "u32", "--sample", "1000", "--seed", "3"];
        let run = || {
            program()
                .args(preset)
                .args(["--shard", shard, "--checkpoint", &checkpoint, "--json", &file])
                .output()
        };
        assert_eq!([run(), run()].map(|output| code(&output.unwrap())), [Some(0); 2]);
        file
    });
    let merged = program().arg("merge").args(&shards).args(["--json", "-"]).output().unwrap();
    assert_eq!((code(&merged), &document(&merged.stdout)["plan"]), (Some(0), &report["plan"]));
}
