//! Slices of differences: each value as the zigzag varint of its distance from the one before, for sequences whose neighbours are
//! close.
//!
//! ```
//! use zigzag_varint::delta;
//!
//! let timestamps = [1_700_000_000u64, 1_700_000_060, 1_700_000_058, 1_700_000_121];
//! let mut bytes = [0; 40];
//! let len = delta::encode_slice(0, &timestamps, &mut bytes)?;
//! assert_eq!(len, 5 + 1 + 1 + 1); // as plain varints: 20
//!
//! let mut decoded = [0; 4];
//! delta::decode_slice(0, &bytes[..len], &mut decoded)?;
//! assert_eq!(decoded, timestamps);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any sequence of any type makes the round trip, sorted or not: differences wrap around at the width of the type, so that from
//! `u64::MAX` to 0 is a step of 1. On the wire stands what [`encode_slice`](crate::encode_slice) makes of the differences as
//! signed numbers of that width, and the verdicts are those of [`Varint`].
//!
//! The first argument, `previous`, is the value before the first: 0 at the start of a sequence, or whatever both sides agree on. A
//! sequence in pieces goes on with the last value of the piece before.
//!
//! Nothing here allocates but the functions that return a `Vec`. Encoding keeps up to 1,024 differences on the stack, 256 without
//! feature `std`.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::backend::Slices;
use crate::bulk::{FEW_TO_DECODE, FEW_TO_ENCODE, FEW_TO_MEASURE};
use crate::error::{BufferTooSmall, BulkError, Progress};
use crate::kernel::Kernel;
use crate::varint_trait::Varint;

/// Values whose differences are made before the kernel takes them. They wait on the stack, which may be small without `std`.
const BLOCK: usize = if cfg!(feature = "std") { 1024 } else { 256 };
/// Values that are decoded before they are added up, while they are in the L1 cache.
const DECODE_BLOCK: usize = 1024;

/// Encodes the differences between `previous`, the first value of `src`, the second and so on to the front of `dst`; the bytes
/// used. O(n), and no allocation.
///
/// [`encoded_len_slice`] tells how long `dst` must be; `src.len() * T::MAX_LEN` is always enough. What `dst` holds behind the
/// bytes used is unspecified: kernels may write there.
///
/// # Errors
///
/// [`BufferTooSmall`] with the exact need where `dst` is too short. What `dst` holds then is unspecified.
///
/// ```
/// use zigzag_varint::delta;
///
/// let mut bytes = [0; 8];
/// let len = delta::encode_slice(0, &[100u32, 103, 101], &mut bytes)?;
/// assert_eq!(bytes[..len], [0xc8, 0x01, 0x06, 0x03]); // +100, +3, -2
/// # Ok::<(), zigzag_varint::BufferTooSmall>(())
/// ```
pub fn encode_slice<T: Varint>(previous: T, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
    kernel_for(src.len(), FEW_TO_ENCODE).encode_delta_slice(previous, src, dst)
}

/// Decodes from `src` until it ends or `dst` is full; how far it came. O(n), and no allocation.
///
/// To go on behind what it has decoded, pass the last value as `previous`. An empty `src` is zero values. What `dst` holds behind
/// the values decoded is unspecified.
///
/// # Errors
///
/// [`BulkError`] at the first bad varint: the values before it are in `dst`, the error's offset counts from the start of `src`.
///
/// ```
/// use zigzag_varint::{Progress, delta};
///
/// let bytes = [0xc8, 0x01, 0x06, 0x03];
/// let mut values = [0u32; 2];
/// let progress = delta::decode_slice(0, &bytes, &mut values)?;
/// assert_eq!((progress, values), (Progress { values: 2, bytes: 3 }, [100, 103]));
///
/// let progress = delta::decode_slice(103, &bytes[progress.bytes..], &mut values)?;
/// assert_eq!((progress.values, values[0]), (1, 101));
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
pub fn decode_slice<T: Varint>(previous: T, src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
    kernel_for(src.len().min(dst.len()), FEW_TO_DECODE).decode_delta_slice(previous, src, dst)
}

/// Like [`decode_slice`], and rejects overlong forms.
///
/// # Errors
///
/// Those of [`decode_slice`], and `NonCanonical`.
///
/// ```
/// use zigzag_varint::{ErrorKind, delta};
///
/// let failed = delta::decode_slice_canonical(0u32, &[0x06, 0x83, 0x00], &mut [0; 8]).unwrap_err();
/// assert_eq!((failed.progress.values, failed.error.kind()), (1, ErrorKind::NonCanonical));
/// ```
pub fn decode_slice_canonical<T: Varint>(
    previous: T,
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    kernel_for(src.len().min(dst.len()), FEW_TO_DECODE).decode_delta_slice_canonical(previous, src, dst)
}

/// Bytes that [`encode_slice`] would use. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::delta::encoded_len_slice(0, &[100u32, 103, 101]), 4);
/// ```
pub fn encoded_len_slice<T: Varint>(previous: T, src: &[T]) -> usize {
    kernel_for(src.len(), FEW_TO_MEASURE).encoded_delta_len_slice(previous, src)
}

