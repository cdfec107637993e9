//! Sweeps your own codec: implement `Codec`, or pass two functions to `codec_from_fns`.
//!
//! `cargo run -p every-input --example sweep_own_codec`

use std::time::Duration;

use every_input::{Codec, CodecError, Sweep, SweepError, all, codec_from_fns};

/// A codec that encodes and decodes blocks of values.
struct Mine;

impl Codec<i32> for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn encode(&self, values: &[i32], dst: &mut [u8]) -> Result<usize, CodecError> {
        let mut used = 0;
        for &value in values {
            let (bytes, len) = encode(value);
            dst.get_mut(used..used + len).ok_or("dst is too small")?.copy_from_slice(&bytes[..len]);
            used += len;
        }
        Ok(used)
    }

    fn decode(&self, src: &[u8], values: &mut [i32]) -> Result<usize, CodecError> {
        let mut used = 0;
        for slot in values {
            let (value, len) = decode(&src[used..]).ok_or("truncated")?;
            *slot = value;
            used += len;
        }
        Ok(used)
    }
}

fn encode(value: i32) -> ([u8; 5], usize) {
    let mut rest = ((value << 1) ^ (value >> 31)) as u32;
    let mut bytes = [0; 5];
    let mut len = 0;
    while rest > 0x7f {
        bytes[len] = rest as u8 | 0x80;
        rest >>= 7;
        len += 1;
    }
    bytes[len] = rest as u8;
    (bytes, len + 1)
}

fn decode(src: &[u8]) -> Option<(i32, usize)> {
    let len = src.iter().position(|&byte| byte < 0x80)? + 1;
    let raw = src[..len].iter().rev().fold(0u32, |raw, &byte| raw << 7 | u32::from(byte & 0x7f));
    Some(((raw >> 1) as i32 ^ -((raw & 1) as i32), len))
}

fn main() -> Result<(), SweepError> {
    let sweep = Sweep::of(all::<i32>()).budget(Duration::from_secs(2));
    println!("{}", sweep.run(&Mine)?);

    // A typical bug: the encoder ignores the sign, so every negative value is wrong.
    let faulty = codec_from_fns(
        "faulty",
        |value: i32, dst: &mut [u8]| {
            let (bytes, len) = encode(value.wrapping_abs());
            dst[..len].copy_from_slice(&bytes[..len]);
            Ok(len)
        },
        |src: &[u8]| Ok(decode(src).ok_or("truncated")?),
    );
    println!("{}", sweep.run(&faulty)?);
    Ok(())
}
