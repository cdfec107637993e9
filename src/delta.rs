//! Sequences whose neighbours are close: each value is written as its difference from the one before.
//!
//! Typical sequences are timestamps, sorted identifiers and coordinates.
//!
//! ```
//! use zigzag_varint::delta;
//!
//! let timestamps = [1_700_000_000u64, 1_700_000_060, 1_700_000_058, 1_700_000_121];
//! let mut bytes = [0; 40];
//! let len = delta::encode_slice([0], &timestamps, &mut bytes)?;
//! assert_eq!(len, 5 + 1 + 1 + 1); // as plain varints: 20
//!
//! let mut decoded = [0; 4];
//! delta::decode_slice([0], &bytes[..len], &mut decoded)?;
//! assert_eq!(decoded, timestamps);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The differences are written as zigzag varints, as [`encode_slice`](crate::encode_slice) writes signed
//! integers of the same width. Every sequence of every type makes the round trip, sorted or not:
//! differences wrap around at the width of the type, so that the difference from `u64::MAX` to 0 is 1. The
//! [decoding rules](crate::Varint#decoding-rules) are those of all varints.
//!
//! The first argument of the functions, `previous`, is an array with the value before the first one: `[0]`
//! at the start of a sequence, or any value that encoder and decoder agree on. To continue a sequence, pass
//! its last value.
//!
//! # Interleaved components
//!
//! An array of `N` values, at most 32, stands for `N` interleaved sequences. Each value is then written as its
//! difference from the one `N` values before it, as map tiles and OpenStreetMap store coordinates:
//!
//! ```
//! use zigzag_varint::delta;
//!
//! let points = [100u32, 9_000, 103, 9_001, 101, 9_003]; // x, y, x, y, x, y
//! let mut bytes = [0; 30];
//! let len = delta::encode_slice([0, 0], &points, &mut bytes)?;
//! assert_eq!(len, 2 + 3 + 1 + 1 + 1 + 1); // 100, 9000, +3, +1, -2, +2
//!
//! let mut decoded = [0; 6];
//! delta::decode_slice([0, 0], &bytes[..len], &mut decoded)?;
//! assert_eq!(decoded, points);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To continue such sequences, pass their last `N` values in order. The number of values need not be a multiple
//! of `N`.
//!
//! The functions do not allocate, except those that write to a `Vec`. Encoding stores up to 1,024
//! differences on the stack, or 256 without the feature `std`.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::backend::Slices;
use crate::error::{BufferTooSmall, BulkError, Progress, continued};
use crate::kernel::Kernel;
use crate::short::{FEW_TO_DECODE, FEW_TO_ENCODE, FEW_TO_MEASURE};
use crate::simd::destination;
use crate::varint_trait::Varint;
#[cfg(feature = "alloc")]
use crate::vec::zeros;

/// The number of differences that are computed before the kernel encodes them. They are stored on the
/// stack, which may be small without `std`.
const BLOCK: usize = if cfg!(feature = "std") { 1024 } else { 256 };
/// The number of differences that are decoded before they are added up, while they are in the L1 cache.
const DECODE_BLOCK: usize = 1024;

/// Encodes the differences of all of `src` into `dst`, and returns the number of bytes written. O(n).
///
/// [`encoded_len_slice`] returns the length that `dst` must have, and `src.len() * T::MAX_LEN` is always enough.
/// The contents of `dst` past the returned length are unspecified.
///
/// # Errors
///
/// [`BufferTooSmall`] with the exact length needed if `dst` is too short. The contents of `dst` are
/// unspecified then.
///
/// ```
/// use zigzag_varint::delta;
///
/// let mut bytes = [0; 8];
/// let len = delta::encode_slice([0], &[100u32, 103, 101], &mut bytes)?;
/// assert_eq!(bytes[..len], [0xc8, 0x01, 0x06, 0x03]); // +100, +3, -2
/// # Ok::<(), zigzag_varint::BufferTooSmall>(())
/// ```
pub fn encode_slice<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[T],
    dst: &mut [u8],
) -> Result<usize, BufferTooSmall> {
    kernel_for(src.len(), FEW_TO_ENCODE).encode_delta_slice(previous, src, dst)
}

