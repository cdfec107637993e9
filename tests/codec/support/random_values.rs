//! Random values of a given encoded length. Needs only `core`.

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

    /// Returns a random number of at most `bits` bits whose encoding takes `len` bytes.
    pub fn wire(&mut self, bits: u32, len: usize) -> u128 {
        let (first, last) = wire_range(bits, len);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let width = last - first;
        first + if width == u128::MAX { any } else { any % (width + 1) }
    }
}

/// Returns the smallest and the largest number of at most `bits` bits whose encoding takes `len`
/// bytes.
pub fn wire_range(bits: u32, len: usize) -> (u128, u128) {
    let first = if len == 1 { 0 } else { 1 << (7 * (len - 1)) };
    let last = if len == longest(bits) { u128::MAX >> (128 - bits) } else { (1 << (7 * len)) - 1 };
    (first, last)
}

/// Returns the length of the longest encoding: one byte for each group of 7 bits.
pub const fn longest(bits: u32) -> usize {
    bits.div_ceil(7) as usize
}
