//! `f16` and `bf16` of the crate `half`: spaces, ranges and pairs of them, by units in the last place.

use std::fmt::Debug;

use every_input::merge::merge;
use every_input::{Compare, Expected, Number, SameBits, Shard, Space, Sweep, Ulps, agrees, all, exhaustive};
use half::{bf16, f16};

use crate::{Folder, ranges_of};

/// Checks that the space has all values once, in order, with texts that are read back.
fn has_all_in_order<T: Number + PartialEq>(total_cmp: fn(&T, &T) -> std::cmp::Ordering) {
    let (space, mut last) = (all::<T>(), None);
    assert_eq!(space.count(), 1 << 16);
    for number in 0..1 << 16 {
        let float = space.at(number);
        assert!(last.is_none_or(|last| total_cmp(&last, &float).is_lt()), "{float:?}");
        // Each call makes the classes again.
        if number % 61 == 0 {
            assert_eq!(space.parse(&space.show(number)), Some(number), "{float:?}");
        }
        last = Some(float);
    }
}

#[test]
fn spaces_have_every_bit_pattern_in_the_order_of_total_cmp() {
    has_all_in_order(f16::total_cmp);
    has_all_in_order(bf16::total_cmp);
    let text = |float: f16| (float..=float).show(0);
    assert_eq!([1.0, -0.0, f32::INFINITY].map(|x| text(f16::from_f32(x))), ["1.0", "-0.0", "inf"]);
    assert_eq!(text(f16::NAN), "0x7e00");
    assert_eq!(all::<f16>().classes()[29].name, "- 2^-1");
    assert_eq!([all::<f16>().classes().len(), all::<bf16>().classes().len()], [64, 512]);
}

/// Checks the units between all neighbours, in which the expected number is the even one.
fn neighbours_are_one_unit_apart<T>(finite: impl Fn(T) -> bool, wide: impl Fn(T) -> f64)
where
    T: Number + Expected + Debug,
    Ulps: Compare<T, T> + Compare<T, f64>,
{
    let ulps = |got: T, expected: f64| Ulps(1.0).deviation(&got, &expected);
    for bits in 0..1u64 << 15 {
        let [low, high] = [bits, bits + 1].map(T::of_bits);
        let own = Ulps(1.0).deviation(&low, &low);
        assert_eq!(own, 0.0, "{low:?}");
        if bits + 1 < 1 << 15 && finite(low) && finite(high) {
            let middle = f64::midpoint(wide(low), wide(high));
            let distances = [ulps(high, wide(low)), ulps(low, middle), ulps(high, middle)];
            assert_eq!(distances, [1.0, 0.5, 0.5], "{low:?}");
        }
    }
}

#[test]
fn units_are_the_distances_of_neighbours() {
    neighbours_are_one_unit_apart(f16::is_finite, f64::from);
    neighbours_are_one_unit_apart(bf16::is_finite, f64::from);
}

#[test]
fn nan_and_infinity_are_compared_as_those_of_other_floats() {
    let ulps = |got: f16, expected: f64| Ulps(1.0).deviation(&got, &expected);
    let (nan, infinity) = (f16::NAN, f16::INFINITY);
    for (got, expected) in
        [(nan, f64::NAN), (infinity, f64::INFINITY), (infinity, 65520.0), (infinity, 1e300)]
    {
        assert_eq!(ulps(got, expected), 0.0, "{got} {expected}");
    }
    // Below the middle of the greatest number and the next power, numbers are rounded to it.
    for (got, expected) in
        [(infinity, 65519.9), (-infinity, 1e300), (nan, 1.0), (f16::ONE, f64::NAN), (f16::MAX, f64::INFINITY)]
    {
        assert_eq!(ulps(got, expected), f64::INFINITY, "{got} {expected}");
    }
    assert_eq!(ulps(f16::MAX, 65519.0), 15.0 / 32.0);
    let greatest = f64::from(bf16::MAX);
    let ulps = |got: bf16, expected: f64| Ulps(1.0).deviation(&got, &expected);
    let unit = 2f64.powi(120);
    assert_eq!(ulps(bf16::INFINITY, greatest + unit / 2.0), 0.0);
    assert_eq!(ulps(bf16::INFINITY, greatest + unit / 4.0), f64::INFINITY);
    assert!(SameBits.deviation(&f16::ZERO, &f16::NEG_ZERO) > 0.0);
}

#[test]
fn the_failures_of_a_range_are_floats() {
    let [from, to] = [1.0, 2.0].map(f16::from_f32);
    let wrong =
        |x: f16| if x.to_bits() >> 2 == 0x3d00 >> 2 { f16::ZERO } else { f16::from_f32(x.to_f32().sqrt()) };
    let check = agrees(wrong, |x: f16| f64::from(x).sqrt(), Ulps(0.5));
    let report = exhaustive(from..=to).report("sqrt", &check).unwrap();
    assert_eq!((report.values, report.failures, &*report.value_type), (1025, 4, "f16"));
    assert_eq!(ranges_of(&report), [("1.25", Some("1.2529297"))]);
    let reversed = exhaustive(to..=from).report("sqrt", &check).unwrap_err().to_string();
    assert!(reversed.contains("reversed in the order of all::<f16>()"), "{reversed}");
}

#[test]
fn the_sum_of_each_pair_near_one_is_the_nearest_float() {
    let range = || f16::from_f32(0.75)..=f16::from_f32(1.5);
    let sum = |(a, b): (f16, f16)| a + b;
    let exact = |(a, b): (f16, f16)| f64::from(a) + f64::from(b);
    let report = exhaustive((range(), range())).report("sum", &agrees(sum, exact, Ulps(0.5))).unwrap();
    assert_eq!((report.values, report.failures), (1025 * 1025, 0), "{report}");
    let classes = report.worst_by_class.iter().map(|(class, worst)| (&**class, worst.deviation));
    assert_eq!(Vec::from_iter(classes), [("+ 2^-1", 0.5), ("+ 2^0", 0.5)]);
}

#[test]
fn shards_of_bf16_are_merged() {
    let (folder, check) = (Folder::new(), agrees(|x: bf16| x, |x: bf16| x, Ulps(0.0)));
    let files = [1, 2].map(|index| {
        let shard = Sweep::of(all::<bf16>()).exhaustive().shard(Shard::new(index, 2).unwrap());
        folder.put(&index.to_string(), &shard.report("same", &check).unwrap())
    });
    let merged = merge(&files);
    assert_eq!(merged.findings, []);
    let report = merged.report.unwrap();
    assert_eq!((report.complete, report.values, report.worst_by_class.len()), (true, 1 << 16, 512));
}
