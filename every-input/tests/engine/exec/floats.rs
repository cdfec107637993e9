//! Functions of floats as child processes: compared by bytes, or by units in the last place with a
//! reference of the same or of a higher precision.

use std::time::Duration;

use every_input::{ExecFunctions, Number, Report, Space, Sweep, Ulps, all, exhaustive};

use super::child::command;
use crate::ranges_of;

const LONG: Duration = Duration::from_secs(60);

/// The input whose result is wrong, if the role of the function says so.
const BAD: i64 = 3000;

fn functions<T: Number>(roles: [&str; 2]) -> ExecFunctions<T> {
    let [function, reference] = roles.map(|role| command(role, BAD));
    ExecFunctions::start([&function, &reference], LONG).expect("they start")
}

fn around_bad() -> Sweep<impl Space<Item = f32>> {
    exhaustive(2999.5f32..=3000.5)
}

#[test]
fn results_have_the_same_bytes_by_default() {
    let report = around_bad().report("thirds", &functions(["right", "right"])).unwrap();
    assert!(report.complete && report.failures == 0 && report.worst.is_none(), "{report}");
    let report = around_bad().report("thirds", &functions(["is-wrong", "right"])).unwrap();
    let words = "3000.0: wrong value: expected 1000.0 (0x447a0000), got 1000.00006 (0x447a0001), from the bits \
                 0x453b8000\n";
    assert!(report.failures == 1 && report.to_string().contains(words), "{report}");
}

#[test]
fn results_are_compared_in_units_in_the_last_place_with_the_worst_input() {
    let check = || functions(["is-wrong", "right"]).ulps(Ulps(1.0));
    let report = around_bad().report("thirds", &check()).unwrap();
    let worst = report.worst.as_ref().expect("a deviation");
    assert_eq!((report.failures, worst.deviation, &*worst.value), (0, 1.0, "3000.0"));
    let strict = functions(["is-wrong", "right"]).ulps(Ulps(0.9));
    let report = around_bad().report("thirds", &strict).unwrap();
    assert_eq!((report.failures, ranges_of(&report)), (1, vec![("3000.0", None)]));
    let failure = &report.first_failures[0];
    assert_eq!(failure.expected, "1000.0 (0x447a0000) within 0.9 ULP");
    assert_eq!(failure.got, "1000.00006 (0x447a0001), 1.000 ULP away, from the bits 0x453b8000");
}

/// A third is rounded, so the result of the same precision is up to half a unit off.
#[test]
fn a_reference_of_higher_precision_gives_fractions_of_a_unit() {
    fn worst<S: Space>(sweep: Sweep<S>, check: &ExecFunctions<S::Item>) -> f64
    where
        S::Item: Number,
    {
        let report = sweep.report("thirds", check).unwrap();
        assert_eq!(report.failures, 0, "{report}");
        report.worst.expect("a deviation").deviation
    }
    let single = worst(around_bad(), &functions(["right", "wide"]).ulps(Ulps(0.5)));
    let double = worst(exhaustive(1.0..=1.000_000_000_001), &functions(["right", "wide"]).ulps(Ulps(0.5)));
    for worst in [single, double] {
        assert!((0.3..0.5).contains(&worst), "{worst}");
    }
    let wide: ExecFunctions<f32> = functions(["is-wrong", "wide"]).ulps(Ulps(0.6));
    let report = around_bad().report("thirds", &wide).unwrap();
    assert_eq!(report.first_failures[0].expected, "1000.0 (0x408f400000000000) within 0.6 ULP");
}

#[test]
fn results_that_are_no_floats_or_not_a_number_fail() {
    for (roles, expected, got) in [
        (
            ["is-nan", "right"],
            "1000.0 (0x447a0000) within 9 ULP",
            "NaN (0x7fc00000), from the bits 0x453b8000",
        ),
        (
            ["has-no-result", "right"],
            "1000.0 (0x447a0000) within 9 ULP",
            "no result, from the bits 0x453b8000",
        ),
        (
            ["right", "has-no-result"],
            "no result within 9 ULP",
            "1000.0 (0x447a0000), from the bits 0x453b8000",
        ),
    ] {
        let report = around_bad().report("thirds", &functions(roles).ulps(Ulps(9.0))).unwrap();
        let [failure] = &report.first_failures[..] else { panic!("{report}") };
        assert_eq!((&*failure.expected, &*failure.got, report.failures), (expected, got, 1), "{roles:?}");
    }
}

#[test]
fn a_sample_of_floats_is_drawn_from_each_class() {
    let sweep = Sweep::of(all::<f32>()).sample(Some(100_000));
    let report: Report = sweep.report("thirds", &functions(["right", "right"]).ulps(Ulps(0.0))).unwrap();
    assert!(report.complete && report.failures == 0, "{report}");
    assert!(report.strata.len() > 100 && report.worst.is_some_and(|worst| worst.deviation == 0.0));
}