/// Decodes values from `src` until `src` is exhausted or `dst` is full, and returns how many values
/// were decoded and how many bytes were consumed. O(n).
///
/// To continue, pass the last values as `previous`. An empty `src` contains no values. The contents of
/// `dst` past the decoded values are unspecified.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint. The values before it are in `dst`. The offset counts
/// from the start of `src`.
///
/// ```
/// use zigzag_varint::{Progress, delta};
///
/// let bytes = [0xc8, 0x01, 0x06, 0x03];
/// let mut values = [0u32; 2];
/// let progress = delta::decode_slice([0], &bytes, &mut values)?;
/// assert_eq!((progress, values), (Progress { values: 2, bytes: 3 }, [100, 103]));
///
/// let progress = delta::decode_slice([103], &bytes[progress.bytes..], &mut values)?;
/// assert_eq!((progress.values, values[0]), (1, 101));
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
pub fn decode_slice<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    kernel_for(src.len().min(dst.len()), FEW_TO_DECODE).decode_delta_slice(previous, src, dst)
}

/// Decodes like [`decode_slice`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_slice`], and `NonCanonical`.
///
/// ```
/// use zigzag_varint::{ErrorKind, delta};
///
/// let failed = delta::decode_slice_canonical([0u32], &[0x06, 0x83, 0x00], &mut [0; 8]).unwrap_err();
/// assert_eq!((failed.progress.values, failed.error.kind()), (1, ErrorKind::NonCanonical));
/// ```
pub fn decode_slice_canonical<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    kernel_for(src.len().min(dst.len()), FEW_TO_DECODE).decode_delta_slice_canonical(previous, src, dst)
}

/// Returns the length in bytes of what [`encode_slice`] writes. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::delta::encoded_len_slice([0], &[100u32, 103, 101]), 4);
/// ```
#[must_use]
pub fn encoded_len_slice<T: Varint, const N: usize>(previous: [T; N], src: &[T]) -> usize {
    kernel_for(src.len(), FEW_TO_MEASURE).encoded_delta_len_slice(previous, src)
}

/// Encodes the differences of all of `src` into a new vector of exactly the length needed. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::delta::encode_to_vec([0], &[100u32, 103]), [0xc8, 0x01, 0x06]);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_to_vec<T: Varint, const N: usize>(previous: [T; N], src: &[T]) -> Vec<u8> {
    let mut bytes = zeros(encoded_len_slice(previous, src));
    let encoded = encode_slice(previous, src, &mut bytes);
    debug_assert_eq!(encoded, Ok(bytes.len()));
    bytes
}

/// Appends the encoded differences of all of `src` to `dst`, and returns the number of bytes appended. O(n).
///
/// ```
/// let mut bytes = vec![0x02]; // the number of values
/// assert_eq!(zigzag_varint::delta::encode_append([0], &[100u32, 103], &mut bytes), 3);
/// assert_eq!(bytes, [0x02, 0xc8, 0x01, 0x06]);
/// ```
#[cfg(feature = "alloc")]
pub fn encode_append<T: Varint, const N: usize>(previous: [T; N], src: &[T], dst: &mut Vec<u8>) -> usize {
    let begin = dst.len();
    let len = encoded_len_slice(previous, src);
    dst.resize(begin + len, 0);
    let encoded = encode_slice(previous, src, &mut dst[begin..]);
    debug_assert_eq!(encoded, Ok(len));
    len
}

/// Decodes all of `src` into a new vector. O(n).
///
/// It allocates at most as many values as `src` has bytes.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint.
///
/// ```
/// assert_eq!(zigzag_varint::delta::decode_to_vec([0u32], &[0xc8, 0x01, 0x06]), Ok(vec![100, 103]));
/// ```
#[cfg(feature = "alloc")]
pub fn decode_to_vec<T: Varint, const N: usize>(previous: [T; N], src: &[u8]) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append(previous, src, &mut values)?;
    Ok(values)
}

