//! The codec of the 2015 article and its two optimisations, written anew in Rust with the habits that made them slow, and
//! with their bug: ten bytes do not fit.

use std::hint::black_box;
use std::io::{Read, Write};

use varint_sweep::{Codec, CodecError, codec_from_fns};
use zigzag_varint::zigzag;

/// All three, slowest first.
pub(crate) fn all() -> Vec<Box<dyn Codec<i64>>> {
    vec![
        Box::new(Baseline),
        Box::new(codec_from_fns("optimisation-1", encode, decode_collected)),
        Box::new(codec_from_fns("optimisation-2", encode, decode_in_place)),
    ]
}

/// Bytes go through a writer and a reader, one by one, and are collected twice on the way back.
struct Baseline;

impl Codec<i64> for Baseline {
    fn name(&self) -> &str {
        "baseline"
    }

    fn encode(&self, values: &[i64], dst: &mut [u8]) -> Result<usize, CodecError> {
        let mut buffer = Vec::new();
        let mut used = 0;
        for &value in values {
            buffer.clear();
            // Which writer it is the compiler shall not see: elsewhere it is a socket.
            write_varint(black_box(&mut buffer), zigzag::i64_to_u64(value))?;
            dst.get_mut(used..used + buffer.len()).ok_or("dst is too small")?.copy_from_slice(&buffer);
            used += buffer.len();
        }
        Ok(used)
    }

    fn decode(&self, src: &[u8], values: &mut [i64]) -> Result<usize, CodecError> {
        let mut rest = src;
        for slot in values {
            *slot = zigzag::u64_to_i64(read_varint(black_box(&mut rest))?);
        }
        Ok(src.len() - rest.len())
    }
}

fn write_varint(writer: &mut dyn Write, mut value: u64) -> Result<(), CodecError> {
    while value > 0x7f {
        writer.write_all(&[value as u8 | 0x80])?;
        value >>= 7;
    }
    Ok(writer.write_all(&[value as u8])?)
}

fn read_varint(reader: &mut dyn Read) -> Result<u64, CodecError> {
    let mut groups = Vec::with_capacity(10);
    loop {
        let mut byte = [0];
        reader.read_exact(&mut byte)?;
        groups.push(byte[0]);
        if byte[0] < 0x80 {
            break;
        }
    }
    let mut packed = Vec::new();
    for (i, _) in groups.iter().enumerate().filter(|&(i, _)| i != 7) {
        packed.push(pair(&groups, i));
    }
    while packed.len() < 8 {
        packed.push(0);
    }
    let packed = packed.try_into().map_err(|_| "more than eight bytes")?;
    Ok(u64::from_le_bytes(packed))
}

/// The byte that begins in group `i`: what is left of that, and the low bits of the next. Group 7 is all in byte 6.
fn pair(groups: &[u8], i: usize) -> u8 {
    let next = groups.get(i + 1).copied().unwrap_or(0);
    (groups[i] & 0x7f) >> (i % 8) | next << (7 - i % 8)
}

/// Into a slice, without a writer.
fn encode(value: i64, dst: &mut [u8]) -> Result<usize, CodecError> {
    let mut rest = zigzag::i64_to_u64(value);
    let mut used = 0;
    while rest > 0x7f {
        *dst.get_mut(used).ok_or("dst is too small")? = rest as u8 | 0x80;
        rest >>= 7;
        used += 1;
    }
    *dst.get_mut(used).ok_or("dst is too small")? = rest as u8;
    Ok(used + 1)
}

/// From a slice, without a reader, but the groups still go into a `Vec` for each value.
fn decode_collected(src: &[u8]) -> Result<(i64, usize), CodecError> {
    let mut groups = Vec::with_capacity(10);
    for &byte in src {
        groups.push(byte);
        if byte < 0x80 {
            return Ok((zigzag::u64_to_i64(pack(&groups)?), groups.len()));
        }
    }
    Err("truncated".into())
}

/// The groups stay where they are: nothing is allocated.
fn decode_in_place(src: &[u8]) -> Result<(i64, usize), CodecError> {
    let len = 1 + src.iter().position(|&byte| byte < 0x80).ok_or("truncated")?;
    Ok((zigzag::u64_to_i64(pack(&src[..len])?), len))
}

fn pack(groups: &[u8]) -> Result<u64, CodecError> {
    let mut packed = [0; 8];
    let mut slots = packed.iter_mut();
    for i in (0..groups.len()).filter(|&i| i != 7) {
        *slots.next().ok_or("more than eight bytes")? = pair(groups, i);
    }
    Ok(u64::from_le_bytes(packed))
}
