//! A Protocol Buffers message without generated code: tags, varints, zigzag, strings, a packed
//! field, and unknown fields.
//!
//! `cargo run --example protobuf_message`

use std::error::Error;

use zigzag_varint::{LengthPrefix, Reader, Varint, decode_append, encode_to_vec};

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

/// The wire types (section "Message Structure" of the encoding guide).
const VARINT: u32 = 0;
const I64: u32 = 1;
const LEN: u32 = 2;
const I32: u32 = 5;

/// The limit for strings and packed fields.
const FIELD: LengthPrefix = LengthPrefix::new(64 * 1024);

fn tag(field: u32, wire_type: u32) -> u32 {
    field << 3 | wire_type
}

fn encode(station: &Station) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut message = Vec::new();
    message.extend(tag(1, VARINT).encode());
    message.extend(station.id.encode());
    message.extend(tag(2, LEN).encode());
    FIELD.encode_append(station.name.as_bytes(), &mut message)?;
    message.extend(tag(3, VARINT).encode());
    message.extend(station.altitude.encode()); // signed types are zigzag-coded, like sint64
    message.extend(tag(4, LEN).encode());
    FIELD.encode_append(&encode_to_vec(&station.samples), &mut message)?; // packed: all samples in one field
    message.extend(tag(5, I64).encode());
    message.extend_from_slice(&station.factor.to_le_bytes());
    Ok(message)
}

fn decode(message: &[u8]) -> Result<Station, Box<dyn Error>> {
    let mut station = Station::default();
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.read::<u32>()?;
        match (tag >> 3, tag & 7) {
            (1, VARINT) => station.id = reader.read::<u32>()?,
            (2, LEN) => station.name = std::str::from_utf8(reader.read_length_prefixed(FIELD)?)?.to_owned(),
            (3, VARINT) => station.altitude = reader.read::<i64>()?,
            (4, LEN) => _ = decode_append(reader.read_length_prefixed(FIELD)?, &mut station.samples)?,
            (5, I64) => station.factor = f64::from_le_bytes(reader.read_bytes(8)?.try_into()?),
            // Unknown fields of a newer sender are skipped according to their wire type.
            (_, VARINT) => _ = reader.read::<u64>()?,
            (_, I64) => _ = reader.read_bytes(8)?,
            (_, LEN) => _ = reader.read_length_prefixed(FIELD)?,
            (_, I32) => _ = reader.read_bytes(4)?,
            (field, wire_type) => return Err(format!("field {field}: unknown wire type {wire_type}").into()),
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
    // The examples of the encoding guide: field 1 is 150, field 2 is "testing".
    assert!(message.starts_with(b"\x08\x96\x01\x12\x07testing"));

    // A newer sender adds fields 6 and 7.
    message.extend(tag(6, I32).encode());
    message.extend_from_slice(&1.5f32.to_le_bytes());
    message.extend(tag(7, LEN).encode());
    FIELD.encode_append(b"news", &mut message)?;
    let decoded = decode(&message)?;
    println!("{decoded:?}");
    assert_eq!(decoded, station);

    // A truncated message is an error that states how many bytes are missing.
    let error = decode(&message[..message.len() - 1]).unwrap_err();
    println!("error: {error}");
    assert_eq!(error.to_string(), "truncated payload: 1 of 4 bytes missing");
    Ok(())
}
