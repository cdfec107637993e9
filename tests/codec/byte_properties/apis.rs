//! Every API of every wire type agrees with the oracle: value, length, error kind and offset.

use zigzag_varint_oracle as oracle;

use crate::property::input::Input;
use crate::support::wire_types::{check_scanning, chosen, codecs};

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
        _ => {
            let (codecs, count) = (codecs(), oracle::count(src));
            for n in [0, 1, count / 2, count.saturating_sub(1), count, count + 1, count + n] {
                check_scanning(&codecs, src, n);
            }
        }
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    super::after((0..156).map(|n| [n / 2, n % 8, [3, 0, 9, 64, 1][usize::from(n) % 5]]))
}
