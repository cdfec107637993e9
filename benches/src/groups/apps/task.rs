//! The measurement of a task.

use criterion::Criterion;
use zigzag_varint::Kernel;

use crate::measure::Group;

/// A name and the task, which replaces the result.
type Contender<'a, R> = (&'a str, &'a dyn Fn(&mut R));

/// Measures a task on `values` values of `bytes` bytes. Each contender must have the expected result.
pub(super) fn bench<R: Default + PartialEq>(
    criterion: &mut Criterion,
    name: String,
    (values, bytes): (usize, usize),
    expected: &R,
    contenders: &[Contender<'_, R>],
) {
    let mut group = Group::new(criterion, name, values).with_bytes(values, bytes).with_allocations();
    for (name, task) in contenders {
        group.bench(name, &mut R::default(), |_| (), |result| task(result), |result, ()| result == expected);
    }
    group.finish();
}

/// Returns the name of this crate's contender: the kernel that its free functions use.
pub(super) fn ours() -> String {
    format!("ours-{}", Kernel::detect())
}
