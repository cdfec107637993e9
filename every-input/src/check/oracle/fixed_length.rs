//! The oracle for values whose encodings have one length: reads the bytes back by arithmetic.
//!
//! An encoding of `L` bytes has `L` digits in base 128, the lowest first, and 128 is added to each
//! but the last. So subtracting those 128s from the bytes must leave digits below 128, and the sum
//! of the digits times the powers of 128 must be the number. Both together hold for one sequence of
//! bytes only, since a number has one representation in base 128.
//!
//! The digits are added in pairs, all pairs of a word at once. This needs no branch and no division,
//! so it takes a fraction of the time of [`encode`](super::leb128::encode).

use crate::plan::integer::{Integer, MAX_LEN};

/// The number of values that are checked together.
const PART: usize = 256;

/// Returns whether `got` contains exactly the encodings of `values`, all of which take `length`
/// bytes.
pub(crate) fn matches<T: Integer>(values: &[T], length: usize, got: &[u8]) -> bool {
    let mut numbers = [0; PART];
    let is_match = |(values, got): (&[T], &[u8])| {
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = number_of(*value);
        }
        numbers_match(&numbers[..values.len()], length, got)
    };
    got.len() == values.len() * length && values.chunks(PART).zip(got.chunks(PART * length)).all(is_match)
}

/// Returns the number on the wire, in 64 bits so that the loop is vectorized.
#[inline(always)]
fn number_of<T: Integer>(value: T) -> u64 {
    let value = value.to_i128() as i64;
    match (T::SIGNED, value < 0) {
        (false, _) => value as u64,
        (true, false) => value.wrapping_mul(2) as u64,
        (true, true) => value.wrapping_mul(-2).wrapping_sub(1) as u64,
    }
}

/// Returns whether these are the encodings of the numbers. It is compiled once for all types.
fn numbers_match(numbers: &[u64], length: usize, encodings: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // The oracle takes a third of the time of a sample, and half of that with wider vectors.
        #[allow(unsafe_code)]
        // SAFETY: the CPU has AVX2.
        return unsafe { with_avx2(numbers, length, encodings) };
    }
    of_length(numbers, length, encodings)
}

/// [`of_length`], compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(numbers: &[u64], length: usize, encodings: &[u8]) -> bool {
    of_length(numbers, length, encodings)
}

#[inline(always)]
fn of_length(numbers: &[u64], length: usize, encodings: &[u8]) -> bool {
    match length {
        1 => all_match::<1>(numbers, encodings),
        2 => all_match::<2>(numbers, encodings),
        3 => all_match::<3>(numbers, encodings),
        4 => all_match::<4>(numbers, encodings),
        5 => all_match::<5>(numbers, encodings),
        6 => all_match::<6>(numbers, encodings),
        7 => all_match::<7>(numbers, encodings),
        8 => all_match::<8>(numbers, encodings),
        9 => all_match::<9>(numbers, encodings),
        MAX_LEN => all_match::<MAX_LEN>(numbers, encodings),
        _ => false,
    }
}

#[inline(always)]
fn all_match<const L: usize>(numbers: &[u64], encodings: &[u8]) -> bool {
    // This is the inner loop of a sample. It has no early exit, so that it has no branches.
    let differ = numbers.iter().zip(encodings.as_chunks::<L>().0).fold(0, |differ, (number, encoding)| {
        let (read, invalid) = read(encoding);
        differ | (read ^ number) | invalid
    });
    differ == 0
}

/// Returns the number that the bytes represent, and a second number that is 0 if they are the
/// encoding of a number below 2^64 in this length.
#[inline(always)]
fn read<const L: usize>(encoding: &[u8; L]) -> (u64, u64) {
    let ninth = encoding.get(8).copied().unwrap_or(0);
    let tenth = encoding.get(9).copied().unwrap_or(0);
    // The 128s are subtracted from all bytes of the word at once. If a byte is too small for it,
    // its digit becomes 128 or more, whatever happens to the bytes above it.
    let digits = first_eight(encoding).wrapping_sub(const { continuations(L) });
    let ninth = ninth.wrapping_sub(if L > 9 { 128 } else { 0 });
    let invalid = digits & 0x8080_8080_8080_8080 | u64::from(ninth & 0x80);
    // 2^64 is 2 * 128^9.
    let invalid = invalid | u64::from(tenth / 2);

    let pairs = (digits & 0x00ff_00ff_00ff_00ff) + (digits >> 8 & 0x00ff_00ff_00ff_00ff) * 128;
    let quads = (pairs & 0x0000_ffff_0000_ffff) + (pairs >> 16 & 0x0000_ffff_0000_ffff) * 128u64.pow(2);
    let eights = (quads & 0xffff_ffff) + (quads >> 32) * 128u64.pow(4);
    // After a digit of 128 or more the sums may overflow. `invalid` is not 0 then.
    let number = eights
        .wrapping_add(u64::from(ninth).wrapping_mul(128u64.pow(8)))
        .wrapping_add(u64::from(tenth).wrapping_mul(128u64.pow(9)));
    (number, invalid)
}

