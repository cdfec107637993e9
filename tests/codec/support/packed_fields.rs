//! The checks of packed protobuf fields, based on the functions for single fields.

use std::fmt::Debug;

use zigzag_varint::Progress;

use super::oracle::{self, ErrorAt};
use super::protobuf_fields::{Decode, Field, boolean, int32, int64, sint32, sint64, uint32, uint64};

impl<T: Copy + PartialEq + Debug> Field<T> {
    /// Checks that the values of these numbers are encoded, after other bytes, as single fields
    /// are, and decoded from these bytes.
    fn check_packed_values(&self, numbers: &[u64]) {
        let values: Vec<T> = numbers.iter().map(|number| (self.from_wire)(*number)).collect();
        let wire: Vec<u64> = values.iter().map(|value| (self.to_wire)(*value)).collect();
        let expected = oracle::encode_all(&wire);
        let mut bytes = vec![0xaa; 3];
        assert_eq!((self.encode_packed)(&values, &mut bytes), expected.len(), "{}", self.name);
        assert!(bytes[..3] == [0xaa; 3] && bytes[3..] == expected, "{} {wire:x?}: {bytes:x?}", self.name);
        assert_eq!((self.encoded_packed_len)(&values), expected.len(), "{}", self.name);
        self.check_packed_bytes(&expected);
    }

    /// Checks the decoders on any bytes: they append what the decoder of one value returns until
    /// its first error.
    fn check_packed_bytes(&self, src: &[u8]) {
        for (decode, decode_one) in
            [(self.decode_packed, self.decode), (self.decode_packed_canonical, self.decode_canonical)]
        {
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
    int32.check_packed_values(numbers);
    int64.check_packed_values(numbers);
    uint32.check_packed_values(numbers);
    uint64.check_packed_values(numbers);
    sint32.check_packed_values(numbers);
    sint64.check_packed_values(numbers);
    boolean.check_packed_values(numbers);
}

/// Checks every type of packed field on any bytes.
pub fn every_packed_field(src: &[u8]) {
    int32.check_packed_bytes(src);
    int64.check_packed_bytes(src);
    uint32.check_packed_bytes(src);
    uint64.check_packed_bytes(src);
    sint32.check_packed_bytes(src);
    sint64.check_packed_bytes(src);
    boolean.check_packed_bytes(src);
}
