//! `Encoded`: comparison, hashing and iteration agree with those of its bytes. One generic text
//! implements them, so that one type is enough: that with the longest encodings.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use crate::support::wires::{backgrounds, breakpoints};
use zigzag_varint::{Encoded, Varint};
use zigzag_varint_oracle::encode_all;

/// Lists of values: of one length, of mixed lengths, and those with the first and last values of each length.
fn lists() -> impl Iterator<Item = Vec<u128>> {
    backgrounds(128, 50).into_iter().chain([breakpoints(128)])
}

/// Asserts that a comparison gives the same result in both directions.
fn check_equality<A: PartialEq<B> + Debug, B: PartialEq<A> + Debug>(left: A, right: B, equal: bool) {
    assert_eq!(left == right, equal, "{left:?} == {right:?}");
    assert_eq!(right == left, equal, "{right:?} == {left:?}");
    assert_ne!(left != right, equal, "{left:?} != {right:?}");
    assert_ne!(right != left, equal, "{right:?} != {left:?}");
}

/// Compares an encoding with a vector, slices and arrays.
fn check_comparisons(encoded: Encoded<[u8; 19]>, bytes: &[u8], equal: bool) {
    check_equality(encoded, bytes, equal);
    check_equality(encoded, bytes.to_vec(), equal);
    assert_eq!(encoded == *bytes, equal, "{encoded:?} == {bytes:02x?}");
    assert_eq!(*bytes == encoded, equal, "{bytes:02x?} == {encoded:?}");
    // The code for arrays does not depend on their length.
    if let Ok(array) = <&[u8; 3]>::try_from(bytes) {
        check_equality(encoded, *array, equal);
        check_equality(encoded, array, equal);
    }
}

#[test]
fn encodings_compare_like_their_bytes() {
    for values in lists() {
        for pair in values.windows(2).take(10) {
            let [left, right] = [pair[0], pair[1]].map(u128::encode);
            let [left_bytes, right_bytes] = [pair[0], pair[1]].map(|value| encode_all([value]));
            check_comparisons(left, &left_bytes, true);
            check_comparisons(left, &right_bytes, pair[0] == pair[1]);
            check_comparisons(left, &[&left_bytes[..], &[0x00]].concat(), false);
            check_comparisons(left, &left_bytes[1..], false);
            let (last, start) = left_bytes.split_last().expect("a byte");
            check_comparisons(left, &[start, &[last ^ 1]].concat(), false);
            check_equality(left, right, pair[0] == pair[1]);
            assert_eq!(left.cmp(&right), left_bytes.cmp(&right_bytes));
            assert_eq!(left.partial_cmp(&right), Some(left_bytes.cmp(&right_bytes)));
        }
    }
}

#[test]
fn maps_find_encodings_by_their_bytes() {
    for values in lists() {
        let hashed: HashMap<Encoded<[u8; 19]>, u128> =
            values.iter().map(|&value| (u128::encode(value), value)).collect();
        let ordered: BTreeMap<Encoded<[u8; 19]>, u128> =
            values.iter().map(|&value| (u128::encode(value), value)).collect();
        for value in values {
            let bytes = encode_all([value]);
            assert_eq!(hashed.get(&bytes[..]), Some(&value), "found by the bytes");
            assert_eq!(ordered.get(&bytes[..]), Some(&value), "found by the bytes");
            let overlong = [&bytes[..], &[0x00]].concat();
            assert_eq!((hashed.get(&overlong[..]), ordered.get(&overlong[..])), (None, None));
        }
        assert!(ordered.keys().map(|key| &key[..]).is_sorted());
    }
}

/// The ways to get at the bytes in code that is generic over the type.
fn bytes_of<const N: usize>(encoded: &Encoded<[u8; N]>) -> [&[u8]; 4] {
    [encoded.as_bytes(), encoded, encoded.as_ref(), encoded.borrow()]
}

#[test]
fn iteration_returns_the_bytes_by_value_and_by_reference() {
    for values in lists() {
        let expected = encode_all(&values);
        assert_eq!(values.iter().copied().flat_map(u128::encode).collect::<Vec<u8>>(), expected);
        let (mut by_value, mut by_reference) = (Vec::new(), Vec::new());
        for value in values {
            let encoded = u128::encode(value);
            by_value.extend(encoded);
            by_reference.extend(&encoded);

            let bytes = encode_all([value]);
            assert_eq!(bytes_of(&encoded), [&bytes[..]; 4]);
            let mut iterator = encoded.into_iter();
            for (index, &byte) in bytes.iter().enumerate() {
                let left = bytes.len() - index;
                assert_eq!((iterator.len(), iterator.size_hint()), (left, (left, Some(left))));
                let bytes_left = bytes[index..].iter().copied();
                assert!(iterator.clone().eq(bytes_left), "a clone has the same bytes left");
                assert_eq!(iterator.next(), Some(byte));
            }
            assert!((0..3).all(|_| iterator.next().is_none()), "the iterator is fused");
            assert_eq!(iterator.len(), 0);
        }
        assert_eq!((by_value, by_reference), (expected.clone(), expected));
    }
}
