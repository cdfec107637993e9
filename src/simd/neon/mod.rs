//! The NEON backend: little-endian AArch64, where NEON is part of the target and nothing is left to ask the CPU.

mod decode;
mod encode;
mod groups;
mod lanes;
mod tables;
mod uniform;
mod window;

use core::arch::aarch64::{vaddlvq_u8, vdupq_n_u8, vsraq_n_u8};

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;
use encode::BLOCK;
use window::{READ, load16};

/// Blocks of 16, 8 and 4 values out, windows of 64 bytes in.
pub(super) struct Neon;

// Short slices go to the scalar loop at once: there is no block or window in them.
macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Neon {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if src.len() < BLOCK {
                    return slice::encode(src, dst, Progress::default());
                }
                // SAFETY: this module is compiled only where the target has NEON.
                unsafe { encode::encode(src, dst) }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if src.len() < READ {
                    return slice::decode::<$int, false>(src, dst, Progress::default());
                }
                // SAFETY: this module is compiled only where the target has NEON.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if src.len() < READ {
                    return slice::decode::<$int, true>(src, dst, Progress::default());
                }
                // SAFETY: this module is compiled only where the target has NEON.
                unsafe { decode::decode::<$int, true>(src, dst) }
            }

            fn encoded_len(&self, src: &[$int]) -> usize {
                encode::encoded_len(src)
            }
        }
    )*};
}

slices!(u16 u32 u64 usize i16 i32 i64 isize);

impl Slices<u8> for Neon {}
impl Slices<i8> for Neon {}
impl Slices<u128> for Neon {}
impl Slices<i128> for Neon {}

impl Backend for Neon {
    fn name(&self) -> &'static str {
        "neon"
    }

    fn count(&self, src: &[u8]) -> usize {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { count(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { skip(src, n) }
    }
}

#[target_feature(enable = "neon")]
fn count(src: &[u8]) -> usize {
    let (blocks, rest) = src.as_chunks::<16>();
    // 255 rounds: what a lane of the sum can hold.
    let continued: usize = blocks.chunks(255).map(|blocks| continuations(blocks)).sum();
    blocks.len() * 16 - continued + slice::count(rest)
}

#[target_feature(enable = "neon")]
fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let mut left = n;
    let mut bytes = 0;
    for block in src.as_chunks::<64>().0 {
        let ends = 64 - continuations(block.as_chunks::<16>().0);
        if left <= ends {
            break;
        }
        left -= ends;
        bytes += 64;
    }
    let rest = src.get(bytes..).unwrap_or_default();
    slice::skip(rest, left).map(|len| bytes + len).map_err(|error| error.shifted(bytes))
}

/// Bytes with a continuation bit. At most 255 blocks.
#[target_feature(enable = "neon")]
#[inline]
fn continuations(blocks: &[[u8; 16]]) -> usize {
    // Shift right and accumulate: bit 7 of each lane, summed.
    let sums = blocks.iter().fold(vdupq_n_u8(0), |sums, block| vsraq_n_u8::<7>(sums, load16(block)));
    vaddlvq_u8(sums).into()
}
