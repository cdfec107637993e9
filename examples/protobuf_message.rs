//! A Protocol Buffers message by hand: tags, varints, zigzag, strings, a packed field, and fields that the reader does not know.
//!
//! `cargo run --example protobuf_message`

use std::error::Error;

use zigzag_varint::{LengthPrefix, Reader, Varint, decode_to_vec, encode_to_vec};

/// ```proto
/// message Station {
///   uint32 id = 1;
///   string name = 2;
///   sint64 altitude = 3;
///   repeated sint32 samples = 4; // packed
///   double factor = 5;
/// }
/// ```
#[derive(Debug, Default, PartialEq)]
struct Station {
    id: u32,
    name: String,
    altitude: i64,
    samples: Vec<i32>,
    factor: f64,
}

/// Wire types ("Message Structure" in the encoding guide).
const VARINT: u32 = 0;
const I64: u32 = 1;
const LEN: u32 = 2;
const I32: u32 = 5;

/// Nothing in a message of ours is longer.
const FIELD: LengthPrefix = LengthPrefix::new(64 * 1024);

fn tag(field: u32, wire_type: u32) -> u32 {
    field << 3 | wire_type
}

fn encode(station: &Station) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut message = Vec::new();
    message.extend_from_slice(&tag(1, VARINT).encode());
    message.extend_from_slice(&station.id.encode());
    message.extend_from_slice(&tag(2, LEN).encode());
    FIELD.encode_append(station.name.as_bytes(), &mut message)?;
    message.extend_from_slice(&tag(3, VARINT).encode());
    message.extend_from_slice(&station.altitude.encode()); // signed: zigzag, as sint64 has it
    message.extend_from_slice(&tag(4, LEN).encode());
    FIELD.encode_append(&encode_to_vec(&station.samples), &mut message)?; // all samples at once
    message.extend_from_slice(&tag(5, I64).encode());
    message.extend_from_slice(&station.factor.to_le_bytes());
    Ok(message)
}

fn decode(message: &[u8]) -> Result<Station, Box<dyn Error>> {
    let mut station = Station::default();
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag: u32 = reader.read()?;
        match (tag >> 3, tag & 7) {
            (1, VARINT) => station.id = reader.read()?,
            (2, LEN) => station.name = str::from_utf8(reader.read_length_prefixed(FIELD)?)?.to_owned(),
            (3, VARINT) => station.altitude = reader.read()?,
            (4, LEN) => station.samples.extend(decode_to_vec::<i32>(reader.read_length_prefixed(FIELD)?)?),
            (5, I64) => station.factor = f64::from_le_bytes(reader.read_bytes(8)?.try_into()?),
            // Fields of a newer sender: passed over by their wire type.
            (_, VARINT) => _ = reader.read::<u64>()?,
            (_, I64) => _ = reader.read_bytes(8)?,
            (_, LEN) => _ = reader.read_length_prefixed(FIELD)?,
            (_, I32) => _ = reader.read_bytes(4)?,
            (field, wire_type) => return Err(format!("field {field}: wire type {wire_type}").into()),
        }
    }
    Ok(station)
}

fn main() -> Result<(), Box<dyn Error>> {
    let station = Station {
        id: 150,
        name: "testing".to_owned(),
        altitude: -28,
        samples: vec![-1, 0, 1, 300],
        factor: 0.5,
    };
    let mut message = encode(&station)?;
    println!("{} bytes: {message:02x?}", message.len());
    // The encoding guide's own examples: field 1 is 150, field 2 is "testing".
    assert!(message.starts_with(b"\x08\x96\x01\x12\x07testing"));

    // A newer sender adds fields 6 and 7.
    message.extend_from_slice(&tag(6, I32).encode());
    message.extend_from_slice(&1.5f32.to_le_bytes());
    message.extend_from_slice(&tag(7, LEN).encode());
    FIELD.encode_append(b"news", &mut message)?;
    let decoded = decode(&message)?;
    println!("{decoded:?}");
    assert_eq!(decoded, station);

    // Damage is named, with its place.
    let error = decode(&message[..message.len() - 1]).unwrap_err();
    println!("cut short: {error}");
    assert_eq!(error.to_string(), "truncated payload: 1 of 4 bytes missing");
    Ok(())
}
