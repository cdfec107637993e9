//! The numbers that are encoded and decoded: sets from a fixed seed, the same on every machine.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zigzag_varint::{Integer, Kernel, zigzag};

/// Results are comparable only with the same seed.
const SEED: u64 = 0x7a69_677a_6167_0001;

/// The number of values of a stream that does not fit the inner caches.
pub(crate) const LONG: usize = 64 * 1024;
/// The number of streams of [`LONG`] values that a benchmark handles in turn. CPUs learn the
/// branches of one stream.
const STREAMS: usize = 16;
/// The number of values of a stream that fits the L1 cache, values and bytes together. It is so
/// short that the CPU learns its branches.
pub(crate) const SHORT: usize = 1024;

/// A set of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    /// All of this many bytes.
    Bytes(u32),
    /// 70 % of 1 byte, 20 % of 2, 8 % of 3 and 4, 2 % of 5 and more, as in protobuf messages.
    Mix,
    /// 95 % of 1 byte, the others of 5 and more, in random places.
    Skew,
    /// 86 % of 1 byte, 13 % of 2, 1 % of 3, as in map tiles.
    Tile,
    /// All lengths are equally likely, so that no branch is predictable.
    Log,
    /// Uniform over the whole type: nearly all have one of the two greatest lengths.
    Rand,
    /// Consecutive from 100,000,000, like keys or timestamps (4 bytes).
    From1e8,
    /// The zigzag numbers of MIN, MIN + 1, ...: all of the greatest length.
    FromMin,
    /// Tags and values of a message with four fields, in the same order each time: a small value, a shorter
    /// one, an id of 4 or 5 bytes and a time of 6.
    Message,
    /// 3, 4 and 5 bytes, each equally often, like ids of documents in no order.
    Ids,
}

impl Set {
    /// Those of the headline.
    pub(crate) const HEADLINE: [Self; 9] = [
        Self::Bytes(1),
        Self::Bytes(2),
        Self::Mix,
        Self::Skew,
        Self::Tile,
        Self::Log,
        Self::Rand,
        Self::From1e8,
        Self::FromMin,
    ];

    pub(crate) fn name(self) -> String {
        let name = match self {
            Self::Bytes(length) => return format!("{length}B"),
            Self::Mix => "mix",
            Self::Skew => "skew",
            Self::Tile => "tile",
            Self::Log => "log",
            Self::Rand => "rand",
            Self::From1e8 => "1e8",
            Self::FromMin => "MIN",
            Self::Message => "msg",
            Self::Ids => "ids",
        };
        name.into()
    }

    /// Whether all encodings have the same length.
    fn has_one_length(self) -> bool {
        matches!(self, Self::Bytes(_) | Self::From1e8 | Self::FromMin)
    }

    /// Returns the number at `index`, as it is on the wire.
    fn wire<T: Int>(self, index: u64, rng: &mut impl Rng) -> u64 {
        let longest = T::MAX_LEN as u32;
        match self {
            Self::Bytes(length) => of_length::<T>(length, rng),
            Self::Mix | Self::Skew | Self::Tile => {
                let length = match (self, below(100, rng)) {
                    (Self::Mix, 0..70) | (Self::Skew, 0..95) | (Self::Tile, 0..86) => 1,
                    (Self::Mix, 70..90) | (Self::Tile, 86..99) => 2,
                    (Self::Mix, 90..98) => 3 + below(2, rng),
                    (Self::Tile, _) => 3,
                    _ => 5 + below(longest - 4, rng),
                };
                of_length::<T>(length, rng)
            }
            Self::Log => of_length::<T>(1 + below(longest, rng), rng),
            Self::Rand => rng.next_u64() & T::WIRE_MAX,
            Self::From1e8 => T::from_number(100_000_000 + index).to_wire(),
            Self::FromMin => T::WIRE_MAX - 2 * index,
            Self::Message => {
                let length = match (index % 8, below(10, rng)) {
                    (1, 8..) => 2,
                    (5, 0..5) => 4,
                    (5, _) => 5,
                    (7, _) => 6,
                    _ => 1,
                };
                of_length::<T>(length.min(longest), rng)
            }
            Self::Ids => of_length::<T>(3 + below(3, rng), rng),
        }
    }
}

