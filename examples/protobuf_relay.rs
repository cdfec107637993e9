//! Adds a number to the route of a Protocol Buffers message, and keeps the fields that it does not
//! know, as those of a newer sender.
//!
//! `cargo run --example protobuf_relay -- FROM TO`

use std::{env, error::Error, fs, io, path::PathBuf};
use zigzag_varint::protobuf::{Tag, TagType, Uint32};
use zigzag_varint::{LengthPrefix, Reader, Varint};

const ROUTE: Tag = Tag::new(6, TagType::Len).unwrap(); // repeated uint32 route = 6;
const NOT_PACKED: Tag = Tag::new(6, TagType::Varint).unwrap(); // parsers must accept both forms
const OWN: u32 = 300;
const FIELD: LengthPrefix = LengthPrefix::new(i32::MAX as usize); // 2 GiB, as in Protocol Buffers

/// Reads a field, and returns whether it is part of the route.
fn read_field(reader: &mut Reader<'_>, route: &mut Vec<u32>) -> Result<bool, Box<dyn Error>> {
    match Tag::read(reader)? {
        ROUTE => _ = Uint32::decode_append(reader.read_length_prefixed(FIELD)?, route)?,
        NOT_PACKED => route.push(reader.read::<Uint32>()?),
        unknown => {
            unknown.skip(reader)?;
            return Ok(false);
        }
    }
    Ok(true)
}

pub(crate) fn run(args: &[PathBuf], out: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    let [from, to] = args else { return Err("usage: protobuf_relay FROM TO".into()) };
    let message = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    let (mut reader, mut route, mut relayed) = (Reader::new(&message), vec![], vec![]);
    while !reader.is_empty() {
        let at = reader.position();
        if !read_field(&mut reader, &mut route).map_err(|error| format!("field at offset {at}: {error}"))? {
            relayed.extend_from_slice(&message[at..reader.position()]);
        }
    }
    let kept = relayed.len();
    route.push(OWN);
    relayed.extend_from_slice(&ROUTE.encode());
    FIELD.encode_append(&Uint32::encode_to_vec(&route), &mut relayed)?;
    fs::write(to, relayed).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(writeln!(out, "route: {route:?}; other fields: {kept} bytes")?)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&env::args_os().skip(1).map(PathBuf::from).collect::<Vec<_>>(), &mut io::stdout())
}
