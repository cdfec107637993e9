//! The checks of padded encodings, with the expected bytes from the base-128 digits of the number.

use zigzag_varint::ErrorKind::NonCanonical;
use zigzag_varint::{Canonical, PaddedWidthError, Varint};

use super::oracle::{self, ErrorAt, Int};

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
pub fn check<T: Int>(value: T) {
    let min = oracle::encode(value).len();
    for width in 0..=T::LONGEST + 1 {
        let mut bytes = [0xaa; 22];
        let padded = value.encode_padded(&mut bytes[..width]);
        if width < min || width > T::LONGEST {
            assert_eq!(padded, Err(PaddedWidthError { width, min, max: T::LONGEST }), "{value:?}");
            assert_eq!(bytes, [0xaa; 22], "a failed call writes nothing");
            continue;
        }
        let expected = digits(value, width);
        assert_eq!((padded, &bytes[..width]), (Ok(()), &expected[..]), "{value:?}");
        assert_eq!(bytes[width..], [0xaa; 22][width..], "nothing is written past the end");

        assert_eq!(T::decode(&bytes), Ok((value, width)), "the bytes after the value are ignored");
        let canonical = Canonical::<T>::decode(&bytes).map_err(ErrorAt::from);
        let redundant = ErrorAt { kind: NonCanonical, offset: width - 1 };
        assert_eq!(canonical, if width == min { Ok((value, width)) } else { Err(redundant) });
    }
}
