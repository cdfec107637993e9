//! Slices of 128-bit integers. Values that fit in 64 bits are encoded and decoded as such, by the kernel.

use core::mem::MaybeUninit;

use super::Kernel;
use crate::error::{BulkError, Progress};
use crate::scalar::slice;
use crate::simd::destination;
use crate::simd::slices::Slices;

/// The number of values that are converted at a time for encoding.
const NARROWED_VALUES: usize = 64;
/// The number of values that the scalar loop decodes after one that does not fit in 64 bits. It
/// doubles each time that the next value does not fit either.
const SCALAR_RUN: usize = 16;
/// The upper limit of that number.
const LONGEST_SCALAR_RUN: usize = 1 << 12;

macro_rules! wide {
    ($($int:ident $narrow:ident)*) => {$(
        impl Slices<$int> for Kernel {
            #[inline]
            fn encode(self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if self == Self::SCALAR {
                    return slice::encode(src, dst, Progress::default());
                }
                let mut bytes = 0;
                for values in src.chunks(NARROWED_VALUES) {
                    let dst = dst.get_mut(bytes..)?;
                    let mut narrow: [$narrow; NARROWED_VALUES] = [0; NARROWED_VALUES];
                    let mut lost = 0;
                    for (narrow, value) in narrow.iter_mut().zip(values) {
                        *narrow = *value as $narrow;
                        lost |= *value ^ <$int>::from(*narrow);
                    }
                    bytes += if lost == 0 {
                        self.encode(&narrow[..values.len()], dst)?
                    } else {
                        slice::encode(values, dst, Progress::default())?
                    };
                }
                Some(bytes)
            }

            #[inline]
            fn decode(
                self,
                src: &[u8],
                dst: &mut [MaybeUninit<$int>],
                canonical: bool,
            ) -> Result<Progress, BulkError> {
                let mut at = Progress::default();
                if self == Self::SCALAR {
                    return slice::decode(src, dst, at, canonical);
                }
                let mut run = SCALAR_RUN;
                while at.bytes < src.len() && at.values < dst.len() {
                    let (rest, slots) = (&src[at.bytes..], &mut dst[at.values..]);
                    let space = slots.len().min(destination::BLOCK_VALUES);
                    let block = destination::decode_block(
                        |narrow| Slices::<$narrow>::decode(self, rest, &mut narrow[..space], canonical),
                        |narrow| {
                            for (slot, value) in slots.iter_mut().zip(narrow) {
                                slot.write((*value).into());
                            }
                        },
                    );
                    match block {
                        Ok(done) => at = at.then(done),
                        // An error, or only a value that is too long for 64 bits.
                        Err(failed) => {
                            run = if failed.progress.values == 0 { LONGEST_SCALAR_RUN.min(2 * run) } else { SCALAR_RUN };
                            at = at.then(failed.progress);
                            let end = dst.len().min(at.values + run);
                            at = slice::decode(src, &mut dst[..end], at, canonical)?;
                        }
                    }
                }
                Ok(at)
            }
        }
    )*};
}

wide!(u128 u64 i128 i64);
