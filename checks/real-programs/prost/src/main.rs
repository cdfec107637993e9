//! Messages with one packed field, by prost's derived code.

use std::fmt::Debug;
use std::hint::black_box;

use measure::{Set, VALUES, case, limit_kernel};
use prost::Message;

macro_rules! message {
    ($Message:ident $int:ident $field:tt $name:literal |$number:ident| $value:expr) => {
        #[derive(Clone, PartialEq, Message)]
        struct $Message {
            #[prost($field, repeated, tag = "1")]
            values: Vec<$int>,
        }

        impl Packed for $Message {
            const FIELD: &str = $name;

            fn of(numbers: &[u64]) -> Self {
                Self { values: numbers.iter().map(|&$number| $value).collect() }
            }
        }
    };
}

trait Packed: Message + Default + PartialEq + Debug {
    const FIELD: &str;

    fn of(numbers: &[u64]) -> Self;
}

message!(Uint64 u64 uint64 "uint64" |number| number);
message!(Sint64 i64 sint64 "sint64" |number| (number >> 1) as i64 ^ -((number & 1) as i64));
message!(Int32 i32 int32 "int32" |number| (number & 0x7fff_ffff) as i32);
message!(Bool bool bool "bool" |number| number % 2 == 1);

fn main() {
    limit_kernel();
    for set in Set::ALL {
        for len in [1, 4, 16, 100, 1_000_000] {
            measure::<Uint64>(set, len);
            measure::<Sint64>(set, len);
            measure::<Int32>(set, len);
            measure::<Bool>(set, len);
        }
    }
}

/// Measures messages with a field of `len` values.
fn measure<M: Packed>(set: Set, len: usize) {
    let count = (VALUES / len).max(1);
    let messages: Vec<M> = set.numbers(count * len).chunks(len).map(M::of).collect();
    let encoded: Vec<Vec<u8>> = messages.iter().map(M::encode_to_vec).collect();
    let name = |operation| format!("{operation} {} {}, {len} values", M::FIELD, set.name());
    for (bytes, message) in encoded.iter().zip(&messages) {
        assert_eq!(M::decode(&bytes[..]).as_ref(), Ok(message));
    }
    case(&name("decode"), count * len, &encoded, || {
        for bytes in &encoded {
            black_box(M::decode(black_box(&bytes[..])).expect("valid"));
        }
    });
    let mut bytes = Vec::new();
    case(&name("encode"), count * len, &encoded, || {
        bytes.clear();
        messages.iter().for_each(|message| message.encode(&mut bytes).expect("a vector grows"));
        black_box(&bytes);
    });
}
