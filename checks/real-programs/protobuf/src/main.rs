//! The functions for packed fields that the generated code of rust-protobuf calls.

use std::hint::black_box;

use measure::{Set, VALUES, case, limit_kernel};
use protobuf::{CodedInputStream, CodedOutputStream};

fn main() {
    limit_kernel();
    for set in Set::ALL {
        for len in [16, 100, 1_000_000] {
            measure(
                "uint64",
                set,
                len,
                |number| number,
                |output, values| output.write_repeated_packed_uint64(1, values),
                |input, values| input.read_repeated_packed_uint64_into(values),
            );
            measure(
                "sint64",
                set,
                len,
                |number| (number >> 1) as i64 ^ -((number & 1) as i64),
                |output, values| output.write_repeated_packed_sint64(1, values),
                |input, values| input.read_repeated_packed_sint64_into(values),
            );
            measure(
                "int32",
                set,
                len,
                |number| (number & 0x7fff_ffff) as i32,
                |output, values| output.write_repeated_packed_int32(1, values),
                |input, values| input.read_repeated_packed_int32_into(values),
            );
            measure(
                "bool",
                set,
                len,
                |number| number % 2 == 1,
                |output, values| output.write_repeated_packed_bool(1, values),
                |input, values| input.read_repeated_packed_bool_into(values),
            );
        }
    }
}

type Write<T> = fn(&mut CodedOutputStream<'_>, &[T]) -> protobuf::Result<()>;
type Read<T> = fn(&mut CodedInputStream<'_>, &mut Vec<T>) -> protobuf::Result<()>;

/// Measures fields of `len` values, each into a new vector.
fn measure<T: PartialEq>(
    field: &str,
    set: Set,
    len: usize,
    value: fn(u64) -> T,
    write: Write<T>,
    read: Read<T>,
) {
    let count = (VALUES / len).max(1);
    let values: Vec<T> = set.numbers(count * len).into_iter().map(value).collect();
    let fields: Vec<Vec<u8>> = values
        .chunks(len)
        .map(|values| {
            let mut bytes = Vec::new();
            let mut output = CodedOutputStream::vec(&mut bytes);
            write(&mut output, values).and_then(|()| output.flush()).expect("a vector grows");
            drop(output);
            bytes
        })
        .collect();
    let decode = |bytes: &[u8]| {
        let mut decoded = Vec::new();
        read(&mut CodedInputStream::from_bytes(&bytes[1..]), &mut decoded).expect("valid"); // without the tag
        decoded
    };
    assert!(fields.iter().zip(values.chunks(len)).all(|(bytes, values)| decode(bytes) == values));
    case(&format!("decode {field} {}, {len} values", set.name()), count * len, &fields, || {
        for bytes in &fields {
            black_box(decode(black_box(bytes)));
        }
    });
}
