//! Every API gives the oracle's outcome: value, length, error kind and offset.

use zigzag_varint::{Reader, count, skip};

use crate::property::input::Input;
use crate::support::apis::{ConstFunctions, decode_all_to, decode_to, encode_to};
use crate::support::oracle::{self, Fault};

/// The first byte chooses the type, strictness and what is tried; the rest is what is read.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let choice = input.byte();
    let (canonical, what) = (choice & 0x80 != 0, choice >> 4 & 7);
    by_type!(choice, check_type(input.rest(), canonical, what))
}

fn check_type<T: ConstFunctions>(src: &[u8], canonical: bool, what: u8) {
    match what {
        0..=2 => decode_to::<T>(src, canonical, oracle::decode(src, canonical)),
        3 | 4 => decode_all_to::<T>(src, canonical),
        5 | 6 => {
            // Whatever the bytes, they end in a value.
            let at =
                src.iter().rposition(|&byte| byte >= 0x80).map_or(0, |last| last.saturating_sub(T::LONGEST));
            if let Ok((value, _)) = oracle::decode::<T>(&src[at..], false) {
                encode_to(value, &oracle::encode(value));
            }
        }
        _ => scan(src, T::BITS as usize),
    }
}

/// Counting and passing over values, of no type.
fn scan(src: &[u8], more: usize) {
    let counted = count(src);
    assert_eq!(counted, oracle::count(src), "count of {src:02x?}");
    for n in [0, 1, counted / 2, counted.saturating_sub(1), counted, counted + 1, counted + more] {
        let expected = oracle::skip(src, n);
        assert_eq!(skip(src, n).map_err(Fault::from), expected, "skip of {n} in {src:02x?}");
        let mut reader = Reader::new(src);
        assert_eq!(reader.skip(n).map_err(Fault::from), expected, "Reader::skip of {n} in {src:02x?}");
        assert_eq!(reader.position(), expected.unwrap_or(0), "a failed call moves nothing");
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
