//! The APIs for signed LEB128, compared with the grammar of its integers.

use std::any::type_name;

use zigzag_varint::{
    BufferTooSmall, Canonical, Decoder, ErrorKind, PaddedWidthError, ReadVarint, Reader, S33, Signed,
    SignedInteger, Varint,
};
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

/// A signed type.
pub trait Sleb: Int + SignedInteger {
    fn from_integer(integer: i128) -> Self;
    fn to_integer(self) -> i128;
}

macro_rules! sleb {
    ($($int:ident)*) => {$(
        impl Sleb for $int {
            fn from_integer(integer: i128) -> Self {
                integer.try_into().expect("within the type")
            }

            fn to_integer(self) -> i128 {
                self as i128
            }
        }
    )*};
}

sleb!(i8 i16 i32 i64 i128 isize);

/// Decodes the first value of `src`.
pub fn decoded<T: Sleb>(src: &[u8], canonical: bool) -> Outcome<T> {
    let decode = if canonical { Canonical::<Signed<T>>::decode } else { Signed::<T>::decode };
    decode(src).map_err(ErrorAt::from)
}

/// Checks that every API decodes the first value of `src` to the expected outcome.
pub fn check_apis<T: Sleb>(src: &[u8], canonical: bool, expected: Outcome<T>) {
    if canonical {
        check_wire_type::<Canonical<Signed<T>>>(src, expected);
    } else {
        check_wire_type::<Signed<T>>(src, expected);
    }
}

/// Checks that every API decodes the `s33` at the start of `src` as the grammar does.
pub fn check_s33(src: &[u8], canonical: bool) {
    let expected = decode_s33(src, canonical);
    if canonical {
        check_wire_type::<Canonical<S33>>(src, expected);
    } else {
        check_wire_type::<S33>(src, expected);
    }
}

fn check_wire_type<W: Varint<Value: Int>>(src: &[u8], expected: Outcome<W::Value>) {
    let context = |api| format!("{api} on {} {src:02x?}", type_name::<W>());
    assert_eq!(W::decode(src).map_err(ErrorAt::from), expected, "{}", context("decode"));

    // After another value, so that the offset must be shifted.
    let shifted = [&[0x07], src].concat();
    let mut reader = Reader::new(&shifted);
    assert_eq!(reader.read::<u8>(), Ok(7));
    let read = reader.read::<W>();
    let expected_read = expected.map(|(value, _)| value).map_err(|error| error.shifted(1));
    assert_eq!(read.map_err(ErrorAt::from), expected_read, "{}", context("Reader"));
    assert_eq!(reader.position(), 1 + expected.map_or(0, |(_, len)| len), "{}", context("Reader"));

    let mut decoder = Decoder::<W>::new();
    let pushed = match decoder.push_slice(src) {
        Ok((Some(value), len)) => Ok((value, len)),
        Ok((None, _)) => Err(decoder.finish().err().map_or(MISSING, ErrorAt::from)),
        Err(error) => Err(error.into()),
    };
    assert_eq!(pushed, expected, "{}", context("Decoder"));

    let mut input = src;
    let read = input.read_varint::<W>();
    let read = read.map(|value| (value, src.len() - input.len())).map_err(decode_error_in);
    assert_eq!(read, expected, "{}", context("io"));
}

/// Checks the bytes from every encoder, padded ones included, the encoded length, and that the
/// bytes decode to the value.
pub fn check_value<T: Sleb>(value: T) {
    let forms = forms(T::BITS, value.to_integer());
    let shortest = &forms[0][..];
    let least = shortest.len();
    assert_eq!(*Signed(value).encode(), *shortest, "{value:?}");
    assert_eq!(Signed(value).encoded_len(), least, "{value:?}");

    let mut bytes = [0xaa; 21];
    for available in 0..least {
        let failed = Signed(value).encode_to_slice(&mut bytes[..available]);
        assert_eq!(failed, Err(BufferTooSmall { needed: least, available }));
    }
    assert_eq!(bytes, [0xaa; 21], "a failed call writes nothing");
    assert_eq!(Signed(value).encode_to_slice(&mut bytes), Ok(least));
    assert_eq!((&bytes[..least], bytes[least]), (shortest, 0xaa), "{value:?}");

    for width in 0..=T::LONGEST + 1 {
        let mut bytes = [0xaa; 21];
        let padded = Signed(value).encode_padded(&mut bytes[..width]);
        if let Some(form) = forms.iter().find(|form| form.len() == width) {
            assert_eq!((padded, &bytes[..width]), (Ok(()), &form[..]), "{value:?}");
            assert_eq!(decoded(form, false), Ok((value, width)));
            let overlong = Err(ErrorAt { kind: ErrorKind::NonCanonical, offset: width - 1 });
            assert_eq!(decoded(form, true), if width == least { Ok((value, width)) } else { overlong });
        } else {
            assert_eq!(padded, Err(PaddedWidthError { width, min: least, max: T::LONGEST }));
            assert_eq!(bytes, [0xaa; 21], "a failed call writes nothing");
        }
    }
}
