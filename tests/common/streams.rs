//! Values and bytes that hurt: every encoded length, its breakpoints, and every kind of bad varint.

use super::naive::Int;

/// SplitMix64: small, and the same everywhere.
#[derive(Clone)]
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Any value whose encoding takes `len` bytes.
    pub fn value<T: Int>(&mut self, len: usize) -> T {
        let (first, last) = wire_range::<T>(len);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let width = last - first;
        let wire = first + if width == u128::MAX { any } else { any % (width + 1) };
        T::from_wire(wire).expect("within the type")
    }
}

/// The least and the greatest wire number whose encoding takes `len` bytes, 1 to `T::LONGEST`.
pub fn wire_range<T: Int>(len: usize) -> (u128, u128) {
    let first = if len == 1 { 0 } else { 1 << (7 * (len - 1)) };
    let last = if len == T::LONGEST { T::WIRE_MAX } else { (1 << (7 * len)) - 1 };
    (first, last)
}

/// Both ends of every encoded length and their neighbours.
pub fn breakpoints<T: Int>() -> Vec<T> {
    let ends = (1..=T::LONGEST).flat_map(|len| <[u128; 2]>::from(wire_range::<T>(len)));
    let mut wires: Vec<u128> =
        ends.flat_map(|end| [end.saturating_sub(1), end, end.saturating_add(1)]).collect();
    wires.sort_unstable();
    wires.dedup();
    wires.into_iter().filter_map(T::from_wire).collect()
}

/// `n` values of one encoded length.
pub fn uniform<T: Int>(len: usize, n: usize) -> Vec<T> {
    let mut rng = Rng(len as u64);
    (0..n).map(|_| rng.value(len)).collect()
}

/// `n` values whose encoded lengths are drawn from `1..=longest`.
pub fn mixed<T: Int>(longest: usize, n: usize) -> Vec<T> {
    let mut rng = Rng(longest as u64 + 100);
    (0..n)
        .map(|_| {
            let len = 1 + rng.below(longest);
            rng.value(len)
        })
        .collect()
}

/// Streams to plant things in: each uniform length, mixes of short, all and mostly short values.
pub fn backgrounds<T: Int>(n: usize) -> Vec<Vec<T>> {
    let mut backgrounds: Vec<_> = (1..=T::LONGEST).map(|len| uniform(len, n)).collect();
    backgrounds.push(mixed(2, n));
    backgrounds.push(mixed(T::LONGEST.min(4), n));
    backgrounds.push(mixed(T::LONGEST, n));
    backgrounds
}

/// Byte sequences at, just below and just above the limits of the type, legal and illegal.
pub fn nasty<T: Int>() -> Vec<Vec<u8>> {
    let groups = T::LONGEST - 1;
    nasty_at(groups, (T::WIRE_MAX >> (7 * groups)) as u8)
}

/// For a type whose longest encoding is `groups` full bytes and one of at most `greatest`.
fn nasty_at(groups: usize, greatest: u8) -> Vec<Vec<u8>> {
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
        run(0xff, groups, &[greatest]),
        run(0xff, groups, &[greatest + 1]),
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
