//! Every API of every wire type agrees with the oracle: value, length, error kind and offset.

use zigzag_varint::{Reader, count, skip_values};

use crate::property::input::Input;
use crate::support::oracle::{self, ErrorAt};
use crate::support::wire_types::chosen;

/// Three bytes choose the wire type, the operation, and the number of values; the rest is decoded.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (wire_type, operation, n) = (chosen(input.byte()), input.byte(), input.byte().into());
    let src = input.rest();
    match operation % 8 {
        0 | 1 => wire_type.check_first(src),
        2 | 3 => wire_type.check_slices(src, n),
        4 => wire_type.check_bytes(src, n),
        5 | 6 => {
            let values = wire_type.rule().decode_all(src, 300).values;
            wire_type.check_values(&values);
            values.first().into_iter().for_each(|&value| wire_type.check_padding(value));
        }
        _ => scan(src, n),
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
    let headers: Vec<[u8; 3]> =
        (0..156).map(|n| [n / 2, n % 8, [3, 0, 9, 64, 1][usize::from(n) % 5]]).collect();
    super::examples::after(&headers.iter().map(|header| &header[..]).collect::<Vec<_>>())
}
