//! Oracles: what the bytes of a codec must be.

use crate::check::fixed_length;
use crate::check::function::{Block, Origin};
use crate::check::leb128::{self, ConsecutiveOracle};
use crate::plan::integer::{Integer, MAX_LEN};

/// The wire format of a codec, from which a [`RoundTrip`](crate::RoundTrip) knows the expected bytes.
///
/// An oracle should share no code with the codec, and differ from it in its method. It may be slow:
/// a sweep then checks fewer values in its time.
pub trait Oracle<T>: Sync {
    /// What each thread keeps from block to block.
    type Memory: Default;

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

/// Returns whether `got` contains exactly the encodings of these values.
fn are_encodings<T, O: Oracle<T> + ?Sized>(oracle: &O, values: &[T], got: &[u8]) -> bool {
    let mut expected = Vec::with_capacity(got.len());
    values.iter().for_each(|value| oracle.encode(value, &mut expected));
    expected == got
}

/// LEB128 as in Protocol Buffers: unsigned types as they are, signed types by zigzag.
#[derive(Clone, Copy, Debug)]
pub struct Leb128;

impl<T: Integer> Oracle<T> for Leb128 {
    /// The number of the next value, and the oracle that expects it.
    type Memory = Option<(u64, ConsecutiveOracle)>;

    fn max_len(&self) -> usize {
        T::MAX_LEN
    }

    fn encode(&self, value: &T, dst: &mut Vec<u8>) {
        let mut bytes = [0; MAX_LEN];
        let len = leb128::encode(value.to_i128(), T::SIGNED, &mut bytes);
        dst.extend_from_slice(&bytes[..len]);
    }

    fn matches(&self, values: &Block<'_, T>, got: &[u8], memory: &mut Self::Memory) -> bool {
        let first = values.first().map_or(0, |value| value.to_i128());
        let is_match = match values.origin() {
            // In a space of other values, those with consecutive numbers may not be consecutive.
            Origin::Consecutive(number) if first == T::MIN + i128::from(number) => {
                let start = || ConsecutiveOracle::starting_at(first, T::SIGNED);
                let (next, oracle) = memory.get_or_insert_with(|| (number, start()));
                if *next != number {
                    *oracle = start();
                }
                *next = number.wrapping_add(values.len() as u64);
                oracle.check(values.len(), got)
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
