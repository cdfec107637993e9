//! The decoder of the 2015 article on profiling a Go program, with its bug.
//!
//! It packs the 7-bit groups into eight bytes, and writes one byte for every group except the
//! eighth. Ten groups cause nine writes, so it panics on every varint of ten bytes. These are half
//! of all 64-bit integers, among them the minimum and the maximum. The 400 million values that the
//! author tested have four and five bytes.

use every_input::{Codec, CodecError, codec_from_fns};
use zigzag_varint::{Varint, zigzag};

pub(super) fn codec() -> impl Codec<i64> {
    codec_from_fns("article2015", |value: i64, dst: &mut [u8]| Ok(i64::encode_to_slice(value, dst)?), decode)
}

fn decode(src: &[u8]) -> Result<(i64, usize), CodecError> {
    let end = src.iter().position(|&byte| byte < 128).ok_or("no last byte")?;
    let groups = &src[..=end];
    let mut packed = [0u8; 8];
    let mut write = 0;
    for (i, &group) in groups.iter().enumerate() {
        if i == 7 {
            continue; // the seventh write has used all of this group
        }
        let next = groups.get(i + 1).copied().unwrap_or(0);
        let shift = i % 8;
        // The bug: `write` can reach eight.
        packed[write] = (group & 0x7f) >> shift | next << (7 - shift);
        write += 1;
    }
    Ok((zigzag::u64_to_i64(u64::from_le_bytes(packed)), groups.len()))
}
