//! Compares the speed of a sweep of functions with loops by hand: a vectorized function, and one that
//! is limited by its own time. Run it in release mode: overflow checks stop the vectorizer.
//!
//! `cargo run --release -p every-input --example speed_of_functions`

use std::time::Instant;

use every_input::{Interval, Sweep, Ulps, agrees, all};
use rayon::prelude::*;

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

#[inline(always)]
fn is_near(x: f32) -> bool {
    let (got, expected) = (x.exp(), f64::from(x).exp());
    (f64::from(got) - expected).abs() <= expected * 2.0e-7 || got.is_infinite() || got < f32::MIN_POSITIVE
}

/// Returns the seconds of a loop by hand over the same floats, on all cores.
fn by_hand(bits: Interval, holds: impl Fn(f32) -> bool + Sync) -> f64 {
    let start = Instant::now();
    let blocks = (bits.first as u32 >> 18)..=(bits.last as u32 >> 18);
    let all = blocks.into_par_iter().all(|block| {
        let first = (block << 18).max(bits.first as u32);
        let last = (block << 18 | 0x3_ffff).min(bits.last as u32);
        (first..=last).fold(true, |all, bits| all & holds(f32::from_bits(bits)))
    });
    assert!(all);
    start.elapsed().as_secs_f64()
}

/// Returns the seconds of a sweep of these floats.
fn by_sweep(bits: Interval, check: impl Fn(f32) -> bool + Sync) -> f64 {
    let start = Instant::now();
    let report = Sweep::of(all::<f32>()).ranges([bits]).exhaustive().report("x", &check).expect("threads");
    assert_eq!(report.failures, 0);
    start.elapsed().as_secs_f64()
}

fn compare(name: &str, bits: Interval, function: impl Fn(f32) -> bool + Sync + Copy) {
    let mut ratios: Vec<f64> = Vec::new();
    let (mut hand, mut sweep) = (0.0, 0.0);
    for _ in 0..5 {
        (hand, sweep) = (by_hand(bits, function), by_sweep(bits, function));
        ratios.push(sweep / hand);
    }
    ratios.sort_by(f64::total_cmp);
    println!("{name}: last pair {hand:.2} s by hand, {sweep:.2} s by sweep; median ratio {:.2}", ratios[2]);
}

fn main() -> Result<(), every_input::SweepError> {
    // The positive normal floats.
    compare("reciprocal square root", Interval { first: 0x0080_0000, last: 0x7f7f_ffff }, is_root);
    // From 2^-10 to 64.
    let part = Interval { first: 0x3a80_0000, last: 0x4280_0000 };
    compare("exp", part, is_near);
    let start = Instant::now();
    let check = agrees(f32::exp, |x| f64::from(x).exp(), Ulps(1.0));
    let report = Sweep::of(all::<f32>()).ranges([part]).exhaustive().report("exp", &check)?;
    println!("exp within 1 ULP: {} failures, {:?}, {:.2?}", report.failures, report.worst, start.elapsed());
    Ok(())
}
