//! The checks of protobuf fields, based on the number on the wire.

use zigzag_varint::ErrorKind::Overflow;
use zigzag_varint::protobuf::{self, packed};
use zigzag_varint::{BulkError, DecodeError, Encoded};

use super::oracle::{self, ErrorAt, Outcome};

/// A decoder of one field.
pub type Decode<T> = fn(&[u8]) -> Result<(T, usize), DecodeError>;

/// A decoder of a packed field.
pub type DecodePacked<T> = fn(&[u8], &mut Vec<T>) -> Result<usize, BulkError>;

/// A type of field, with its functions in the modules `protobuf` and `protobuf::packed`.
pub struct Field<T> {
    pub(super) name: &'static str,
    pub(super) to_wire: fn(T) -> u64,
    pub(super) from_wire: fn(u64) -> T,
    encode: fn(T) -> Encoded<u64>,
    encoded_len: fn(T) -> usize,
    pub(super) decode: Decode<T>,
    pub(super) decode_canonical: Decode<T>,
    pub(super) encode_packed: fn(&[T], &mut Vec<u8>) -> usize,
    pub(super) encoded_packed_len: fn(&[T]) -> usize,
    pub(super) decode_packed: DecodePacked<T>,
    pub(super) decode_packed_canonical: DecodePacked<T>,
}

macro_rules! fields {
    ($($name:ident $int:ident $to_wire:ident $from_wire:ident $encode:ident $len:ident $decode:ident $canonical:ident;)*) => {$(
        #[allow(non_upper_case_globals)] // the names of protobuf
        pub const $name: Field<$int> = Field {
            name: stringify!($name),
            to_wire: protobuf::$to_wire,
            from_wire: protobuf::$from_wire,
            encode: protobuf::$encode,
            encoded_len: protobuf::$len,
            decode: protobuf::$decode,
            decode_canonical: protobuf::$canonical,
            encode_packed: packed::$encode,
            encoded_packed_len: packed::$len,
            decode_packed: packed::$decode,
            decode_packed_canonical: packed::$canonical,
        };
    )*};
}

fields! {
    int32 i32 int32_to_wire int32_from_wire encode_int32 encoded_len_int32 decode_int32 decode_int32_canonical;
    int64 i64 int64_to_wire int64_from_wire encode_int64 encoded_len_int64 decode_int64 decode_int64_canonical;
    uint32 u32 uint32_to_wire uint32_from_wire encode_uint32 encoded_len_uint32 decode_uint32 decode_uint32_canonical;
    uint64 u64 uint64_to_wire uint64_from_wire encode_uint64 encoded_len_uint64 decode_uint64 decode_uint64_canonical;
    sint32 i32 sint32_to_wire sint32_from_wire encode_sint32 encoded_len_sint32 decode_sint32 decode_sint32_canonical;
    sint64 i64 sint64_to_wire sint64_from_wire encode_sint64 encoded_len_sint64 decode_sint64 decode_sint64_canonical;
    boolean bool bool_to_wire bool_from_wire encode_bool encoded_len_bool decode_bool decode_bool_canonical;
}

impl<T: Copy + PartialEq + std::fmt::Debug> Field<T> {
    /// Checks that `value` is encoded as the number `wire`, and decoded from it.
    pub fn check_value(&self, value: T, wire: u64) {
        let bytes = oracle::encode(wire);
        assert_eq!((self.to_wire)(value), wire, "{} {value:?}", self.name);
        assert_eq!((self.from_wire)(wire), value, "{} {value:?}", self.name);
        assert_eq!(*(self.encode)(value), bytes, "{} {value:?}", self.name);
        assert_eq!((self.encoded_len)(value), bytes.len(), "{} {value:?}", self.name);
        for decode in [self.decode, self.decode_canonical] {
            assert_eq!(decode(&bytes), Ok((value, bytes.len())), "{} {value:?}", self.name);
        }
    }

    /// Checks the decoders on any bytes. The lenient one casts the 64-bit number on the wire; the
    /// canonical one accepts exactly what the encoder writes.
    pub fn check_bytes(&self, src: &[u8]) {
        let lenient: Outcome<T> = (self.decode)(src).map_err(ErrorAt::from);
        let number = oracle::decode::<u64>(src, false);
        assert_eq!(
            lenient,
            number.map(|(number, len)| ((self.from_wire)(number), len)),
            "{} {src:02x?}",
            self.name
        );

        let canonical: Outcome<T> = (self.decode_canonical)(src).map_err(ErrorAt::from);
        match (canonical, oracle::decode::<u64>(src, true)) {
            (Err(actual), Err(error)) => assert_eq!(actual, error, "{} {src:02x?}", self.name),
            (Ok((value, len)), Ok(_)) => {
                assert_eq!(Ok((value, len)), lenient);
                assert_eq!(*(self.encode)(value), src[..len], "{} {src:02x?}", self.name);
            }
            (Err(ErrorAt { kind: Overflow, offset }), Ok((_, len))) => {
                assert!(offset < len, "{} {src:02x?}", self.name);
                assert!(
                    self.begins_an_encoding(&src[..offset]),
                    "{} {src:02x?}: the offset is too high",
                    self.name
                );
                assert!(
                    !self.begins_an_encoding(&src[..=offset]),
                    "{} {src:02x?}: the offset is too low",
                    self.name
                );
            }
            (actual, expected) => panic!("{} {src:02x?}: {actual:?}, u64: {expected:?}", self.name),
        }
    }

    /// Returns whether the encoding of some value begins with `start`. It tries endings of which
    /// one completes the encoding if any ending does.
    fn begins_an_encoding(&self, start: &[u8]) -> bool {
        let rest: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x01];
        let tails = (0..rest.len()).map(|from| &rest[from..]).chain([&[][..], &[0x01]]);
        let mut completed = tails.map(|tail| [start, tail].concat());
        completed.any(|bytes| {
            (self.decode_canonical)(&bytes).is_ok_and(|(_, len)| len == bytes.len() && len >= start.len())
        })
    }
}

/// Checks every type of field on any bytes.
pub fn every_field(src: &[u8]) {
    int32.check_bytes(src);
    int64.check_bytes(src);
    uint32.check_bytes(src);
    uint64.check_bytes(src);
    sint32.check_bytes(src);
    sint64.check_bytes(src);
    boolean.check_bytes(src);
}