/// What [`encode_slice`] writes, in a vector of exactly that length.
///
/// ```
/// assert_eq!(zigzag_varint::delta::encode_to_vec(0, &[100u32, 103]), [0xc8, 0x01, 0x06]);
/// ```
#[cfg(feature = "alloc")]
pub fn encode_to_vec<T: Varint>(previous: T, src: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; encoded_len_slice(previous, src)];
    let encoded = encode_slice(previous, src, &mut bytes);
    debug_assert_eq!(encoded, Ok(bytes.len()));
    bytes
}

/// All values of `src`. Memory is in proportion to `src`, whatever it says.
///
/// # Errors
///
/// [`BulkError`] at the first bad varint.
///
/// ```
/// assert_eq!(zigzag_varint::delta::decode_to_vec(0u32, &[0xc8, 0x01, 0x06]), Ok(vec![100, 103]));
/// ```
#[cfg(feature = "alloc")]
pub fn decode_to_vec<T: Varint>(previous: T, src: &[u8]) -> Result<Vec<T>, BulkError> {
    let mut values = crate::vec::decode_to_vec(src)?;
    T::slices(Kernel::detect().backend()).add_up(previous, &mut values);
    Ok(values)
}

/// The best kernel, or the scalar loop where there is too little work for a kernel.
fn kernel_for(len: usize, few: usize) -> Kernel {
    if len < few { Kernel::SCALAR } else { Kernel::detect() }
}

/// The functions of [`delta`](self) with a kernel of the caller's choice.
impl Kernel {
    /// [`delta::encode_slice`](encode_slice) on this kernel.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] with the exact need where `dst` is too short.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut bytes = [0; 2];
    /// assert_eq!(Kernel::detect().encode_delta_slice(100u32, &[103, 101], &mut bytes), Ok(2));
    /// assert_eq!(bytes, [0x06, 0x03]);
    /// ```
    pub fn encode_delta_slice<T: Varint>(
        self,
        previous: T,
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let slices = T::slices(self.backend());
        let mut bytes = 0;
        let fits = by_block(slices, previous, src, |deltas| {
            let room = dst.get_mut(bytes..)?;
            bytes += slices.encode(deltas, room)?;
            Some(())
        });
        let too_small =
            || BufferTooSmall { needed: self.encoded_delta_len_slice(previous, src), available: dst.len() };
        fits.map(|()| bytes).ok_or_else(too_small)
    }

    /// [`delta::decode_slice`](decode_slice) on this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first bad varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut values = [0u32; 2];
    /// assert!(Kernel::detect().decode_delta_slice(100, &[0x06, 0x03], &mut values).is_ok());
    /// assert_eq!(values, [103, 101]);
    /// ```
    pub fn decode_delta_slice<T: Varint>(
        self,
        previous: T,
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self.backend());
        decode(slices, previous, src, dst, |src, dst| slices.decode(src, dst))
    }

    /// [`delta::decode_slice_canonical`](decode_slice_canonical) on this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first bad or overlong varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// assert!(Kernel::detect().decode_delta_slice_canonical(100u32, &[0x83, 0x00], &mut [0]).is_err());
    /// ```
    pub fn decode_delta_slice_canonical<T: Varint>(
        self,
        previous: T,
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self.backend());
        decode(slices, previous, src, dst, |src, dst| slices.decode_canonical(src, dst))
    }

    /// [`delta::encoded_len_slice`](encoded_len_slice) on this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().encoded_delta_len_slice(100u32, &[103, 101]), 2);
    /// ```
    pub fn encoded_delta_len_slice<T: Varint>(self, previous: T, src: &[T]) -> usize {
        let slices = T::slices(self.backend());
        let mut bytes = 0;
        let _: Option<()> = by_block(slices, previous, src, |deltas| {
            bytes += slices.encoded_len(deltas);
            Some(())
        });
        bytes
    }
}

/// Hands the deltas of `src` to `take`, a block at a time, until it gives `None`.
fn by_block<T: Varint>(
    slices: &dyn Slices<T>,
    previous: T,
    src: &[T],
    take: impl FnMut(&[T]) -> Option<()>,
) -> Option<()> {
    // A block is cleared before it is used, for which a short sequence should not pay, and each one costs a call.
    match src.len() {
        0..=32 => by_block_of::<T, 32>(slices, previous, src, take),
        33..=256 => by_block_of::<T, 256>(slices, previous, src, take),
        _ => by_block_of::<T, BLOCK>(slices, previous, src, take),
    }
}

fn by_block_of<T: Varint, const N: usize>(
    slices: &dyn Slices<T>,
    mut previous: T,
    src: &[T],
    mut take: impl FnMut(&[T]) -> Option<()>,
) -> Option<()> {
    let mut deltas = [T::default(); N];
    for block in src.chunks(N) {
        let deltas = &mut deltas[..block.len()];
        slices.deltas(previous, block, deltas);
        previous = block[block.len() - 1];
        take(deltas)?;
    }
    Some(())
}

/// Decodes a block at a time and adds it up on the spot.
fn decode<T: Varint>(
    slices: &dyn Slices<T>,
    mut previous: T,
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
        previous = slices.add_up(previous, &mut block[..progress.values]);
        let begin = done.bytes;
        done = Progress { values: done.values + progress.values, bytes: begin + progress.bytes };
        if let Err(BulkError { error, .. }) = outcome {
            return Err(BulkError { progress: done, error: error.shifted(begin) });
        }
    }
    Ok(done)
}
