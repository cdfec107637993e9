//! Oracles: what the bytes of a codec must be.

mod fixed_length;
mod leb128;

use self::leb128::{Runs, wire_number};
use crate::check::function::{Block, Origin};
use crate::plan::integer::{Integer, MAX_LEN};

/// The expected bytes of a codec, for a [`RoundTrip`](crate::RoundTrip): one of the wire formats of
/// [`Wire`], or one of your own for values of any type.
///
/// An oracle should share no code with the codec, and differ from it in its method. It may be slow:
/// a sweep then checks fewer values in its time.
///
/// ```
/// use every_input::{Oracle, RoundTrip, all, codec_from_fns, exhaustive};
///
/// /// A byte that says how many bytes follow, then these, the lowest first.
/// struct Prefixed;
///
/// impl Oracle<u16> for Prefixed {
///     type Memory = ();
///
///     fn name(&self) -> &str {
///         "prefixed"
///     }
///
///     fn max_len(&self) -> usize {
///         3
///     }
///
///     fn encode(&self, value: &u16, dst: &mut Vec<u8>) {
///         match value {
///             0 => dst.push(0),
///             1..256 => dst.extend([1, *value as u8]),
///             _ => dst.extend([2, (value % 256) as u8, (value / 256) as u8]),
///         }
///     }
/// }
///
/// let encode = |value: u16, dst: &mut [u8]| {
///     let len = 2 - value.leading_zeros() as usize / 8;
///     dst[0] = len as u8;
///     dst[1..=len].copy_from_slice(&value.to_le_bytes()[..len]);
///     Ok(1 + len)
/// };
/// let decode = |src: &[u8]| {
///     let len = usize::from(src[0]);
///     Ok((src[1..=len].iter().rev().fold(0, |value, &byte| value << 8 | u16::from(byte)), 1 + len))
/// };
/// exhaustive(all::<u16>()).check_with(RoundTrip::new(&codec_from_fns("mine", encode, decode), Prefixed));
/// ```
pub trait Oracle<T>: Sync {
    /// What each thread keeps from block to block.
    type Memory: Default;

    /// Returns the name of the wire format for the report. Only sweeps with the same name continue
    /// each other's checkpoints, and are merged.
    fn name(&self) -> &str;

    /// Returns the length of the longest encoding in bytes.
    fn max_len(&self) -> usize;

    /// Appends the encoding of a value.
    fn encode(&self, value: &T, dst: &mut Vec<u8>);

    /// Returns whether `got` contains exactly the encodings of a block, one after another.
    ///
    /// By default each value is encoded.
    fn matches(&self, block: &Block<'_, T>, got: &[u8], memory: &mut Self::Memory) -> bool {
        let _ = memory;
        are_encodings(self, block, got)
    }
}

fn are_encodings<T, O: Oracle<T> + ?Sized>(oracle: &O, values: &[T], got: &[u8]) -> bool {
    let mut expected = Vec::with_capacity(got.len());
    values.iter().for_each(|value| oracle.encode(value, &mut expected));
    expected == got
}

/// No oracle: all bytes pass that decode to the same values, and are no longer than allowed.
///
/// A codec passes too if its encoder and its decoder share a fault.
#[derive(Clone, Copy, Debug)]
pub struct NoOracle {
    /// The length of the longest encoding in bytes. A call may write this many for each value.
    pub max_len: usize,
}

impl<T> Oracle<T> for NoOracle {
    type Memory = ();

    fn name(&self) -> &str {
        ANY
    }

    fn max_len(&self) -> usize {
        self.max_len
    }

    fn encode(&self, _: &T, _: &mut Vec<u8>) {}

    fn matches(&self, _: &Block<'_, T>, _: &[u8], (): &mut ()) -> bool {
        true
    }
}

/// The name of all wire formats together, for a round trip without an oracle.
pub(crate) const ANY: &str = "any";

/// The name of the wire format by whose lengths reports count.
pub(crate) const LEB128: &str = "leb128";

/// A wire format of integers, as an [`Oracle`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wire {
    /// Unsigned LEB128, as in Protocol Buffers; signed types by zigzag. Its sweep is the fastest.
    #[default]
    Leb128,
    /// Signed LEB128, as in DWARF and WebAssembly: bit 6 of the last byte is the sign.
    SignedLeb128,
    /// `PrefixVarint`, as in the crate `vint64`: the number of zeros at the low end of the first byte
    /// is the number of bytes after it, at most eight. Signed types by zigzag.
    PrefixVarint,
}