/// Decodes like [`decode_to_vec`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_to_vec`], and `NonCanonical`.
///
/// ```
/// assert!(zigzag_varint::delta::decode_to_vec_canonical([0u32], &[0x83, 0x00]).is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn decode_to_vec_canonical<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[u8],
) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append_canonical(previous, src, &mut values)?;
    Ok(values)
}

/// Decodes all of `src`, appends the values to `dst`, and returns their number. O(n).
///
/// It reserves space for at most as many values as `src` has bytes.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint. The values before it are appended.
///
/// ```
/// use zigzag_varint::delta;
///
/// let mut values = vec![100u32];
/// assert_eq!(delta::decode_append([100], &[0x06, 0x03], &mut values), Ok(2));
/// assert_eq!(values, [100, 103, 101]);
/// ```
#[cfg(feature = "alloc")]
pub fn decode_append<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut Vec<T>,
) -> Result<usize, BulkError> {
    append(previous, dst, |dst| crate::vec::decode_append(src, dst))
}

/// Decodes like [`decode_append`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_append`], and `NonCanonical`.
///
/// ```
/// let mut values = vec![];
/// assert!(zigzag_varint::delta::decode_append_canonical([0u32], &[0x06, 0x83, 0x00], &mut values).is_err());
/// assert_eq!(values, [3]);
/// ```
#[cfg(feature = "alloc")]
pub fn decode_append_canonical<T: Varint, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut Vec<T>,
) -> Result<usize, BulkError> {
    append(previous, dst, |dst| crate::vec::decode_append_canonical(src, dst))
}

/// Adds up the differences that `decode` appends to `dst`.
#[cfg(feature = "alloc")]
fn append<T: Varint, const N: usize>(
    previous: [T; N],
    dst: &mut Vec<T>,
    decode: impl FnOnce(&mut Vec<T>) -> Result<usize, BulkError>,
) -> Result<usize, BulkError> {
    let begin = dst.len();
    let decoded = decode(dst);
    T::slices(Kernel::detect().backend()).add_up(&checked(previous), &mut dst[begin..]);
    decoded
}

/// Returns the kernel for that number of values: the scalar loop if they are too few for another.
fn kernel_for(len: usize, few: usize) -> Kernel {
    if len < few { Kernel::SCALAR } else { Kernel::detect() }
}

/// The functions of [`delta`](self) with a kernel of the caller's choice.
impl Kernel {
    /// Encodes like [`delta::encode_slice`](encode_slice), with this kernel.
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
    pub fn encode_delta_slice<T: Varint, const N: usize>(
        self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let slices = T::slices(self.backend());
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

    /// Decodes like [`delta::decode_slice`](decode_slice), with this kernel.
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
    pub fn decode_delta_slice<T: Varint, const N: usize>(
        self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self.backend());
        decode(slices, checked(previous), src, dst, |src, dst| destination::decode(slices, false, src, dst))
    }

    /// Decodes like [`delta::decode_slice_canonical`](decode_slice_canonical), with this kernel.
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
    pub fn decode_delta_slice_canonical<T: Varint, const N: usize>(
        self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
    ) -> Result<Progress, BulkError> {
        let slices = T::slices(self.backend());
        decode(slices, checked(previous), src, dst, |src, dst| destination::decode(slices, true, src, dst))
    }

    /// Returns the same as [`delta::encoded_len_slice`](encoded_len_slice), computed with this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().encoded_delta_len_slice([100u32], &[103, 101]), 2);
    /// ```
    #[must_use]
    pub fn encoded_delta_len_slice<T: Varint, const N: usize>(self, previous: [T; N], src: &[T]) -> usize {
        let slices = T::slices(self.backend());
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
fn checked<T, const N: usize>(previous: [T; N]) -> [T; N] {
    const { assert!(0 < N && N <= MAX_COMPONENTS, "delta: the number of components must be 1 to 32") };
    previous
}

/// Hands the differences of `src` to `take`, a block at a time, until it returns `None`.
fn by_block<T: Varint>(
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

fn by_block_of<T: Varint, const B: usize>(
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
fn decode<T: Varint, const N: usize>(
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
