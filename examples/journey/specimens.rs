//! New implementations in Rust of the codec of the 2015 article and of its two optimisations. They
//! have the same inefficiencies and the same bug: they fail on varints of ten bytes.

use std::hint::black_box;
use std::io::{Read, Write};

use every_input::{Codec, CodecError, codec_from_fns};
use zigzag_varint::zigzag;

/// Returns the three codecs, the slowest first.
pub(crate) fn all() -> Vec<Box<dyn Codec<i64>>> {
    vec![
        Box::new(Baseline),
        Box::new(codec_from_fns("optimisation-1", encode, decode_collected)),
        Box::new(codec_from_fns("optimisation-2", encode, decode_in_place)),
    ]
}

/// Writes and reads bytes one by one through a writer and a reader, and collects them twice.
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
            // `black_box` hides the type of the writer, as if it could also be a socket.
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

/// Joins the remaining bits of group `i` and the low bits of the next one. Byte 6 has group 7.
fn pair(groups: &[u8], i: usize) -> u8 {
    let next = groups.get(i + 1).copied().unwrap_or(0);
    (groups[i] & 0x7f) >> (i % 8) | next << (7 - i % 8)
}

/// Encodes into a slice, without a writer.
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

/// Decodes from a slice, without a reader. The groups are still collected in a `Vec` per value.
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

/// Decodes from a slice without collecting the groups, so that nothing is allocated.
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
