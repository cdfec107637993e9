//! The built-in codecs: all are correct for every type on every kernel, except the faulty decoder
//! of the 2015 article.

use serde_json::{Value, json as value};
use zigzag_varint::Kernel;

use crate::support::{json, listed};

/// The library leaves kernels out for compilers before 1.89. The program needs a newer one, so that
/// it has all of them.
#[test]
#[cfg(target_arch = "x86_64")]
fn every_kernel_of_the_architecture_is_built() {
    let limited = option_env!("CARGO_ENCODED_RUSTFLAGS").is_some_and(|flags| flags.contains("max_kernel"));
    assert!(limited || cfg!(all(kernel = "sse", kernel = "avx2", kernel = "avx512")));
}

#[test]
fn every_codec_passes_on_every_kernel() {
    let assert_passes = |arguments: &[&str]| {
        let (report, code) = json(&[arguments, &["--sample", "50000"]].concat());
        assert_eq!(report["failures"], "0", "{arguments:?}: {}", report["first_failures"]);
        assert_eq!((code, &report["complete"]), (Some(0), &true.into()), "{arguments:?}");
        report
    };
    for value_type in ["i64", "u64", "i32", "u32", "i16", "u8"] {
        for codec in listed("codecs").iter().filter(|codec| *codec != "article2015") {
            let arguments = ["--type", value_type, "--codec", codec];
            if assert_passes(&arguments)["kernel"].is_null() {
                continue;
            }
            for kernel in Kernel::available() {
                let report = assert_passes(&[&arguments[..], &["--kernel", kernel.name()]].concat());
                assert_eq!(report["kernel"], kernel.name());
            }
        }
    }
}

#[test]
fn article2015_passes_on_its_own_ranges_and_fails_on_half_of_all_integers() {
    let sweep = |arguments: &[&str]| json(&[&["--codec", "article2015"], arguments].concat());

    let (report, code) = sweep(&["100_000_001..=100_900_000"]);
    assert_eq!((code, &report["failures"], &report["values"]), (Some(0), &"0".into(), &"900000".into()));

    let (report, code) = sweep(&[]);
    assert_eq!((code, &report["ending"]), (Some(1), &"failures".into()));
    let failures = report["first_failures"].as_array().expect("a list");
    for extreme in [i64::MIN, i64::MAX].map(|value| value!(value.to_string())) {
        let has = |failure: &Value| [&failure["value"], &failure["last"]].contains(&&extreme);
        assert!(failures.iter().any(has), "{failures:?}");
    }

    let edge = 1i128 << 62;
    let around = [edge, -edge].map(|edge| format!("{}..={}", edge - 10, edge + 9));
    let (report, _) = sweep(&["--exhaustive", "--max-failures", "0", &around[0], &around[1]]);
    assert_eq!((&report["values"], &report["failures"]), (&value!("40"), &value!("20")));
}
