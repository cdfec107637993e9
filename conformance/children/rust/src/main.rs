//! Speaks the protocol of `sweep protocol` for a crate and a wire type.

mod integers;
mod protobuf;

use std::env::args;
use std::io::{Read, Write, stdin, stdout};

/// A type of values.
trait Value: Into<i128> + 'static {
    /// Returns the value with these bits; those above the type are ignored.
    fn of(bits: u64) -> Self;
}

macro_rules! values {
    ($($type:ty, $bits:ident => $of:expr;)*) => { $(impl Value for $type { fn of($bits: u64) -> Self { $of } })* };
}
values! { u32, v => v as u32; u64, v => v; i32, v => v as i32; i64, v => v as i64; bool, v => v != 0; }

/// The functions of a crate for a wire type. The decoder returns the value and its length, or `None` for
/// an error.
struct Codec {
    wire_type: &'static str,
    decode: Box<dyn Fn(&[u8]) -> Option<(i128, usize)>>,
    encode: Box<dyn Fn(u64) -> Vec<u8>>,
}

/// Returns the codec that these functions for values of a type make.
fn of<T: Value>(
    wire_type: &'static str,
    decode: impl Fn(&[u8]) -> Option<(T, usize)> + 'static,
    encode: impl Fn(T) -> Vec<u8> + 'static,
) -> Codec {
    let decode = Box::new(move |source: &[u8]| decode(source).map(|(value, len)| (value.into(), len)));
    Codec { wire_type, decode, encode: Box::new(move |bits| encode(T::of(bits))) }
}

/// Calls a decoder that advances a slice.
fn advancing<T>(source: &[u8], read: impl FnOnce(&mut &[u8]) -> Option<T>) -> Option<(T, usize)> {
    let mut rest = source;
    let value = read(&mut rest)?;
    Some((value, source.len() - rest.len()))
}

/// Calls an encoder that appends to a vector.
fn written<E>(write: impl FnOnce(&mut Vec<u8>) -> E) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

fn main() {
    let [_, name, wire_type] = &args().collect::<Vec<_>>()[..] else { panic!("a crate and a wire type") };
    let all = integers::all().into_iter().chain(protobuf::all());
    let mut codecs = all.filter(|(known, _)| known == name).flat_map(|(_, codecs)| codecs);
    let Codec { decode, encode, .. } = codecs.find(|codec| codec.wire_type == wire_type).expect("a codec");
    let mut head = [0; 4];
    while stdin().read_exact(&mut head).is_ok() {
        let mut body = vec![0; u32::from_le_bytes(head) as usize];
        stdin().read_exact(&mut body).expect("a whole request");
        let bits: usize = String::from_utf8_lossy(&body[5..8]).trim().parse().expect("a type");
        let (mut at, mut results) = (8, Vec::new());
        while at < body.len() {
            let input = &body[at + 1..][..usize::from(body[at])];
            let result = if body.starts_with(b"dec") {
                let result = decode(input);
                result.map_or(vec![], |(value, len)| [&[len as u8], &value.to_le_bytes()[..bits / 8]].concat())
            } else {
                let mut bytes = [0; 8];
                bytes[..input.len()].copy_from_slice(input);
                encode(u64::from_le_bytes(bytes))
            };
            results.push(result.len() as u8);
            results.extend(result);
            at += 1 + input.len();
        }
        let answer = [&(results.len() as u32).to_le_bytes(), &results[..]].concat();
        stdout().write_all(&answer).and_then(|()| stdout().flush()).expect("a reader");
    }
}
