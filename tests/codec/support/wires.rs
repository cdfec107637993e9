//! Numbers on the wire of at most `bits` bits, and edge cases: every encoded length, its breakpoints,
//! and every kind of invalid varint.

pub use super::random_values::{Rng, longest, wire_range};

/// A length of more than three of the widest windows.
pub const THREE_WINDOWS: usize = 3 * 64 + 20;

/// Returns the smallest and the largest number of every encoded length, and their neighbours.
pub fn breakpoints(bits: u32) -> Vec<u128> {
    let ends = (1..=longest(bits)).flat_map(|len| <[u128; 2]>::from(wire_range(bits, len)));
    let near = ends.flat_map(|end| [end.saturating_sub(1), end, end.saturating_add(1)]);
    let mut wires: Vec<u128> = near.filter(|wire| wire >> (bits - 1) <= 1).collect();
    wires.sort_unstable();
    wires.dedup();
    wires
}

/// Returns `n` numbers of one encoded length.
pub fn uniform(bits: u32, len: usize, n: usize) -> Vec<u128> {
    let mut rng = Rng(len as u64);
    (0..n).map(|_| rng.wire(bits, len)).collect()
}

/// Returns `n` numbers whose encoded lengths are drawn from `1..=longest`.
pub fn mixed(bits: u32, longest: usize, n: usize) -> Vec<u128> {
    let mut rng = Rng(longest as u64 + 100);
    (0..n)
        .map(|_| {
            let len = 1 + rng.below(longest);
            rng.wire(bits, len)
        })
        .collect()
}

/// Returns streams in which tests place edge cases: one for each encoded length, and mixes of
/// lengths 1 to 2, 1 to 4, and of all lengths.
pub fn backgrounds(bits: u32, n: usize) -> Vec<Vec<u128>> {
    let longest = longest(bits);
    let mut backgrounds: Vec<_> = (1..=longest).map(|len| uniform(bits, len, n)).collect();
    backgrounds.extend([2, longest.min(4), longest].map(|longest| mixed(bits, longest, n)));
    backgrounds
}

/// Returns byte sequences at, just below and just above the limits of `bits` bits, valid and invalid.
pub fn edge_cases(bits: u32) -> Vec<Vec<u8>> {
    let groups = longest(bits) - 1;
    let max_last = (u128::MAX >> (128 - bits) >> (7 * groups)) as u8;
    let run = |byte: u8, n: usize, end: &[u8]| [&vec![byte; n], end].concat();
    vec![
        vec![0x00],
        vec![0x80],
        vec![0xff],
        run(0x80, 1, &[0x00]),
        run(0x80, 2, &[0x00]),
        run(0x81, groups.min(5), &[0x00]),
        run(0x80, groups.saturating_sub(1), &[0x00]),
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

/// Returns the positions of a stream, by default all of them, or every seventh for types of more than 64
/// bits, which are converted for the kernels of 64 bits. ZIGZAG_VARINT_TEST_STRIDE=7 selects every
/// seventh for all types. The first position depends on `turn`, so that all turns together cover every one.
pub fn positions(bits: u32, end: usize, turn: usize) -> impl Iterator<Item = usize> {
    let chosen = std::env::var("ZIGZAG_VARINT_TEST_STRIDE");
    let chosen: usize = chosen.map_or(1, |stride| stride.parse().expect("the stride is a number"));
    let stride = chosen.max(if bits > 64 { 7 } else { 1 });
    (turn % stride..end).step_by(stride)
}
