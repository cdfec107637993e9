//! The checks of packed protobuf fields, based on the functions for single fields.

use std::fmt::Debug;

use zigzag_varint::protobuf::{self, packed};
use zigzag_varint::{BulkError, Progress};

use super::oracle::{self, ErrorAt};
use super::protobuf_fields::Decode;

/// A decoder of a packed field.
type DecodePacked<T> = fn(&[u8], &mut Vec<T>) -> Result<usize, BulkError>;

/// A type of packed field, with its functions in `protobuf::packed` and those of a single field.
pub struct PackedField<T> {
    name: &'static str,
    to_wire: fn(T) -> u64,
    from_wire: fn(u64) -> T,
    encode: fn(&[T], &mut Vec<u8>) -> usize,
    encoded_len: fn(&[T]) -> usize,
    /// The lenient and the canonical decoder, each with the decoder of one value.
    decoders: [(DecodePacked<T>, Decode<T>); 2],
}

macro_rules! packed_fields {
    ($($name:ident $int:ident $to_wire:ident $from_wire:ident $encode:ident $len:ident $decode:ident $canonical:ident;)*) => {$(
        #[allow(non_upper_case_globals)] // the names of protobuf
        pub const $name: PackedField<$int> = PackedField {
            name: stringify!($name),
            to_wire: protobuf::$to_wire,
            from_wire: protobuf::$from_wire,
            encode: packed::$encode,
            encoded_len: packed::$len,
            decoders: [(packed::$decode, protobuf::$decode), (packed::$canonical, protobuf::$canonical)],
        };
    )*};
}

packed_fields! {
    int32 i32 int32_to_wire int32_from_wire encode_int32 encoded_len_int32 decode_int32 decode_int32_canonical;
    int64 i64 int64_to_wire int64_from_wire encode_int64 encoded_len_int64 decode_int64 decode_int64_canonical;
    uint32 u32 uint32_to_wire uint32_from_wire encode_uint32 encoded_len_uint32 decode_uint32 decode_uint32_canonical;
    uint64 u64 uint64_to_wire uint64_from_wire encode_uint64 encoded_len_uint64 decode_uint64 decode_uint64_canonical;
    sint32 i32 sint32_to_wire sint32_from_wire encode_sint32 encoded_len_sint32 decode_sint32 decode_sint32_canonical;
    sint64 i64 sint64_to_wire sint64_from_wire encode_sint64 encoded_len_sint64 decode_sint64 decode_sint64_canonical;
    boolean bool bool_to_wire bool_from_wire encode_bool encoded_len_bool decode_bool decode_bool_canonical;
}

impl<T: Copy + PartialEq + Debug> PackedField<T> {
    /// Checks that the values of these numbers are encoded, after other bytes, as single fields
    /// are, and decoded from these bytes.
    fn check_values(&self, numbers: &[u64]) {
        let values: Vec<T> = numbers.iter().map(|number| (self.from_wire)(*number)).collect();
        let wire: Vec<u64> = values.iter().map(|value| (self.to_wire)(*value)).collect();
        let expected = oracle::encode_all(&wire);
        let mut bytes = vec![0xaa; 3];
        assert_eq!((self.encode)(&values, &mut bytes), expected.len(), "{}", self.name);
        assert!(bytes[..3] == [0xaa; 3] && bytes[3..] == expected, "{} {wire:x?}: {bytes:x?}", self.name);
        assert_eq!((self.encoded_len)(&values), expected.len(), "{}", self.name);
        self.check_bytes(&expected);
    }

    /// Checks the decoders on any bytes: they append what the decoder of one value returns until
    /// its first error.
    fn check_bytes(&self, src: &[u8]) {
        for (decode, decode_one) in self.decoders {
            let mut expected = Vec::new();
            let outcome = one_by_one(src, decode_one, &mut expected);
            let before = (self.from_wire)(1);
            let mut values = vec![before; 2];
            let decoded = decode(src, &mut values).map_err(|failed| (failed.progress, failed.error.into()));
            assert_eq!(decoded, outcome, "{} {src:02x?}", self.name);
            assert!(
                values[..2] == [before; 2] && values[2..] == expected,
                "{} {src:02x?}: {values:?}, expected {expected:?}",
                self.name
            );
        }
    }
}

/// Appends the values before the first error, and returns what a decoder of all of them must
/// return.
fn one_by_one<T>(src: &[u8], decode: Decode<T>, values: &mut Vec<T>) -> Result<usize, (Progress, ErrorAt)> {
    let mut bytes = 0;
    while bytes < src.len() {
        match decode(&src[bytes..]) {
            Ok((value, len)) => {
                values.push(value);
                bytes += len;
            }
            Err(error) => {
                let at = ErrorAt { kind: error.kind(), offset: bytes + error.offset() };
                return Err((Progress { values: values.len(), bytes }, at));
            }
        }
    }
    Ok(values.len())
}

/// Checks every type of packed field on the values of any numbers.
pub fn values_of_every_packed_field(numbers: &[u64]) {
    int32.check_values(numbers);
    int64.check_values(numbers);
    uint32.check_values(numbers);
    uint64.check_values(numbers);
    sint32.check_values(numbers);
    sint64.check_values(numbers);
    boolean.check_values(numbers);
}

/// Checks every type of packed field on any bytes.
pub fn every_packed_field(src: &[u8]) {
    int32.check_bytes(src);
    int64.check_bytes(src);
    uint32.check_bytes(src);
    uint64.check_bytes(src);
    sint32.check_bytes(src);
    sint64.check_bytes(src);
    boolean.check_bytes(src);
}