impl Wire {
    /// All wire formats.
    pub const ALL: [Self; 3] = [Self::Leb128, Self::SignedLeb128, Self::PrefixVarint];

    /// Returns the name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Leb128 => LEB128,
            Self::SignedLeb128 => "sleb128",
            Self::PrefixVarint => "prefix-varint",
        }
    }
}

impl<T: Integer> Oracle<T> for Wire {
    type Memory = Runs;

    fn name(&self) -> &str {
        (*self).name()
    }

    fn max_len(&self) -> usize {
        if *self == Self::PrefixVarint { T::MAX_LEN.min(9) } else { T::MAX_LEN }
    }

    fn encode(&self, value: &T, dst: &mut Vec<u8>) {
        let value = value.to_i128();
        match self {
            Self::Leb128 => {
                let mut bytes = [0; MAX_LEN];
                let len = leb128::encode(value, T::SIGNED, &mut bytes);
                dst.extend_from_slice(&bytes[..len]);
            }
            Self::SignedLeb128 => signed_leb128(value, dst),
            Self::PrefixVarint => prefix_varint(wire_number(value, T::SIGNED), dst),
        }
    }

    fn matches(&self, values: &Block<'_, T>, got: &[u8], memory: &mut Self::Memory) -> bool {
        let first = values.first().map_or(0, |value| value.to_i128());
        let is_match = match values.origin {
            _ if *self != Self::Leb128 => false,
            // In a space of other values, those with consecutive numbers may not be consecutive.
            Origin::Consecutive(number) if first == T::MIN + i128::from(number) => {
                memory.match_all(first, values.len(), T::SIGNED, got)
            }
            Origin::Drawn => {
                let length = leb128::encode(first, T::SIGNED, &mut [0; MAX_LEN]);
                fixed_length::matches(values, length, got)
            }
            _ => false,
        };
        // Nor need draws from one class have one length.
        is_match || are_encodings(self, values, got)
    }
}

/// Appends the digits of a number in base 128, the lowest first. The digits above the last are all 0,
/// or all 127 if the number is negative, and so is the upper half of the last.
fn signed_leb128(mut number: i128, dst: &mut Vec<u8>) {
    while !(-64..64).contains(&number) {
        dst.push((number.rem_euclid(128) + 128) as u8);
        number = number.div_euclid(128);
    }
    dst.push(number.rem_euclid(128) as u8);
}

/// Appends a number in base 256, the lowest digit first. An encoding of `len` bytes is an odd number
/// times 2^(`len` - 1), and the value is half of the odd number. The longest has a first byte of 0.
fn prefix_varint(value: u128, dst: &mut Vec<u8>) {
    let len = (1..=8).find(|&len| value < 128u128.pow(len));
    let number = len.map_or(value * 256, |len| (2 * value + 1) * 2u128.pow(len - 1));
    dst.extend((0..len.unwrap_or(9)).map(|place| (number / 256u128.pow(place) % 256) as u8));
}

#[cfg(test)]
mod tests {
    use integer_encoding::VarInt;
    use proptest::prelude::*;

    use super::*;

    fn encoded<T: Integer>(wire: Wire, value: T) -> Vec<u8> {
        let mut bytes = Vec::new();
        wire.encode(&value, &mut bytes);
        assert!(bytes.len() <= Oracle::<T>::max_len(&wire));
        bytes
    }

