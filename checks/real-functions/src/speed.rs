//! The CPU time of a sweep beside that of loops by hand: a vectorized function, and one that is
//! limited by its own time.

use cpu_time::ProcessTime;
use every_input::{Check, Compare, Ulps, agrees, exhaustive};
use rayon::prelude::*;

use crate::Rows;

/// A reciprocal square root by the bits of the float and one Newton step.
#[inline(always)]
fn rsqrt(x: f32) -> f32 {
    let y = f32::from_bits(0x5f37_59df - (x.to_bits() >> 1));
    y * (1.5 - 0.5 * x * y * y)
}

#[inline(always)]
fn is_root(x: f32) -> bool {
    (rsqrt(x) * rsqrt(x) * x - 1.0).abs() < 0.004
}

/// Checks the floats with these bits by a loop on all cores.
fn by_hand(first: u32, last: u32, passes: impl Fn(f32) -> bool + Sync) {
    let all = (first >> 18..=last >> 18).into_par_iter().all(|block| {
        let bits = (block << 18).max(first)..=(block << 18 | 0x3_ffff).min(last);
        bits.fold(true, |all, bits| all & passes(f32::from_bits(bits)))
    });
    assert!(all);
}

/// Measures both sides in turn, and prints the median of the ratios.
fn row(rows: &Rows, name: &str, pairs: usize, by_hand: impl Fn(), by_sweep: impl Fn()) {
    if !rows.chooses(name) {
        return;
    }
    let seconds = |run: &dyn Fn()| {
        let start = ProcessTime::now();
        run();
        start.elapsed().as_secs_f64()
    };
    let mut measured: Vec<_> = (0..pairs).map(|_| (seconds(&by_hand), seconds(&by_sweep))).collect();
    measured.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let (hand, sweep) = measured[pairs / 2];
    println!(
        "figure: loop={name}; pairs={pairs}; by hand, CPU s={hand:.2}; by sweep, CPU s={sweep:.2}; ratio={:.2}",
        sweep / hand
    );
}

fn sweep_of(range: std::ops::RangeInclusive<f32>, check: impl Check<f32>) {
    assert_eq!(exhaustive(range).report("x", &check).expect("threads").failures, 0);
}

pub(crate) fn rows(rows: &Rows) {
    let normal = f32::MIN_POSITIVE..=f32::MAX;
    let (first, last) = (normal.start().to_bits(), normal.end().to_bits());
    row(
        rows,
        "reciprocal square root",
        5,
        || by_hand(first, last, is_root),
        || sweep_of(normal.clone(), is_root),
    );

    let exp = |x: f32| libm::exp(x.into());
    let is_near = |x: f32| Ulps(1.0).deviation(&libm::expf(x), &exp(x)) <= 1.0;
    let all = f32::from_bits(u32::MAX)..=f32::from_bits(u32::MAX >> 1); // in their order
    let sweep = || sweep_of(all.clone(), agrees(libm::expf, exp, Ulps(1.0)));
    row(rows, "libm::expf, all f32", 1, || by_hand(0, u32::MAX, is_near), sweep);
}
