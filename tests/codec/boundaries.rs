//! Where encodings change: both ends of every length, the ends of every type, and all of the small
//! types.

use crate::support::apis::{ConstFunctions, decode_alike, encode_alike};
use crate::support::oracle::{self, Int};
use crate::support::streams::{breakpoints, edge_cases};

/// Encoded by every API, and its bytes decoded by every API: alone, with bytes after them, and cut
/// after each byte.
fn every_way<T: ConstFunctions>(value: T) {
    encode_alike(value);
    let bytes = oracle::encode(value);
    decode_alike::<T>(&bytes);
    decode_alike::<T>(&[&bytes, &[0xff, 0x00][..]].concat());
    for cut in 0..bytes.len() {
        decode_alike::<T>(&bytes[..cut]);
    }
}

/// Powers of two, the ends of the type and their neighbours. Zigzag doubles: to the neighbours of a
/// signed number it is two steps on the wire.
fn round_numbers<T: Int>() -> impl Iterator<Item = T> {
    let powers = (0..T::BITS).map(|bit| 1u128 << bit);
    powers
        .chain([0, T::WIRE_MAX])
        .flat_map(|wire| (-2..=2).filter_map(move |step| wire.checked_add_signed(step)))
        .filter_map(T::from_wire)
}

fn check_boundaries<T: ConstFunctions>() {
    for value in breakpoints::<T>().into_iter().chain(round_numbers()) {
        every_way(value);
    }
    for bytes in edge_cases::<T>() {
        decode_alike::<T>(&bytes);
    }
}

fn check_all_values<T: ConstFunctions>() {
    (0..=T::WIRE_MAX).filter_map(T::from_wire).for_each(every_way::<T>);
}

/// Every string of up to two bytes and, where that leaves a value open, each third byte that
/// matters.
fn check_short_strings<T: ConstFunctions>() {
    decode_alike::<T>(&[]);
    for first in 0..=u8::MAX {
        decode_alike::<T>(&[first]);
        for second in 0..=u8::MAX {
            decode_alike::<T>(&[first, second]);
            if first >= 0x80 && second >= 0x80 {
                for third in [0x00, 0x01, 0x03, 0x04, 0x7f, 0x80, 0x83, 0xff] {
                    decode_alike::<T>(&[first, second, third]);
                }
            }
        }
    }
}

/// Every string of three bytes that two of them leave open, through the slice alone.
fn check_three_bytes<T: Int>() {
    for first in 0x80..=u8::MAX {
        for second in 0x80..=u8::MAX {
            for third in 0..=u8::MAX {
                let src = [first, second, third];
                assert_eq!(T::decode(&src).map_err(Into::into), oracle::decode(&src, false), "{src:02x?}");
                assert_eq!(
                    T::decode_canonical(&src).map_err(Into::into),
                    oracle::decode(&src, true),
                    "{src:02x?}"
                );
            }
        }
    }
}

for_types!(boundaries_are_encoded_and_decoded_alike_by_every_api, check_boundaries);
for_types!(all_values_are_encoded_and_decoded_alike_by_every_api, check_all_values, u8 i8 u16 i16);
for_types!(short_strings_have_the_same_outcome_from_every_api, check_short_strings, u8 i8 u16 i16);
for_types!(three_bytes_have_the_oracles_outcome, check_three_bytes, u8 i8 u16 i16 u32);

#[test]
fn the_oracle_maps_the_ends_of_the_types_to_the_ends_of_the_wire() {
    assert_eq!([0, -1, 1, -2, i128::MAX, i128::MIN].map(Int::wire), [0, 1, 2, 3, u128::MAX - 1, u128::MAX]);
    assert_eq!([0, u128::MAX].map(i128::from_wire), [Some(0), Some(i128::MIN)]);
    assert_eq!([254, 255, 256].map(i8::from_wire), [Some(127), Some(-128), None]);
    assert_eq!([255, 256].map(u8::from_wire), [Some(255), None]);
}