/// Returns a uniform number in `0..n`. The bias of the remainder is below one in 2^57.
fn below(n: u32, rng: &mut impl Rng) -> u32 {
    (rng.next_u64() % u64::from(n)) as u32
}

/// Returns a uniform number among those whose encoding has `length` bytes.
fn of_length<T: Int>(length: u32, rng: &mut impl Rng) -> u64 {
    let least = if length == 1 { 0 } else { 1 << (7 * (length - 1)) };
    let most = (u64::MAX >> 64u32.saturating_sub(7 * length)) & T::WIRE_MAX;
    loop {
        let number = rng.next_u64() & most;
        if number >= least {
            return number;
        }
    }
}

/// A type that is benchmarked.
pub(crate) trait Int: Integer {
    const NAME: &'static str;
    /// The greatest number on the wire.
    const WIRE_MAX: u64;

    fn to_wire(self) -> u64;
    fn from_wire(wire: u64) -> Self;
    fn from_number(number: u64) -> Self;
}

macro_rules! types {
    ($($int:ident $name:literal |$value:ident| $to:expr, |$wire:ident| $from:expr;)*) => {$(
        impl Int for $int {
            const NAME: &'static str = $name;
            const WIRE_MAX: u64 = u64::MAX >> (64 - $int::BITS);

            fn to_wire(self) -> u64 {
                let $value = self;
                $to
            }
            fn from_wire($wire: u64) -> Self {
                $from
            }
            fn from_number(number: u64) -> Self {
                number as Self
            }
        }
    )*};
}
types! {
    u64 "u64" |value| value, |wire| wire;
    u32 "u32" |value| u64::from(value), |wire| wire as u32;
    i64 "i64-zigzag" |value| zigzag::i64_to_u64(value), |wire| zigzag::u64_to_i64(wire);
}

/// Numbers and their encodings, one after another.
pub(crate) struct Stream<T> {
    pub(crate) values: Vec<T>,
    pub(crate) bytes: Vec<u8>,
}

impl<T: Int> Stream<T> {
    /// Returns the first `count` numbers of a set. The scalar kernel encodes them, and the bytes
    /// are checked against the values.
    pub(crate) fn new(set: Set, count: usize) -> Self {
        Self::draw(set, count, &mut Xoshiro256PlusPlus::seed_from_u64(SEED))
    }

    /// Returns the streams of a benchmark, the first of which is `Stream::new(set, count)`. There
    /// is only one if it is short, or if it has no branches to learn.
    pub(crate) fn several(set: Set, count: usize) -> Vec<Self> {
        let streams = if count == LONG && !set.has_one_length() { STREAMS } else { 1 };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        (0..streams).map(|_| Self::draw(set, count, &mut rng)).collect()
    }

    fn draw(set: Set, count: usize, rng: &mut impl Rng) -> Self {
        let values: Vec<T> = (0..count as u64).map(|index| T::from_wire(set.wire::<T>(index, rng))).collect();

        let mut bytes = vec![0; Self::max_len(count)];
        let len =
            Kernel::SCALAR.encode_slice::<T>(&values, &mut bytes).expect("space for the longest encodings");
        bytes.truncate(len);

        let mut at = 0;
        for &value in &values {
            let (decoded, len) = T::decode(&bytes[at..]).expect("a valid stream");
            assert_eq!(decoded, value, "{} {}", T::NAME, set.name());
            at += len;
        }
        assert_eq!(at, bytes.len(), "{} {}", T::NAME, set.name());
        Self { values, bytes }
    }

    /// Returns the greatest length of `count` encoded values: the size of a caller's buffer that is
    /// made without a call of `encoded_len_slice`.
    pub(crate) fn max_len(count: usize) -> usize {
        count * T::MAX_LEN
    }
}
