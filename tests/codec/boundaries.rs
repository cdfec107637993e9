//! Boundary values: the limits of every encoded length and of every type, and all values of the 8-
//! and 16-bit types.

use crate::support::apis::{compare_decoders, compare_encoders};
use crate::support::oracle::{self, Int};
use crate::support::streams::{breakpoints, edge_cases};
use zigzag_varint::{Canonical, Varint};

/// Encodes the value with every API, and decodes its bytes with every API: alone, followed by more
/// bytes, and truncated after each byte.
fn check_value<T: Int>(value: T) {
    compare_encoders(value);
    let bytes = oracle::encode(value);
    compare_decoders::<T>(&bytes);
    compare_decoders::<T>(&[&bytes, &[0xff, 0x00][..]].concat());
    for cut in 0..bytes.len() {
        compare_decoders::<T>(&bytes[..cut]);
    }
}

/// Powers of two and the limits of the type, with their neighbours. Neighbours of a signed number
/// differ by two on the wire, because zigzag doubles.
fn powers_of_two<T: Int>() -> impl Iterator<Item = T> {
    let powers = (0..T::BITS).map(|bit| 1u128 << bit);
    powers
        .chain([0, T::WIRE_MAX])
        .flat_map(|wire| (-2..=2).filter_map(move |step| wire.checked_add_signed(step)))
        .filter_map(T::from_wire)
}

fn check_boundaries<T: Int>() {
    for value in breakpoints::<T>().into_iter().chain(powers_of_two()) {
        check_value(value);
    }
    for bytes in edge_cases::<T>() {
        compare_decoders::<T>(&bytes);
    }
}

fn check_all_values<T: Int>() {
    (0..=T::WIRE_MAX).filter_map(T::from_wire).for_each(check_value::<T>);
}

/// Every string of up to two bytes. Where both are continuation bytes, also with third bytes at the
/// limits of the types.
fn check_short_strings<T: Int>() {
    compare_decoders::<T>(&[]);
    for first in 0..=u8::MAX {
        compare_decoders::<T>(&[first]);
        for second in 0..=u8::MAX {
            compare_decoders::<T>(&[first, second]);
            if first >= 0x80 && second >= 0x80 {
                for third in [0x00, 0x01, 0x03, 0x04, 0x7f, 0x80, 0x83, 0xff] {
                    compare_decoders::<T>(&[first, second, third]);
                }
            }
        }
    }
}

/// Every string of two continuation bytes and any third byte, decoded from a slice only.
fn check_three_bytes<T: Int>() {
    for first in 0x80..=u8::MAX {
        for second in 0x80..=u8::MAX {
            for third in 0..=u8::MAX {
                let src = [first, second, third];
                assert_eq!(T::decode(&src).map_err(Into::into), oracle::decode(&src, false), "{src:02x?}");
                assert_eq!(
                    Canonical::<T>::decode(&src).map_err(Into::into),
                    oracle::decode(&src, true),
                    "{src:02x?}"
                );
            }
        }
    }
}

for_types!(all_apis_agree_on_boundary_values, check_boundaries, all);
for_types!(all_apis_agree_on_every_value, check_all_values, u8 i8 i16);
for_types!(all_apis_agree_on_short_strings, check_short_strings, u8 i16);
for_types!(three_byte_strings_match_the_oracle, check_three_bytes, u8 i16 u32);

#[test]
fn both_outcomes_of_the_oracle_are_those_of_each() {
    for first in edge_cases::<u32>() {
        for (second, capacity) in
            edge_cases::<u32>().into_iter().flat_map(|bytes| [(bytes.clone(), 1), (bytes, 3)])
        {
            let src = [&first[..], &[0x05], &second, &[0x00]].concat();
            let each = [false, true].map(|canonical| oracle::decode_all::<u32>(&src, capacity, canonical));
            assert_eq!(oracle::decode_both::<u32>(&src, capacity), each, "{src:02x?}");
        }
    }
}

#[test]
fn the_oracle_maps_type_limits_to_wire_limits() {
    assert_eq!([0, -1, 1, -2, i128::MAX, i128::MIN].map(Int::wire), [0, 1, 2, 3, u128::MAX - 1, u128::MAX]);
    assert_eq!([0, u128::MAX].map(i128::from_wire), [Some(0), Some(i128::MIN)]);
    assert_eq!([254, 255, 256].map(i8::from_wire), [Some(127), Some(-128), None]);
    assert_eq!([255, 256].map(u8::from_wire), [Some(255), None]);
}
