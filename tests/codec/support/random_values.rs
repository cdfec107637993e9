//! Random values of a given encoded length. Needs only `core`.

use super::int::Int;

/// SplitMix64, a small generator with the same output on every platform.
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

    /// Returns a random value whose encoding takes `len` bytes.
    pub fn value<T: Int>(&mut self, len: usize) -> T {
        let (first, last) = wire_range::<T>(len);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let width = last - first;
        let wire = first + if width == u128::MAX { any } else { any % (width + 1) };
        T::from_wire(wire).expect("within the type")
    }
}

/// Returns the smallest and the largest number on the wire whose encoding takes `len` bytes, 1 to
/// `T::LONGEST`.
pub fn wire_range<T: Int>(len: usize) -> (u128, u128) {
    let first = if len == 1 { 0 } else { 1 << (7 * (len - 1)) };
    let last = if len == T::LONGEST { T::WIRE_MAX } else { (1 << (7 * len)) - 1 };
    (first, last)
}
