//! Padded encodings: every width that a type decodes is accepted, and every other width is
//! rejected.

use crate::support::int::Int;
use crate::support::padded_encodings::check;
use crate::support::strategies::{check_random, values};
use crate::support::streams::breakpoints;
use zigzag_varint::Varint;

fn every_width<T: Int>() {
    breakpoints::<T>().into_iter().for_each(check);
    check_random(values::<T>(), &|values| values.into_iter().take(20).for_each(check));
}
for_types!(exactly_the_decodable_widths_are_written, every_width, all);

#[test]
fn every_8_and_16_bit_value_is_padded() {
    (0..=u8::MAX).for_each(check);
    (i8::MIN..=i8::MAX).for_each(check);
    (0..=u16::MAX).for_each(check);
    (i16::MIN..=i16::MAX).for_each(check);
}

/// Linkers for WebAssembly reserve a padded value and overwrite it later.
#[test]
fn a_padded_value_is_overwritten_in_place() {
    let mut code = vec![0x10, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b]; // `call`, a function index, `end`
    for index in [0u32, 1, 300, u32::MAX, 7] {
        index.encode_padded(&mut code[1..6]).expect("five bytes hold any u32");
        assert_eq!(u32::decode(&code[1..]), Ok((index, 5)));
        assert_eq!((code[0], code[6], code.len()), (0x10, 0x0b, 7));
    }
    assert_eq!(code, [0x10, 0x87, 0x80, 0x80, 0x80, 0x00, 0x0b]);
}
