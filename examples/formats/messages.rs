//! Messages: Protocol Buffers without generated code, identifiers of multiformats, and frames for
//! tokio.

use tokio_util::bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint::protobuf::{Bool, Int32, Sint64};
use zigzag_varint::{Canonical, FrameError, LengthPrefix, MaxLen, Reader, Varint};

/// `int32 id = 1; sint64 altitude = 2; bool ready = 3; repeated int32 samples = 4; string name = 5;`
#[derive(Debug, Default, PartialEq)]
pub struct Station {
    pub id: i32,
    pub altitude: i64,
    pub ready: bool,
    pub samples: Vec<i32>,
    pub name: String,
}

/// The limit for strings and packed fields.
const FIELD: LengthPrefix = LengthPrefix::new(64 * 1024);

impl Station {
    pub fn encode(&self) -> Result<Vec<u8>, FrameError> {
        let mut message = vec![0x08]; // the number of the field times 8, and its wire type
        message.extend(Int32(self.id).encode());
        message.push(0x10);
        message.extend(Sint64(self.altitude).encode());
        message.push(0x18);
        message.extend(Bool(self.ready).encode());
        message.push(0x22);
        FIELD.encode_append(&Int32::encode_to_vec(&self.samples), &mut message)?;
        message.push(0x2a);
        FIELD.encode_append(self.name.as_bytes(), &mut message)?;
        Ok(message)
    }

    pub fn decode(message: &[u8]) -> Result<Self, FrameError> {
        let (mut reader, mut station) = (Reader::new(message), Self::default());
        while !reader.is_empty() {
            match reader.read::<u32>()? {
                0x08 => station.id = reader.read::<Int32>()?,
                0x10 => station.altitude = reader.read::<Sint64>()?,
                0x18 => station.ready = reader.read::<Bool>()?,
                0x20 => station.samples.push(reader.read::<Int32>()?), // not packed
                0x22 => {
                    let packed = reader.read_length_prefixed(FIELD)?;
                    Int32::decode_append(packed, &mut station.samples)?;
                }
                0x2a => {
                    let name = reader.read_length_prefixed(FIELD)?;
                    station.name = String::from_utf8_lossy(name).into_owned();
                }
                // An unknown field is skipped by its wire type.
                tag => match tag % 8 {
                    0 => _ = reader.skip_values(1)?,
                    1 => _ = reader.read_bytes(8)?,
                    2 => _ = reader.read_length_prefixed(FIELD)?,
                    _ => _ = reader.read_bytes(4)?,
                },
            }
        }
        Ok(station)
    }
}

/// The unsigned varint of multiformats: 63 bits, and only the shortest encoding.
type Multi = Canonical<MaxLen<u64, 9>>;

/// Reads a CID: its version, the codec of the content, and the hash function with its digest.
pub fn cid(bytes: &[u8]) -> Result<([u64; 3], &[u8]), FrameError> {
    let mut reader = Reader::new(bytes);
    let [version, codec, hash] = [reader.read::<Multi>()?, reader.read::<Multi>()?, reader.read::<Multi>()?];
    let len = usize::try_from(reader.read::<Multi>()?).unwrap_or(usize::MAX);
    Ok(([version, codec, hash], reader.read_bytes(len)?))
}

/// Writes payloads as frames, and reads them as a socket delivers them: one byte more each time.
pub fn frames(payloads: &[&'static str]) -> std::io::Result<Vec<BytesMut>> {
    let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(1024).canonical());
    let (mut sent, mut received, mut frames) = (BytesMut::new(), BytesMut::new(), vec![]);
    for payload in payloads {
        codec.encode(Bytes::from(*payload), &mut sent)?;
    }
    for byte in sent {
        received.extend([byte]);
        frames.extend(codec.decode(&mut received)?);
    }
    Ok(frames)
}
