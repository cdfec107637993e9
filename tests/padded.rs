//! Padded encodings: every width that a type can be read from, and no other.

#[macro_use]
mod common;

use common::naive::{self, Fault, Int};
use common::strategies::{hold, values};
use common::streams::breakpoints;
use zigzag_varint::ErrorKind::NonCanonical;
use zigzag_varint::{PaddedWidthError, VarInt, encode_padded};

/// A type's `const` function.
trait Padded: Int {
    fn const_padded(self, width: usize) -> Option<Vec<u8>>;
}

macro_rules! padded {
    ($($int:ident $padded:ident)*) => {$(
        impl Padded for $int {
            fn const_padded(self, width: usize) -> Option<Vec<u8>> {
                at_width!(zigzag_varint $padded(self), width)
            }
        }
    )*};
}

padded! {
    u8 encode_padded_u8 u16 encode_padded_u16 u32 encode_padded_u32 u64 encode_padded_u64
    u128 encode_padded_u128 usize encode_padded_usize
    i8 encode_padded_i8 i16 encode_padded_i16 i32 encode_padded_i32 i64 encode_padded_i64
    i128 encode_padded_i128 isize encode_padded_isize
}

/// The digits of the number in base 128, as many as asked for.
fn digits<T: Int>(value: T, width: usize) -> Vec<u8> {
    let mut rest = value.wire();
    let mut digits = Vec::new();
    for index in 0..width {
        digits.push((rest % 128) as u8 + if index + 1 < width { 128 } else { 0 });
        rest /= 128;
    }
    digits
}

fn check<T: Padded>(value: T) {
    let least = naive::encode(value).len();
    for width in 0..=T::LONGEST + 1 {
        let mut bytes = [0xaa; 22];
        let padded = encode_padded(value, &mut bytes[..width]);
        if width < least || width > T::LONGEST {
            assert_eq!(padded, Err(PaddedWidthError { width, least, most: T::LONGEST }), "{value:?}");
            assert_eq!(bytes, [0xaa; 22], "a failed call writes nothing");
            assert_eq!(value.const_padded(width), None);
            continue;
        }
        let expected = digits(value, width);
        assert_eq!((padded, &bytes[..width]), (Ok(()), &expected[..]), "{value:?}");
        assert_eq!(bytes[width..], [0xaa; 22][width..], "nothing is written behind");
        assert_eq!(value.const_padded(width), Some(expected));

        assert_eq!(T::decode(&bytes), Ok((value, width)), "whatever follows");
        let canonical = T::decode_canonical(&bytes).map_err(Fault::from);
        let needless = Fault { kind: NonCanonical, offset: width - 1 };
        assert_eq!(canonical, if width == least { Ok((value, width)) } else { Err(needless) });
    }
}

fn every_width<T: Padded>() {
    breakpoints::<T>().into_iter().for_each(check);
    hold(values::<T>(), &|values| values.into_iter().take(20).for_each(check));
}
for_types!(every_width_that_can_be_read_is_written_and_no_other, every_width);

#[test]
fn every_8_and_16_bit_value_is_padded() {
    (0..=u8::MAX).for_each(check);
    (i8::MIN..=i8::MAX).for_each(check);
    (0..=u16::MAX).for_each(check);
    (i16::MIN..=i16::MAX).for_each(check);
}

/// As linkers for WebAssembly do: the place has been written before, and is written over.
#[test]
fn a_place_is_patched_time_and_again() {
    let mut code = vec![0x10, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b]; // call, a function's index, end
    for index in [0u32, 1, 300, u32::MAX, 7] {
        encode_padded(index, &mut code[1..6]).expect("five bytes hold any u32");
        assert_eq!(u32::decode(&code[1..]), Ok((index, 5)));
        assert_eq!((code[0], code[6], code.len()), (0x10, 0x0b, 7));
    }
    assert_eq!(code, [0x10, 0x87, 0x80, 0x80, 0x80, 0x00, 0x0b]);
}
