//! Signed LEB128 in chunks.

use super::for_each_hostile_input;
use crate::support::push_decoders::check_chunks;
use crate::support::sleb128_grammar::{self, Sleb};
use crate::support::streams::breakpoints;
use zigzag_varint::sleb128::{self, Decoder};

fn decoder<T: Sleb>(canonical: bool) -> Decoder<T> {
    if canonical { Decoder::canonical() } else { Decoder::new() }
}

/// Splits `src` at every position, and compares each with the grammar.
fn check_every_split<T: Sleb>(src: &[u8]) {
    for canonical in [false, true] {
        for cut in 0..=src.len() {
            // Either the first or the second part is passed as a slice.
            for first in [vec![cut], vec![0, cut]] {
                let mut lens = first.into_iter().chain([src.len()]).cycle();
                check_chunks(decoder::<T>(canonical), src, canonical, || lens.next().expect("endless"));
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
        for_each_hostile_input(5, |src| check_chunks(decoder::<i32>(canonical), src, canonical, || 2));
        for_each_hostile_input(10, |src| check_chunks(decoder::<i64>(canonical), src, canonical, || 4));
    }
}

#[test]
fn decoders_can_be_constants_and_are_lenient_by_default() {
    static DECODER: Decoder<i64> = Decoder::new();
    const CANONICAL: Decoder<i64> = Decoder::canonical();
    assert_eq!(DECODER.clone().push_slice(&[0xfe, 0x7f]), Ok((Some(-2), 2)));
    assert_eq!(Decoder::<i64>::default().push_slice(&[0xfe, 0x7f]), Ok((Some(-2), 2)));
    let error = CANONICAL.clone().push_slice(&[0xfe, 0x7f]).unwrap_err();
    assert_eq!(error, sleb128::decode_canonical::<i64>(&[0xfe, 0x7f]).unwrap_err());
}