    #[test]
    fn signed_leb128_has_the_examples_of_dwarf() {
        // DWARF 5, table 7.8, and the limits of lengths.
        let examples: [(i64, &[u8]); 6] = [
            (2, &[2]),
            (-2, &[0x7e]),
            (127, &[127 + 0x80, 0]),
            (-129, &[0x7f + 0x80, 0x7e]),
            (-65, &[0x3f + 0x80, 0x7f]),
            (i64::MIN, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]),
        ];
        for (value, bytes) in examples {
            assert_eq!(encoded(Wire::SignedLeb128, value), bytes, "{value}");
        }
        assert_eq!(encoded(Wire::SignedLeb128, u8::MAX), [0xff, 1]);
        assert_eq!(encoded(Wire::SignedLeb128, u64::MAX).len(), 10);
        assert_eq!(encoded(Wire::SignedLeb128, -1i8), [0x7f]);
    }

    #[test]
    fn prefix_varints_have_the_bits_of_the_table_of_vint64() {
        // The greatest value of each length, whose bits are all 1.
        let greatest = [0xff, 0xfe, 0xfc, 0xf8, 0xf0, 0xe0, 0xc0, 0x80].into_iter();
        for (further, first) in greatest.enumerate() {
            let bytes = encoded(Wire::PrefixVarint, (1u64 << (7 * (further + 1))) - 1);
            assert_eq!(bytes, [&[first], &[0xff; 7][..further]].concat());
        }
        assert_eq!(encoded(Wire::PrefixVarint, 1u64 << 56), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(encoded(Wire::PrefixVarint, u64::MAX), [&[0][..], &[0xff; 8]].concat());
        for (value, bytes) in [(0u64, &[1][..]), (42, &[0x55]), (128, &[2, 2]), (0x0f0f, &[0x3e, 0x3c])] {
            assert_eq!(encoded(Wire::PrefixVarint, value), bytes);
        }
        assert_eq!(encoded(Wire::PrefixVarint, -2i16), [2 * 3 + 1]);
        assert_eq!(encoded(Wire::PrefixVarint, 2i16), [2 * 4 + 1]);
    }

    #[test]
    fn consecutive_numbers_and_classes_of_another_space_need_not_be_those_of_the_type() {
        let values = [5u32, 300, 2];
        let mut got = Vec::new();
        values.iter().for_each(|value| Wire::Leb128.encode(value, &mut got));
        for origin in [Origin::Consecutive(5), Origin::Consecutive(1), Origin::Drawn, Origin::Other] {
            let matches =
                |got: &[u8]| Wire::Leb128.matches(&Block::new(&values, origin), got, &mut Runs::default());
            assert!(matches(&got) && !matches(&got[..3]), "{origin:?}");
        }
    }

    /// Returns values of all encoded lengths, half of them beside powers of two.
    fn any_value() -> impl Strategy<Value = i64> {
        (any::<i64>(), 0..64u32, any::<bool>()).prop_map(|(value, shift, is_edge): (i64, u32, bool)| {
            let power = value.signum() << shift;
            if is_edge { power.wrapping_add(value % 2) } else { value >> shift }
        })
    }

    proptest! {
        #[test]
        fn other_implementations_encode_alike(value in any_value()) {
            prop_assert_eq!(encoded(Wire::Leb128, value), value.encode_var_vec());
            prop_assert_eq!(encoded(Wire::Leb128, value as u64), (value as u64).encode_var_vec());
            let mut signed = Vec::new();
            ::leb128::write::signed(&mut signed, value).unwrap();
            prop_assert_eq!(encoded(Wire::SignedLeb128, value), signed);
        }

        #[test]
        fn prefix_varints_are_the_shortest_that_contain_the_value(value in any_value()) {
            let value = value as u64;
            let bytes = encoded(Wire::PrefixVarint, value);
            let len = bytes[0].trailing_zeros() as usize + 1;
            prop_assert_eq!(bytes.len(), len);
            let mut word = [0; 16];
            word[..len].copy_from_slice(&bytes);
            prop_assert_eq!(u128::from_le_bytes(word) >> len.min(8), value.into());
            prop_assert!(len == 1 || value >= 1 << (7 * (len - 1)), "{value} is not the shortest");
        }

        #[test]
        fn every_changed_byte_is_detected(
            values in prop::collection::vec(any_value(), 1..5),
            at in any::<prop::sample::Index>(),
            change in 1u8..,
        ) {
            for (wire, origin) in Wire::ALL.into_iter().flat_map(|wire| [(wire, Origin::Other), (wire, Origin::Drawn)]) {
                let (block, mut runs) = (Block::new(&values, origin), Runs::default());
                let mut got: Vec<u8> = values.iter().flat_map(|&value| encoded(wire, value)).collect();
                prop_assert!(wire.matches(&block, &got, &mut runs));
                let at = at.index(got.len());
                got[at] ^= change;
                prop_assert!(!wire.matches(&block, &got, &mut runs));
            }
        }
    }
}
