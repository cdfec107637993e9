//! The NEON backend: little-endian AArch64, where NEON is part of the target and nothing is left to ask the CPU.

mod decode;
mod encode;
mod groups;
mod lanes;
mod tables;
mod uniform;
mod window;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, Progress};
use crate::scalar::slice;
use encode::BLOCK;
use window::READ;

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
}
