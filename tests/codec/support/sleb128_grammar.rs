//! The APIs for signed LEB128, compared with the grammar of its integers.

use zigzag_varint::{BufferTooSmall, ErrorKind, PaddedWidthError, ReadVarint, Reader, sleb128};
use zigzag_varint_oracle::signed;
pub use zigzag_varint_oracle::signed::forms;

use super::oracle::{ErrorAt, Int, Outcome};
use super::reported_errors::{MISSING, decode_error_in};

/// Decodes `src` by the grammar.
pub fn decode<T: Sleb>(src: &[u8], canonical: bool) -> Outcome<T> {
    signed::decode(T::BITS, src, canonical).map(|(integer, len)| (T::from_integer(integer), len))
}

/// Decodes an `s33` by the grammar.
pub fn decode_s33(src: &[u8], canonical: bool) -> Outcome<i64> {
    let decoded = signed::decode(33, src, canonical);
    decoded.map(|(integer, len)| (integer.try_into().expect("33 bits"), len))
}

/// A signed type, with its `const` functions.
pub trait Sleb: Int + sleb128::Signed {
    fn from_integer(integer: i128) -> Self;
    fn to_integer(self) -> i128;
    /// The following call the `const` functions of the type.
    fn const_encode(self) -> Vec<u8>;
    fn const_encoded_len(self) -> usize;
    fn const_decode(src: &[u8], canonical: bool) -> Outcome<Self>;
    fn const_padded(self, width: usize) -> Option<Vec<u8>>;
}

macro_rules! sleb {
    ($($int:ident $encode:ident $encoded_len:ident $padded:ident $decode:ident $canonical:ident)*) => {$(
        impl Sleb for $int {
            fn from_integer(integer: i128) -> Self {
                integer.try_into().expect("within the type")
            }

            fn to_integer(self) -> i128 {
                self as i128
            }

            fn const_encode(self) -> Vec<u8> {
                sleb128::$encode(self).as_bytes().to_vec()
            }

            fn const_encoded_len(self) -> usize {
                sleb128::$encoded_len(self)
            }

            fn const_decode(src: &[u8], canonical: bool) -> Outcome<Self> {
                let decode = if canonical { sleb128::$canonical } else { sleb128::$decode };
                decode(src).map_err(ErrorAt::from)
            }

            fn const_padded(self, width: usize) -> Option<Vec<u8>> {
                at_width!(sleb128 $padded(self), width)
            }
        }
    )*};
}

sleb! {
    i8 encode_i8 encoded_len_i8 encode_i8_padded decode_i8 decode_i8_canonical
    i16 encode_i16 encoded_len_i16 encode_i16_padded decode_i16 decode_i16_canonical
    i32 encode_i32 encoded_len_i32 encode_i32_padded decode_i32 decode_i32_canonical
    i64 encode_i64 encoded_len_i64 encode_i64_padded decode_i64 decode_i64_canonical
    i128 encode_i128 encoded_len_i128 encode_i128_padded decode_i128 decode_i128_canonical
    isize encode_isize encoded_len_isize encode_isize_padded decode_isize decode_isize_canonical
}

/// Decodes with the generic and the `const` function, which must agree.
pub fn decoded<T: Sleb>(src: &[u8], canonical: bool) -> Outcome<T> {
    let generic = if canonical { sleb128::decode_canonical::<T> } else { sleb128::decode::<T> }(src)
        .map_err(ErrorAt::from);
    assert_eq!(T::const_decode(src, canonical), generic, "{} {src:02x?}, canonical: {canonical}", T::NAME);
    generic
}