/// Returns the first eight bytes as a little-endian word, with zeros after a shorter encoding.
#[inline(always)]
fn first_eight<const L: usize>(encoding: &[u8; L]) -> u64 {
    if let Some(first) = encoding.first_chunk() {
        u64::from_le_bytes(*first)
    } else if let (Some(first), Some(last)) = (encoding.first_chunk(), encoding.last_chunk()) {
        // Four bytes twice, instead of up to seven single bytes. They overlap in equal bits.
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (L - 4))
    } else {
        encoding.iter().rev().fold(0, |word, &byte| word * 256 + u64::from(byte))
    }
}

/// Returns 128 for each of the first eight bytes of an encoding that is not its last.
const fn continuations(len: usize) -> u64 {
    let mut bytes = [0; 8];
    let mut place = 0;
    while place < 8 && place + 1 < len {
        bytes[place] = 128;
        place += 1;
    }
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::oracle::leb128;

    fn encode<T: Integer>(value: T) -> Vec<u8> {
        let mut bytes = [0; MAX_LEN];
        let len = leb128::encode(value.to_i128(), T::SIGNED, &mut bytes);
        bytes[..len].to_vec()
    }

    /// Returns values of each encoded length: the least and the greatest number with it, and some
    /// between them.
    fn values_by_length<T: Integer>() -> impl Iterator<Item = (usize, Vec<T>)> {
        let powers = (0..64).map(|bit| 1i128 << bit);
        let sums = powers.flat_map(|power| [power - 1, power, power + power / 3, power + power / 5 * 4]);
        let values: Vec<T> = sums
            .flat_map(|sum| [sum, -sum, T::MAX - sum, T::MIN + sum])
            .filter(|value| (T::MIN..=T::MAX).contains(value))
            .map(T::from_i128)
            .collect();
        (1..=T::MAX_LEN).map(move |length| {
            let of_length = values.iter().copied().filter(|&value| encode(value).len() == length);
            (length, of_length.collect())
        })
    }

    /// Returns the result of [`matches`], which is that of the code for every CPU.
    fn agreed<T: Integer>(values: &[T], length: usize, got: &[u8]) -> bool {
        let result = matches(values, length, got);
        if got.len() == values.len() * length {
            let numbers: Vec<u64> = values.iter().copied().map(number_of).collect();
            assert_eq!(of_length(&numbers, length, got), result);
        }
        result
    }

    fn wrong_bytes_are_detected<T: Integer>() {
        for (length, values) in values_by_length::<T>() {
            assert!(values.len() > 1, "{} has values of {length} bytes", T::NAME);
            let mut got: Vec<u8> = values.iter().copied().flat_map(encode).collect();
            assert!(agreed(&values, length, &got), "{length} bytes");
            for at in 0..got.len() {
                for bit in 0..8 {
                    got[at] ^= 1 << bit;
                    assert!(!agreed(&values, length, &got), "bit {bit} of byte {at}, {length} bytes");
                    got[at] ^= 1 << bit;
                }
            }
            for shorter in [got.len() - 1, got.len() - length, 0] {
                assert!(!agreed(&values, length, &got[..shorter]));
            }
            for further in [1, length] {
                assert!(!agreed(&values, length, &[&got[..], &vec![0; further]].concat()));
            }
        }
    }

    #[test]
    fn every_flipped_bit_and_every_missing_or_further_byte_is_detected() {
        wrong_bytes_are_detected::<u64>();
        wrong_bytes_are_detected::<i64>();
        wrong_bytes_are_detected::<u32>();
        wrong_bytes_are_detected::<i32>();
        wrong_bytes_are_detected::<i16>();
        wrong_bytes_are_detected::<u8>();
    }

    #[test]
    fn of_all_last_two_bytes_only_one_pair_matches() {
        for (length, values) in values_by_length::<u64>().skip(1) {
            let expected = encode(values[0]);
            let (upper, lower) = (length - 1, length - 2);
            let mut got = expected.clone();
            for pair in 0..=u16::MAX {
                [got[lower], got[upper]] = pair.to_le_bytes();
                assert_eq!(agreed(&values[..1], length, &got), got == expected, "{got:02x?}");
            }
        }
    }
}
