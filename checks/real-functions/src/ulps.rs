//! Functions of floats, whose error is in units in the last place.

use std::ops::RangeInclusive;

use every_input::{Space, Ulps, agrees, all};
use micromath::F32Ext;

use crate::{Rows, with_version};

/// Prints the worst input of a function.
fn row(
    rows: &Rows,
    (name, krate, reference): (&str, &str, &str),
    range: Option<RangeInclusive<f32>>,
    function: impl Fn(f32) -> f32 + Sync,
    exact: impl Fn(f32) -> f64 + Sync,
) {
    let check = agrees(function, exact, Ulps(f64::INFINITY));
    let inputs = range.as_ref().map_or_else(|| all::<f32>().name(), Space::name);
    let report = match range {
        Some(range) => rows.sweep(range, name, &check),
        None => rows.sweep(all::<f32>(), name, &check),
    };
    let Some(report) = report else { return };
    let worst = report.worst.expect("at least one input");
    println!(
        "figure: function=`{name}` of {}; reference={reference}; inputs={inputs}; number={}; worst error in ULP={:.4}; at={}; CPU s={:.0}",
        with_version(krate),
        report.values,
        worst.deviation,
        worst.value,
        report.cpu_seconds.unwrap_or_default(),
    );
}

pub(crate) fn rows(rows: &Rows) {
    let (of_libm, of_std) = ("`f64` of libm", "`f64` of std");
    row(rows, ("expf", "libm", of_libm), None, libm::expf, |x| libm::exp(x.into()));
    row(rows, ("logf", "libm", of_std), None, libm::logf, |x| f64::from(x).ln());
    row(rows, ("cbrtf", "libm", of_std), None, libm::cbrtf, |x| f64::from(x).cbrt());
    row(rows, ("tanhf", "libm", of_std), None, libm::tanhf, |x| f64::from(x).tanh());
    row(rows, ("asinf", "libm", of_std), Some(-1.0..=1.0), libm::asinf, |x| f64::from(x).asin());
    row(rows, ("sinf", "libm", of_std), Some(-100.0..=100.0), libm::sinf, |x| f64::from(x).sin());
    row(rows, ("sqrt", "micromath", of_std), Some(f32::MIN_POSITIVE..=f32::MAX), F32Ext::sqrt, |x| {
        f64::from(x).sqrt()
    });
    row(rows, ("exp", "micromath", of_std), Some(-87.0..=88.0), F32Ext::exp, |x| f64::from(x).exp());
}