/// Checks that every API decodes the first value of `src` to the expected outcome.
pub fn check_apis<T: Sleb>(src: &[u8], canonical: bool, expected: Outcome<T>) {
    let context = |api| format!("{api} on {} {src:02x?}, canonical: {canonical}", T::NAME);
    assert_eq!(decoded::<T>(src, canonical), expected, "{}", context("decode"));

    // After another value, so that the offset must be shifted.
    let shifted = [&[0x07], src].concat();
    let mut reader = Reader::new(&shifted);
    assert_eq!(reader.read::<u8>(), Ok(7));
    let read = if canonical { reader.read_sleb128_canonical::<T>() } else { reader.read_sleb128() };
    let expected_read = expected.map(|(value, _)| value).map_err(|error| error.shifted(1));
    assert_eq!(read.map_err(ErrorAt::from), expected_read, "{}", context("Reader"));
    assert_eq!(reader.position(), 1 + expected.map_or(0, |(_, len)| len), "{}", context("Reader"));

    let mut decoder = if canonical { sleb128::Decoder::<T>::canonical() } else { sleb128::Decoder::new() };
    let pushed = match decoder.push_slice(src) {
        Ok((Some(value), len)) => Ok((value, len)),
        Ok((None, _)) => Err(decoder.finish().err().map_or(MISSING, ErrorAt::from)),
        Err(error) => Err(error.into()),
    };
    assert_eq!(pushed, expected, "{}", context("Decoder"));

    let mut input = src;
    let read = if canonical { input.read_sleb128_canonical::<T>() } else { input.read_sleb128() };
    let read = read.map(|value| (value, src.len() - input.len())).map_err(decode_error_in);
    assert_eq!(read, expected, "{}", context("io"));
}

/// Checks that every API decodes the `s33` at the start of `src` as the grammar does.
pub fn check_s33(src: &[u8], canonical: bool) {
    let expected = decode_s33(src, canonical);
    let decode = if canonical { sleb128::decode_s33_canonical } else { sleb128::decode_s33 };
    assert_eq!(decode(src).map_err(ErrorAt::from), expected, "s33 {src:02x?}, canonical: {canonical}");

    let shifted = [&[0x07], src].concat();
    let mut reader = Reader::new(&shifted);
    assert_eq!(reader.read::<u8>(), Ok(7));
    let read = if canonical { reader.read_s33_canonical() } else { reader.read_s33() };
    let expected_read = expected.map(|(value, _)| value).map_err(|error| error.shifted(1));
    assert_eq!(read.map_err(ErrorAt::from), expected_read, "s33 {src:02x?}, canonical: {canonical}");
    assert_eq!(reader.position(), 1 + expected.map_or(0, |(_, len)| len), "s33 {src:02x?}");
}

/// Checks the bytes from every encoder, padded ones included, the encoded length, and that the
/// bytes decode to the value.
pub fn check_value<T: Sleb>(value: T) {
    let forms = forms(T::BITS, value.to_integer());
    let shortest = &forms[0][..];
    let least = shortest.len();
    assert_eq!(*sleb128::encode(value), *shortest, "{value:?}");
    assert_eq!(value.const_encode(), shortest, "{value:?}");
    assert_eq!((sleb128::encoded_len(value), value.const_encoded_len()), (least, least), "{value:?}");

    let mut bytes = [0xaa; 21];
    for available in 0..least {
        let failed = sleb128::encode_to_slice(value, &mut bytes[..available]);
        assert_eq!(failed, Err(BufferTooSmall { needed: least, available }));
    }
    assert_eq!(bytes, [0xaa; 21], "a failed call writes nothing");
    assert_eq!(sleb128::encode_to_slice(value, &mut bytes), Ok(least));
    assert_eq!((&bytes[..least], bytes[least]), (shortest, 0xaa), "{value:?}");

    for width in 0..=T::LONGEST + 1 {
        let mut bytes = [0xaa; 21];
        let padded = sleb128::encode_padded(value, &mut bytes[..width]);
        if let Some(form) = forms.iter().find(|form| form.len() == width) {
            assert_eq!((padded, &bytes[..width]), (Ok(()), &form[..]), "{value:?}");
            assert_eq!(value.const_padded(width).as_ref(), Some(form));
            assert_eq!(decoded(form, false), Ok((value, width)));
            let overlong = Err(ErrorAt { kind: ErrorKind::NonCanonical, offset: width - 1 });
            assert_eq!(decoded(form, true), if width == least { Ok((value, width)) } else { overlong });
        } else {
            assert_eq!(padded, Err(PaddedWidthError { width, min: least, max: T::LONGEST }));
            assert_eq!(bytes, [0xaa; 21], "a failed call writes nothing");
            assert_eq!(value.const_padded(width), None);
        }
    }
}
