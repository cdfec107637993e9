//! Speaks the protocol of `sweep protocol` for an implementation and a wire type. Without them, lists both.

mod integers;
mod protobuf;

use std::env::args;
use std::io::{Read, Write, stdin, stdout};

/// The value and its length, or `None` for an error.
type Decoded = Option<(i128, usize)>;

/// The functions of a crate for a wire type: the wire type, the decoder and the encoder.
type Codec = (&'static str, fn(&[u8]) -> Decoded, fn(i128) -> Vec<u8>);

/// Lists codecs by their wire types.
macro_rules! codecs {
    ($($wire_type:literal: $decode:expr, $encode:expr;)*) => { vec![$(($wire_type, $decode, $encode)),*] };
}
use codecs;

/// Calls a decoder that advances a slice.
fn advancing<T: Into<i128>>(source: &[u8], read: impl FnOnce(&mut &[u8]) -> Option<T>) -> Decoded {
    let mut rest = source;
    let value = read(&mut rest)?;
    Some((value.into(), source.len() - rest.len()))
}

/// Calls an encoder that appends to a vector.
fn written<E>(write: impl FnOnce(&mut Vec<u8>) -> E) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

/// Returns the version of a crate in the lock file.
fn version(name: &str) -> Option<&str> {
    let (_, rest) = include_str!("../Cargo.lock").split_once(&format!("name = \"{name}\"\nversion = \""))?;
    rest.split('"').next()
}

fn main() {
    let implementations = [integers::all(), protobuf::all()].concat();
    let Some((name, wire_type)) = args().nth(1).zip(args().nth(2)) else {
        for (name, codecs) in implementations {
            let types: Vec<&str> = codecs.iter().map(|codec| codec.0).collect();
            println!("{name} {name} {} {}", version(name).expect("a version"), types.join(" "));
        }
        return;
    };
    let codecs = implementations.into_iter().find(|(known, _)| *known == name).expect("an implementation").1;
    let (_, decode, encode) = codecs.into_iter().find(|codec| codec.0 == wire_type).expect("a wire type");
    let mut head = [0; 4];
    while stdin().read_exact(&mut head).is_ok() {
        let mut body = vec![0; u32::from_le_bytes(head) as usize];
        stdin().read_exact(&mut body).expect("a whole request");
        let bits: u32 = String::from_utf8_lossy(&body[5..8]).trim().parse().expect("a type");
        let (mut at, mut results) = (8, Vec::new());
        while at < body.len() {
            let input = &body[at + 1..][..usize::from(body[at])];
            let result = if body.starts_with(b"dec") {
                let size = bits as usize / 8;
                let result = decode(input);
                result.map_or(vec![], |(value, len)| [&[len as u8], &value.to_le_bytes()[..size]].concat())
            } else {
                let mut bytes = [0; 16];
                bytes[..input.len()].copy_from_slice(input);
                let above = if body[4] == b'i' { 128 - bits } else { 0 };
                encode(i128::from_le_bytes(bytes) << above >> above)
            };
            results.push(result.len() as u8);
            results.extend(result);
            at += 1 + input.len();
        }
        let answer = [&(results.len() as u32).to_le_bytes(), &results[..]].concat();
        stdout().write_all(&answer).and_then(|()| stdout().flush()).expect("a reader");
    }
}
