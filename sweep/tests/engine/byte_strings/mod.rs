//! The check of decoders on byte strings: a correct decoder passes, and every injected fault is
//! reported.

mod bulk_faults;
mod checkpoint;
mod correct_decoders;
mod coverage;
mod one_value_faults;

use every_input::Failure;

/// Returns the placement that a failure names.
fn placement(failure: &Failure) -> &str {
    let context = failure.context.as_deref().expect("a context");
    let (_, inside) = context.rsplit_once(" (").expect("a placement");
    let inside = inside.strip_prefix("canonical, ").unwrap_or(inside);
    inside.split([',', ')']).next().expect("a placement")
}

/// Returns whether a failure is of a canonical decoding.
fn is_canonical(failure: &Failure) -> bool {
    failure.context.as_deref().is_some_and(|context| context.contains(" (canonical, "))
}
