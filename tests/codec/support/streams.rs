//! Edge cases: every encoded length, its breakpoints, and every kind of invalid varint.

use super::oracle::Int;
pub use super::random_values::{Rng, wire_range};

/// Returns the smallest and the largest value of every encoded length, and their neighbours.
pub fn breakpoints<T: Int>() -> Vec<T> {
    let ends = (1..=T::LONGEST).flat_map(|len| <[u128; 2]>::from(wire_range::<T>(len)));
    let mut wires: Vec<u128> =
        ends.flat_map(|end| [end.saturating_sub(1), end, end.saturating_add(1)]).collect();
    wires.sort_unstable();
    wires.dedup();
    wires.into_iter().filter_map(T::from_wire).collect()
}

/// Returns `n` values of one encoded length.
pub fn uniform<T: Int>(len: usize, n: usize) -> Vec<T> {
    let mut rng = Rng(len as u64);
    (0..n).map(|_| rng.value(len)).collect()
}

/// Returns `n` values whose encoded lengths are drawn from `1..=longest`.
pub fn mixed<T: Int>(longest: usize, n: usize) -> Vec<T> {
    let mut rng = Rng(longest as u64 + 100);
    (0..n)
        .map(|_| {
            let len = 1 + rng.below(longest);
            rng.value(len)
        })
        .collect()
}

/// Returns streams in which tests place edge cases: one for each encoded length, and mixes of
/// lengths 1 to 2, 1 to 4, and of all lengths.
pub fn backgrounds<T: Int>(n: usize) -> Vec<Vec<T>> {
    let mut backgrounds: Vec<_> = (1..=T::LONGEST).map(|len| uniform(len, n)).collect();
    backgrounds.push(mixed(2, n));
    backgrounds.push(mixed(T::LONGEST.min(4), n));
    backgrounds.push(mixed(T::LONGEST, n));
    backgrounds
}

/// Returns byte sequences at, just below and just above the limits of the type, valid and invalid.
pub fn edge_cases<T: Int>() -> Vec<Vec<u8>> {
    let groups = T::LONGEST - 1;
    edge_cases_at(groups, (T::WIRE_MAX >> (7 * groups)) as u8)
}

/// Returns the edge cases of a type whose longest encoding has `groups` continuation bytes and a
/// last byte of at most `max_last`.
fn edge_cases_at(groups: usize, max_last: u8) -> Vec<Vec<u8>> {
    let run = |byte: u8, n: usize, end: &[u8]| [&vec![byte; n], end].concat();
    vec![
        vec![0x00],
        vec![0x80],
        vec![0xff],
        run(0x80, 1, &[0x00]),
        run(0x80, 2, &[0x00]),
        run(0x81, groups.min(5), &[0x00]),
        run(0x80, groups - 1, &[0x00]),
        run(0x80, groups, &[0x00]),
        run(0x80, groups, &[0x01]),
        run(0xff, groups, &[0x00]),
        run(0xff, groups, &[max_last]),
        run(0xff, groups, &[max_last + 1]),
        run(0xff, groups, &[0x7f]),
        run(0x80, groups, &[0x40]),
        run(0x80, groups, &[0x80, 0x00]),
        run(0x80, groups, &[0x80, 0x80, 0x00]),
        run(0x80, groups, &[0x80, 0x80, 0x01]),
        run(0x81, groups, &[0x81, 0x01]),
        run(0xff, groups, &[0xff, 0xff, 0x7f]),
        run(0x80, 3 * groups + 3, &[0x01]),
    ]
}
