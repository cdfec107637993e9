//! The sets of values: the first five of `benches/src/corpus.rs`, from another generator.

use zigzag_varint::Varint;

/// The number of values of a stream.
pub(crate) const N: usize = 64 * 1024;

/// A set of values.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    OneByte,
    TwoBytes,
    Mix,
    Log,
    Rand,
}

/// A type that is measured.
pub(crate) trait Int: Varint + Default {
    const BITS: u32;

    fn truncated(wire: u64) -> Self;
}

impl Int for u32 {
    const BITS: u32 = Self::BITS;

    fn truncated(wire: u64) -> Self {
        wire as Self
    }
}

impl Int for u64 {
    const BITS: u32 = Self::BITS;

    fn truncated(wire: u64) -> Self {
        wire
    }
}

impl Set {
    pub(crate) const ALL: [Self; 5] = [Self::OneByte, Self::TwoBytes, Self::Mix, Self::Log, Self::Rand];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OneByte => "1B",
            Self::TwoBytes => "2B",
            Self::Mix => "mix",
            Self::Log => "log",
            Self::Rand => "rand",
        }
    }

    pub(crate) fn values<T: Int>(self) -> [T; N] {
        let mut state = 1;
        core::array::from_fn(|_| T::truncated(self.wire::<T>(&mut state)))
    }

    fn wire<T: Int>(self, state: &mut u64) -> u64 {
        let longest = T::MAX_LEN as u64;
        match self {
            Self::OneByte => of_length::<T>(1, state),
            Self::TwoBytes => of_length::<T>(2, state),
            Self::Mix => {
                let length = match random(state) % 100 {
                    0..70 => 1,
                    70..90 => 2,
                    90..98 => 3 + random(state) % 2,
                    _ => 5 + random(state) % (longest - 4),
                };
                of_length::<T>(length, state)
            }
            Self::Log => {
                let length = 1 + random(state) % longest;
                of_length::<T>(length, state)
            }
            Self::Rand => random(state) >> (64 - T::BITS),
        }
    }
}

/// Returns a random value whose encoding takes `length` bytes.
fn of_length<T: Int>(length: u64, state: &mut u64) -> u64 {
    let bits = T::BITS.min(7 * length as u32);
    let least = if length == 1 { 0 } else { 1 << (7 * (length - 1)) };
    loop {
        let wire = random(state) >> (64 - bits);
        if wire >= least {
            return wire;
        }
    }
}

/// SplitMix64.
pub(crate) fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
