//! Every door comes to the oracle's verdict: value, length, kind and offset.

use zigzag_varint::{Reader, count, skip};

use super::input::Input;
use crate::common::doors::{Twins, decode_all_to, decode_to, encode_to};
use crate::common::naive::{self, Fault};

/// The first byte chooses the type, strictness and what is tried; the rest is what is read.
pub fn hold(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let choice = input.byte();
    let (canonical, what) = (choice & 0x80 != 0, choice >> 4 & 7);
    by_type!(choice, check(input.rest(), canonical, what))
}

fn check<T: Twins>(src: &[u8], canonical: bool, what: u8) {
    match what {
        0..=2 => decode_to::<T>(src, canonical, naive::decode(src, canonical)),
        3 | 4 => decode_all_to::<T>(src, canonical),
        5 | 6 => {
            // Whatever the bytes, they end in a value.
            let at =
                src.iter().rposition(|&byte| byte >= 0x80).map_or(0, |last| last.saturating_sub(T::LONGEST));
            if let Ok((value, _)) = naive::decode::<T>(&src[at..], false) {
                encode_to(value, &naive::encode(value));
            }
        }
        _ => scan(src, T::BITS as usize),
    }
}

/// Counting and passing over values, of no type.
fn scan(src: &[u8], more: usize) {
    let held = count(src);
    assert_eq!(held, naive::count(src), "count of {src:02x?}");
    for n in [0, 1, held / 2, held.saturating_sub(1), held, held + 1, held + more] {
        let due = naive::skip(src, n);
        assert_eq!(skip(src, n).map_err(Fault::from), due, "skip of {n} in {src:02x?}");
        let mut reader = Reader::new(src);
        assert_eq!(reader.skip(n).map_err(Fault::from), due, "Reader::skip of {n} in {src:02x?}");
        assert_eq!(reader.position(), due.unwrap_or(0), "a failed call moves nothing");
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    super::behind(&[
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
