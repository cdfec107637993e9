//! Every API agrees with the oracle: value, length, error kind and offset.

use zigzag_varint::{Reader, count, skip_values};

use crate::property::input::Input;
use crate::support::apis::{check_decoders, check_encoders, check_stream_decoders};
use crate::support::oracle::{self, ErrorAt, Int};

/// The first byte chooses the type, the strictness and the operation; the rest is decoded.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let choice = input.byte();
    let (canonical, operation) = (choice & 0x80 != 0, choice >> 4 & 7);
    by_type!(choice, check_type(input.rest(), canonical, operation))
}

fn check_type<T: Int>(src: &[u8], canonical: bool, operation: u8) {
    match operation {
        0..=2 => check_decoders::<T>(src, canonical, oracle::decode(src, canonical)),
        3 | 4 => check_stream_decoders::<T>(src, canonical),
        5 | 6 => {
            // The value that the last bytes encode, if they do: most inputs contain one.
            let at =
                src.iter().rposition(|&byte| byte >= 0x80).map_or(0, |last| last.saturating_sub(T::LONGEST));
            if let Ok((value, _)) = oracle::decode::<T>(&src[at..], false) {
                check_encoders(value, &oracle::encode(value));
            }
        }
        _ => scan(src, T::BITS as usize),
    }
}

/// Checks `count` and `skip`, which have no type.
fn scan(src: &[u8], more: usize) {
    let counted = count(src);
    assert_eq!(counted, oracle::count(src), "count of {src:02x?}");
    for n in [0, 1, counted / 2, counted.saturating_sub(1), counted, counted + 1, counted + more] {
        let expected = oracle::skip(src, n);
        assert_eq!(skip_values(src, n).map_err(ErrorAt::from), expected, "skip_values of {n} in {src:02x?}");
        let mut reader = Reader::new(src);
        assert_eq!(
            reader.skip_values(n).map_err(ErrorAt::from),
            expected,
            "Reader::skip_values of {n} in {src:02x?}"
        );
        assert_eq!(reader.position(), expected.unwrap_or(0), "a failed call keeps the position");
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    super::examples::after(&[
        &[0x06],
        &[0x87],
        &[0x34],
        &[0xb5],
        &[0x52],
        &[0x68],
        &[0x79],
        &[0x80],
        &[0x3a],
        &[0x0b],
        &[0x91],
        &[0x33],
    ])
}
