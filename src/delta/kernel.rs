//! The functions of [`Kernel`](crate::Kernel), which compute the differences a block at a time.

use crate::error::{BufferTooSmall, BulkError, Progress, continued};
use crate::kernel::Kernel;
use crate::simd::destination;
use crate::simd::slices::Slices;
use crate::varint_trait::Integer;

/// The number of differences that are computed before the kernel encodes them. They are stored on the
/// stack, which may be small without `std`.
const BLOCK: usize = if cfg!(feature = "std") { 1024 } else { 256 };
/// The number of differences that are decoded before they are added up, while they are in the L1 cache.
const DECODE_BLOCK: usize = 1024;

/// The functions of [`delta`](crate::delta) with a kernel of the caller's choice.
impl Kernel {
    /// Encodes like [`delta::encode_slice`](crate::delta::encode_slice), with this kernel.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] with the exact length needed if `dst` is too short.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut bytes = [0; 2];
    /// assert_eq!(Kernel::detect().encode_delta_slice([100u32], &[103, 101], &mut bytes), Ok(2));
    /// assert_eq!(bytes, [0x06, 0x03]);
    /// ```
    pub fn encode_delta_slice<T: Integer, const N: usize>(
        self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let slices = T::slices(self);
        let mut bytes = 0;
        let fits = by_block(slices, &checked(previous), src, |deltas| {
            let free = dst.get_mut(bytes..)?;
            bytes += slices.encode(deltas, free)?;
            Some(())
        });
        let too_small =
            || BufferTooSmall { needed: self.encoded_delta_len_slice(previous, src), available: dst.len() };
        fits.map(|()| bytes).ok_or_else(too_small)
    }

    /// Decodes like [`delta::decode_slice`](crate::delta::decode_slice), with this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut values = [0u32; 2];
    /// assert!(Kernel::detect().decode_delta_slice([100], &[0x06, 0x03], &mut values).is_ok());
    /// assert_eq!(values, [103, 101]);
    /// ```
    pub fn decode_delta_slice<T: Integer, const N: usize>(
        self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self);
        decode(slices, checked(previous), src, dst, |src, dst| {
            destination::decode(dst, |dst| slices.decode(src, dst, false))
        })
    }

    /// Decodes like [`delta::decode_slice_canonical`](crate::delta::decode_slice_canonical), with this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid or overlong varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// assert!(Kernel::detect().decode_delta_slice_canonical([100u32], &[0x83, 0x00], &mut [0]).is_err());
    /// ```
    pub fn decode_delta_slice_canonical<T: Integer, const N: usize>(
        self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self);
        decode(slices, checked(previous), src, dst, |src, dst| {
            destination::decode(dst, |dst| slices.decode(src, dst, true))
        })
    }

    /// Returns the same as [`delta::encoded_len_slice`](crate::delta::encoded_len_slice), computed with this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().encoded_delta_len_slice([100u32], &[103, 101]), 2);
    /// ```
    #[must_use]
    pub fn encoded_delta_len_slice<T: Integer, const N: usize>(self, previous: [T; N], src: &[T]) -> usize {
        let slices = T::slices(self);
        let mut bytes = 0;
        let _: Option<()> = by_block(slices, &checked(previous), src, |deltas| {
            bytes += slices.encoded_len(deltas);
            Some(())
        });
        bytes
    }
}

/// The greatest number of components: the smallest block of differences.
const MAX_COMPONENTS: usize = 32;

/// Returns `previous`, whose length is checked when the caller is compiled.
pub(super) fn checked<T, const N: usize>(previous: [T; N]) -> [T; N] {
    const { assert!(0 < N && N <= MAX_COMPONENTS, "delta: the number of components must be 1 to 32") };
    previous
}

/// Hands the differences of `src` to `take`, a block at a time, until it returns `None`.
fn by_block<T: Integer>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    take: impl FnMut(&[T]) -> Option<()>,
) -> Option<()> {
    // A block is zeroed before it is used, which would be the main cost of a short sequence. Each
    // block costs a call, so that a long sequence should have few.
    match src.len() {
        len if len <= MAX_COMPONENTS => by_block_of::<T, MAX_COMPONENTS>(slices, previous, src, take),
        ..=256 => by_block_of::<T, 256>(slices, previous, src, take),
        _ => by_block_of::<T, BLOCK>(slices, previous, src, take),
    }
}

fn by_block_of<T: Integer, const B: usize>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    mut take: impl FnMut(&[T]) -> Option<()>,
) -> Option<()> {
    let mut deltas = [T::default(); B];
    let mut before = previous;
    for block in src.chunks(B) {
        let deltas = &mut deltas[..block.len()];
        slices.deltas(before, block, deltas);
        // All blocks but the last one have at least as many values as there are components.
        before = &block[block.len().saturating_sub(previous.len())..];
        take(deltas)?;
    }
    Some(())
}

/// Decodes a block at a time, and adds it up while it is in the cache.
fn decode<T: Integer, const N: usize>(
    slices: impl Slices<T>,
    mut previous: [T; N],
    src: &[u8],
    dst: &mut [T],
    decode: impl Fn(&[u8], &mut [T]) -> Result<Progress, BulkError>,
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    for block in dst.chunks_mut(DECODE_BLOCK) {
        let rest = &src[done.bytes..];
        if rest.is_empty() {
            break;
        }
        let outcome = decode(rest, block);
        let progress = outcome.unwrap_or_else(|failed| failed.progress);
        let values = &mut block[..progress.values];
        slices.add_up(&previous, values);
        // Only the last block has fewer values than there are components.
        previous = *values.last_chunk().unwrap_or(&previous);
        done = continued(done, outcome)?;
    }
    Ok(done)
}
