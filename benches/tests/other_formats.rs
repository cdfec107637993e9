//! Related wire formats, compared with established crates: signed LEB128 with `leb128` and
//! `leb128fmt`, protobuf's integers with `prost`.

use prost::encoding::{self, DecodeContext, WireType};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zigzag_varint::{DecodeError, Encoded, Reader, Varint, protobuf, sleb128};

const RUNS: usize = 200_000;

fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(7)
}

/// Returns a random number of any length, extended by its sign.
fn number(rng: &mut impl Rng) -> i64 {
    let shift = rng.next_u64() % 64;
    rng.next_u64() as i64 >> shift
}

/// Returns up to eleven random bytes, most of which are continuation bytes.
fn bytes(rng: &mut impl Rng) -> Vec<u8> {
    let (len, fill) = (rng.next_u64() % 12, rng.next_u64());
    let byte = |index: u64| match (fill >> (2 * index)) % 4 {
        0 => 0x80,
        1 => 0xff,
        _ => rng.next_u64() as u8 | if index + 1 < len { 0x80 } else { 0 },
    };
    (0..len).map(byte).collect()
}

#[test]
fn signed_leb128_matches_the_crates_for_dwarf_and_webassembly() {
    let mut rng = rng();
    for _ in 0..RUNS {
        let value = number(&mut rng);
        let mut theirs = Vec::new();
        leb128::write::signed(&mut theirs, value).expect("writing to a vector cannot fail");
        assert_eq!(*sleb128::encode(value), theirs);
        assert_eq!(sleb128::decode_canonical::<i64>(&theirs), Ok((value, theirs.len())));
        let (fixed, len) = leb128fmt::encode_s64(value).expect("fits");
        assert_eq!(fixed[..len], theirs);
        let mut padded = [0; 10];
        sleb128::encode_padded(value, &mut padded).expect("ten bytes are enough for any value");
        assert_eq!(Some(padded), leb128fmt::encode_fixed_s64(value));
        let narrow = value as i32;
        assert_eq!(sleb128::encode_i32_padded::<5>(narrow).ok(), leb128fmt::encode_fixed_s32(narrow));
        assert_eq!(
            zigzag_varint::varint::encode_u32_padded::<5>(narrow as u32).ok(),
            leb128fmt::encode_fixed_u32(narrow as u32)
        );
    }
    for _ in 0..RUNS {
        let src = bytes(&mut rng);
        let ours = sleb128::decode::<i64>(&src);
        let mut input = &src[..];
        let theirs = leb128::read::signed(&mut input);
        match (ours, theirs) {
            (Ok((value, len)), theirs) => {
                assert_eq!(theirs.ok(), Some(value), "{src:02x?}");
                assert_eq!(len, src.len() - input.len(), "{src:02x?}");
            }
            (Err(_), theirs) => assert!(theirs.is_err(), "{src:02x?}"),
        }
        let mut at = 0;
        let fmt = leb128fmt::decode_sint_slice::<i32, 32>(&src, &mut at).ok().map(|value| (value, at));
        assert_eq!(sleb128::decode::<i32>(&src).ok(), fmt, "{src:02x?}");
    }
}

/// A message with a field of every varint type, and a packed field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Message {
    int32: i32,
    int64: i64,
    uint32: u32,
    uint64: u64,
    sint32: i32,
    sint64: i64,
    boolean: bool,
    packed: Vec<i32>,
}

impl Message {
    fn random(rng: &mut impl Rng) -> Self {
        let packed = (0..rng.next_u64() % 9).map(|_| number(rng) as i32).collect();
        let [a, b, c, d, e, f, g] = std::array::from_fn(|_| number(rng));
        Self {
            int32: a as i32,
            int64: b,
            uint32: c as u32,
            uint64: d as u64,
            sint32: e as i32,
            sint64: f,
            boolean: g < 0,
            packed,
        }
    }

    /// Encodes the message with prost.
    fn encode_by_prost(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoding::int32::encode(1, &self.int32, &mut bytes);
        encoding::int64::encode(2, &self.int64, &mut bytes);
        encoding::uint32::encode(3, &self.uint32, &mut bytes);
        encoding::uint64::encode(4, &self.uint64, &mut bytes);
        encoding::sint32::encode(5, &self.sint32, &mut bytes);
        encoding::sint64::encode(6, &self.sint64, &mut bytes);
        encoding::bool::encode(7, &self.boolean, &mut bytes);
        encoding::int32::encode_packed(8, &self.packed, &mut bytes);
        bytes
    }

