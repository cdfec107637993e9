//! The functions for packed fields that buffa's generated code calls: for messages, which reserve a
//! value for each byte, and for views, which count the values first.

use std::hint::black_box;

use buffa::DecodeError;
use buffa::encoding::count_varints;
use buffa::types::{
    self, extend_packed_bool, extend_packed_int32, extend_packed_sint64, extend_packed_uint64,
};
use measure::{Set, VALUES, case, limit_kernel};

fn main() {
    limit_kernel();
    for set in Set::ALL {
        for len in [16, 100, 1_000_000] {
            measure("uint64", set, len, types::encode_uint64, extend_packed_uint64);
            measure(
                "sint64",
                set,
                len,
                |number, bytes| types::encode_sint64((number >> 1) as i64 ^ -((number & 1) as i64), bytes),
                extend_packed_sint64,
            );
            measure(
                "int32",
                set,
                len,
                |number, bytes| types::encode_int32((number & 0x7fff_ffff) as i32, bytes),
                extend_packed_int32,
            );
            measure(
                "bool",
                set,
                len,
                |number, bytes| types::encode_bool(number % 2 == 1, bytes),
                extend_packed_bool,
            );
        }
    }
}

type Extend<T> = fn(&[u8], &mut Vec<T>, usize) -> Result<(), DecodeError>;

/// Measures fields of `len` values, each into a new vector.
fn measure<T>(field: &str, set: Set, len: usize, encode: fn(u64, &mut Vec<u8>), extend: Extend<T>) {
    let count = (VALUES / len).max(1);
    let fields: Vec<Vec<u8>> = set
        .numbers(count * len)
        .chunks(len)
        .map(|numbers| {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| encode(number, &mut bytes));
            bytes
        })
        .collect();
    let reserves: [(&str, fn(&[u8]) -> usize); 2] = [("message", <[u8]>::len), ("view", count_varints)];
    for (kind, reserve) in reserves {
        let name = format!("decode {field} {}, {len} values, {kind}", set.name());
        case(&name, count * len, &fields, || {
            for bytes in &fields {
                let mut values = Vec::new();
                extend(black_box(bytes), &mut values, reserve(bytes)).expect("valid");
                black_box(values);
            }
        });
    }
}
