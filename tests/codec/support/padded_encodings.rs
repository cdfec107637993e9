//! The checks of padded encodings, with the expected bytes from the base-128 digits of the number.

use zigzag_varint::ErrorKind::NonCanonical;
use zigzag_varint::{Canonical, PaddedWidthError, Varint, encode_padded, varint};

use super::oracle::{self, ErrorAt, Int};

/// The `const` function of a type.
pub trait Padded: Int {
    fn const_padded(self, width: usize) -> Option<Vec<u8>>;
}

macro_rules! padded {
    ($($int:ident $padded:ident)*) => {$(
        impl Padded for $int {
            fn const_padded(self, width: usize) -> Option<Vec<u8>> {
                at_width!(varint $padded(self), width)
            }
        }
    )*};
}

padded! {
    u8 encode_u8_padded u16 encode_u16_padded u32 encode_u32_padded u64 encode_u64_padded
    u128 encode_u128_padded usize encode_usize_padded
    i8 encode_i8_padded i16 encode_i16_padded i32 encode_i32_padded i64 encode_i64_padded
    i128 encode_i128_padded isize encode_isize_padded
}

/// Returns the `width` lowest digits of the number in base 128, with continuation bits.
fn digits<T: Int>(value: T, width: usize) -> Vec<u8> {
    let mut rest = value.wire();
    let mut digits = Vec::new();
    for index in 0..width {
        digits.push((rest % 128) as u8 + if index + 1 < width { 128 } else { 0 });
        rest /= 128;
    }
    digits
}

/// Encodes the value with every width, valid or not, and decodes the result.
pub fn check<T: Padded>(value: T) {
    let min = oracle::encode(value).len();
    for width in 0..=T::LONGEST + 1 {
        let mut bytes = [0xaa; 22];
        let padded = encode_padded(value, &mut bytes[..width]);
        if width < min || width > T::LONGEST {
            assert_eq!(padded, Err(PaddedWidthError { width, min, max: T::LONGEST }), "{value:?}");
            assert_eq!(bytes, [0xaa; 22], "a failed call writes nothing");
            assert_eq!(value.const_padded(width), None);
            continue;
        }
        let expected = digits(value, width);
        assert_eq!((padded, &bytes[..width]), (Ok(()), &expected[..]), "{value:?}");
        assert_eq!(bytes[width..], [0xaa; 22][width..], "nothing is written past the end");
        assert_eq!(value.const_padded(width), Some(expected));

        assert_eq!(T::decode(&bytes), Ok((value, width)), "the bytes after the value are ignored");
        let canonical = Canonical::<T>::decode(&bytes).map_err(ErrorAt::from);
        let redundant = ErrorAt { kind: NonCanonical, offset: width - 1 };
        assert_eq!(canonical, if width == min { Ok((value, width)) } else { Err(redundant) });
    }
}
