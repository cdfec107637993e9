//! What is read from criterion's files, the tables of it, and what is written beside them.

use std::fs;
use std::time::{Duration, SystemTime};

use tempfile::{TempDir, tempdir};
use zigzag_varint_results::default_kernel::{check, slower};
use zigzag_varint_results::environment::Environment;
use zigzag_varint_results::measurement::{Measurement, folder, keep_least, read};
use zigzag_varint_results::table::tables;

fn measurement(set: &str, contender: &str, nanoseconds: f64, allocations: u32) -> Measurement {
    let (table, set, contender) = ("decode/u64".into(), set.into(), contender.into());
    Measurement {
        table,
        set,
        contender,
        values: 100,
        samples: 40,
        nanoseconds,
        allocations,
        allocated: 8 * u64::from(allocations),
    }
}

#[test]
fn a_table_compares_what_programs_call_with_the_best_other_contender_and_the_limit() {
    let results = [
        measurement("1B", "prost", 1.0, 3),
        measurement("1B", "ours-avx2", 0.4, 0),
        measurement("1B", "ours", 0.5, 0),
        measurement("mix", "plain", 8.0, 0),
        measurement("mix", "ours", 0.8, 0),
        measurement("mix", "memcpy", 0.25, 0),
        measurement("mix", "prost", 4.0, 12),
        measurement("mix", "ours-scalar", 2.0, 0),
        measurement("mix", "ours-avx2", 0.5, 0),
    ];
    let tables = tables(&results);
    let expected = "\
decode u64: nanoseconds per value, minimum of 40 samples; 100 values per operation
                          1B   mix
ours                    0.50  0.80
ours-avx2               0.40  0.50
ours-scalar                -  2.00
prost                   1.00  4.00
plain                      -  8.00
memcpy                     -  0.25
best other / ours       2.00  5.00
best other / ours-avx2  2.50  8.00
ours / memcpy              -  3.20
prost allocations          3    12
prost bytes               24    96
best other: prost in 1B, prost in mix
";
    assert_eq!(tables[0].to_string(), expected);
    let figures = tables[0].figures();
    assert!(figures.contains("\nfigure: decode u64=best other; 1B=prost; mix=prost\n"), "{figures}");
    assert!(figures.contains("\nfigure: decode u64=best other / ours; 1B=2.00; mix=5.00\n"), "{figures}");
    assert_eq!(tables.len(), 1);
}

#[test]
fn a_table_without_what_programs_call_has_no_ratios() {
    let results = [measurement("mix", "plain", 8.0, 0), measurement("mix", "ours-avx2", 0.5, 0)];
    assert!(!tables(&results)[0].to_string().contains("best other"));
}

#[test]
fn a_kernel_that_is_more_than_10_percent_faster_than_the_default_is_an_error() {
    let results = |ours: f64| {
        [
            measurement("1B", "ours", 0.1, 0),
            measurement("1B", "ours-avx512", 0.1, 0),
            measurement("skew", "ours-avx512", 0.34, 0),
            measurement("skew", "ours", ours, 0),
            measurement("skew", "ours-avx2", 0.3, 0),
            measurement("skew", "plain", 0.2, 0),
        ]
    };
    assert_eq!(check(&results(0.329)), Ok(()));
    let error = "the default is not the fastest kernel:\n\
                 decode/u64/skew: ours takes 0.339 ns per value and ours-avx2 0.300 (13 % more, at most 10 %)\n\
                 measure these sets again while nothing else runs, and mend the default kernel";
    assert_eq!(check(&results(0.339)), Err(error.into()));
}

#[test]
fn the_least_time_counts_if_a_set_is_measured_again() {
    let mut results = [measurement("mix", "ours", 2.0, 0), measurement("mix", "ours-avx2", 1.0, 0)];
    let groups: Vec<_> = slower(&results).into_iter().map(|one| one.group).collect();
    assert_eq!(groups, ["decode/u64/mix"]);
    keep_least(&mut results, &[measurement("mix", "ours", 1.3, 0), measurement("mix", "ours-avx2", 1.2, 0)]);
    assert!(check(&results).unwrap_err().contains("takes 1.300 ns per value and ours-avx2 1.000"));
    let others = [measurement("1B", "ours", 0.1, 0), measurement("mix", "ours", 1.05, 0)];
    keep_least(&mut results, &others);
    assert_eq!(check(&results), Ok(()));
}

#[test]
fn two_samples_and_other_sets_than_those_of_the_headline_do_not_fail_a_run() {
    let pair = [measurement("mix", "ours", 2.0, 0), measurement("mix", "ours-avx2", 1.0, 0)];
    assert!(check(&pair).is_err());
    assert_eq!(check(&pair.clone().map(|one| Measurement { samples: 2, ..one })), Ok(()));
    assert_eq!(check(&pair.map(|one| Measurement { table: "decode/u32".into(), ..one })), Ok(()));
}

/// Writes a result of `decode/u64/mix/prost` as criterion does.
fn write(dir: &TempDir, samples: &str) {
    let new = dir.path().join("decode_u64_mix/prost/new");
    fs::create_dir_all(&new).unwrap();
    fs::write(new.join("sample.json"), samples).unwrap();
}

#[test]
fn the_minimum_time_per_value_is_read_from_the_files_of_criterion() {
    let dir = tempdir().unwrap();
    // The second sample has the smallest time per iteration, although its total is greater.
    write(&dir, r#"{"sampling_mode":"Flat","iters":[1.0,10.0,2.0],"times":[90.0,500.0,180.0]}"#);
    let benchmarks = ["prost", "plain"].map(|contender| measurement("mix", contender, 0.0, 7));
    let results = read(dir.path(), SystemTime::UNIX_EPOCH, &benchmarks).unwrap();
    assert_eq!(results, [Measurement { samples: 3, ..measurement("mix", "prost", 0.5, 7) }]);
    let later = SystemTime::now() + Duration::from_secs(60);
    assert_eq!(read(dir.path(), later, &benchmarks).unwrap(), []);

    write(&dir, "{\"iters\": [1.0,");
    let error = read(dir.path(), SystemTime::UNIX_EPOCH, &benchmarks).unwrap_err();
    assert!(error.contains("prost/new") && error.contains("remove criterion's folder"), "{error}");
}

#[test]
fn machine_compiler_and_date_are_saved_beside_a_new_result() {
    let dir = tempdir().unwrap();
    write(&dir, "{}");
    let new = folder(dir.path(), "decode/u64/mix", "prost").join("new");
    let environment = Environment { machine: "A".into(), compiler: "rustc 1.95.0".into() };
    let minute = Duration::from_secs(60);
    environment.save(&new, SystemTime::now() + minute).unwrap();
    assert!(!new.join("environment.json").exists(), "the result is older");
    environment.save(&new, SystemTime::now() - minute).unwrap();
    let text = fs::read_to_string(new.join("environment.json")).unwrap();
    let (date, rest) = text.strip_prefix("{\"date\":").unwrap().split_once(',').unwrap();
    assert_eq!(rest, r#""machine":"A","compiler":"rustc 1.95.0"}"#);
    let date = SystemTime::UNIX_EPOCH + Duration::from_secs(date.parse().unwrap());
    assert!(date.elapsed().unwrap() < minute);

    let Environment { machine, compiler } = Environment::here(None);
    assert!(machine.contains(" CPUs, ") && compiler.starts_with("rustc 1."), "{machine}; {compiler}");
    assert_eq!(Environment::here(Some("sse")).machine, machine + ", KERNEL=sse", "a machine of its own");
}