    /// Encodes the message with this crate.
    fn encode_by_us(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut field = |number: u32, value: Encoded<u64>| {
            bytes.extend_from_slice(&(number << 3).encode());
            bytes.extend_from_slice(&value);
        };
        field(1, protobuf::encode_int32(self.int32));
        field(2, protobuf::encode_int64(self.int64));
        field(3, protobuf::encode_uint32(self.uint32));
        field(4, protobuf::encode_uint64(self.uint64));
        field(5, protobuf::encode_sint32(self.sint32));
        field(6, protobuf::encode_sint64(self.sint64));
        field(7, protobuf::encode_bool(self.boolean));
        if !self.packed.is_empty() {
            let numbers: Vec<u64> = self.packed.iter().map(|&value| protobuf::int32_to_wire(value)).collect();
            let packed = zigzag_varint::encode_to_vec(&numbers);
            bytes.extend_from_slice(&(8u32 << 3 | 2).encode());
            bytes.extend_from_slice(&packed.len().encode());
            bytes.extend_from_slice(&packed);
        }
        bytes
    }

    /// Decodes a message with prost.
    fn decode_by_prost(bytes: &[u8]) -> Result<Self, prost::DecodeError> {
        let (mut message, mut input) = (Self::default(), bytes);
        while !input.is_empty() {
            let (number, wire) = encoding::decode_key(&mut input)?;
            let context = DecodeContext::default();
            match number {
                1 => encoding::int32::merge(wire, &mut message.int32, &mut input, context)?,
                2 => encoding::int64::merge(wire, &mut message.int64, &mut input, context)?,
                3 => encoding::uint32::merge(wire, &mut message.uint32, &mut input, context)?,
                4 => encoding::uint64::merge(wire, &mut message.uint64, &mut input, context)?,
                5 => encoding::sint32::merge(wire, &mut message.sint32, &mut input, context)?,
                6 => encoding::sint64::merge(wire, &mut message.sint64, &mut input, context)?,
                7 => encoding::bool::merge(wire, &mut message.boolean, &mut input, context)?,
                _ => encoding::int32::merge_repeated(wire, &mut message.packed, &mut input, context)?,
            }
        }
        Ok(message)
    }

    /// Decodes a message with this crate.
    fn decode_by_us(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (mut message, mut reader) = (Self::default(), Reader::new(bytes));
        while !reader.is_empty() {
            let key: u32 = reader.read()?;
            if key == 8 << 3 | 2 {
                let len: usize = reader.read()?;
                let end = reader.position() + len;
                while reader.position() < end {
                    message.packed.push(protobuf::int32_from_wire(reader.read()?));
                }
                continue;
            }
            let number: u64 = reader.read()?;
            match key >> 3 {
                1 => message.int32 = protobuf::int32_from_wire(number),
                2 => message.int64 = protobuf::int64_from_wire(number),
                3 => message.uint32 = protobuf::uint32_from_wire(number),
                4 => message.uint64 = protobuf::uint64_from_wire(number),
                5 => message.sint32 = protobuf::sint32_from_wire(number),
                6 => message.sint64 = protobuf::sint64_from_wire(number),
                _ => message.boolean = protobuf::bool_from_wire(number),
            }
        }
        Ok(message)
    }
}

#[test]
fn random_messages_have_the_same_bytes_and_are_decoded_by_both() {
    let mut rng = rng();
    for _ in 0..RUNS / 10 {
        let message = Message::random(&mut rng);
        let (ours, theirs) = (message.encode_by_us(), message.encode_by_prost());
        assert_eq!(ours, theirs, "{message:?}");
        assert_eq!(Message::decode_by_prost(&ours).as_ref(), Ok(&message));
        assert_eq!(Message::decode_by_us(&theirs).as_ref(), Ok(&message));
    }
}

/// Decodes random bytes as each field type. The result must be prost's value and length, or an
/// error if prost returns one.
#[test]
fn random_bytes_give_the_same_values_or_errors() {
    macro_rules! agree {
        ($src:ident: $($field:ident $decode:ident)*) => {$({
            let mut input = &$src[..];
            let mut value = Default::default();
            let merged = encoding::$field::merge(WireType::Varint, &mut value, &mut input, DecodeContext::default());
            let theirs = merged.ok().map(|()| (value, $src.len() - input.len()));
            assert_eq!(protobuf::$decode(&$src).ok(), theirs, "{} {:02x?}", stringify!($field), $src);
        })*};
    }
    let mut rng = rng();
    let mut read = 0;
    for _ in 0..RUNS {
        let src = bytes(&mut rng);
        agree!(src: int32 decode_int32 int64 decode_int64 uint32 decode_uint32 uint64 decode_uint64);
        agree!(src: sint32 decode_sint32 sint64 decode_sint64 bool decode_bool);
        read += usize::from(protobuf::decode_bool(&src).is_ok());
    }
    assert!(
        read > RUNS / 10 && read < RUNS - RUNS / 10,
        "{read} of {RUNS} were decoded; both outcomes must be frequent"
    );
}
