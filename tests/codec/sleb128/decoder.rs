//! Signed LEB128 in chunks.

use super::for_each_hostile_input;
use crate::support::push_decoders::check_chunks;
use crate::support::sleb128_grammar::{self, Sleb};
use crate::support::streams::breakpoints;
use zigzag_varint::{Canonical, Decoder, Signed, Varint as _};

fn check<T: Sleb>(src: &[u8], canonical: bool, lens: impl FnMut() -> usize) {
    let expected = |rest: &[u8]| sleb128_grammar::decode(rest, canonical);
    if canonical {
        check_chunks::<Canonical<Signed<T>>>(src, expected, lens);
    } else {
        check_chunks::<Signed<T>>(src, expected, lens);
    }
}

/// Splits `src` at every position, and compares each with the grammar.
fn check_every_split<T: Sleb>(src: &[u8]) {
    for canonical in [false, true] {
        for cut in 0..=src.len() {
            // Either the first or the second part is passed as a slice.
            for first in [vec![cut], vec![0, cut]] {
                let mut lens = first.into_iter().chain([src.len()]).cycle();
                check::<T>(src, canonical, || lens.next().expect("endless"));
            }
        }
    }
}

fn check_values<T: Sleb>() {
    for value in breakpoints::<T>() {
        for form in sleb128_grammar::forms(T::BITS, value.to_integer()) {
            check_every_split::<T>(&form);
            check_every_split::<T>(&[&form[..], &form, &[0x05]].concat());
        }
    }
}
for_types!(values_split_at_every_position_match_the_grammar_for, check_values, i8 i16 i32 i64 i128);

#[test]
fn hostile_bytes_match_the_grammar() {
    for canonical in [false, true] {
        for_each_hostile_input(5, |src| check::<i32>(src, canonical, || 2));
        for_each_hostile_input(10, |src| check::<i64>(src, canonical, || 4));
    }
}

#[test]
fn decoders_of_any_wire_type_can_be_constants() {
    static DECODER: Decoder<Signed<i64>> = Decoder::new();
    const CANONICAL: Decoder<Canonical<Signed<i64>>> = Decoder::new();
    assert_eq!(DECODER.clone().push_slice(&[0xfe, 0x7f]), Ok((Some(-2), 2)));
    let error = CANONICAL.clone().push_slice(&[0xfe, 0x7f]).unwrap_err();
    assert_eq!(Canonical::<Signed<i64>>::decode(&[0xfe, 0x7f]), Err(error));
}
