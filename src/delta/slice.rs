//! The functions on slices, with the kernel for the number of values.

use crate::error::{BufferTooSmall, BulkError, Progress};
use crate::kernel::Kernel;
use crate::short::{FEW_TO_DECODE, FEW_TO_ENCODE, FEW_TO_MEASURE};
use crate::varint_trait::Integer;

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
pub fn encode_slice<T: Integer, const N: usize>(
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
pub fn decode_slice<T: Integer, const N: usize>(
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
pub fn decode_slice_canonical<T: Integer, const N: usize>(
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
pub fn encoded_len_slice<T: Integer, const N: usize>(previous: [T; N], src: &[T]) -> usize {
    kernel_for(src.len(), FEW_TO_MEASURE).encoded_delta_len_slice(previous, src)
}

/// Returns the kernel for that number of values: the scalar loop if they are too few for another.
fn kernel_for(len: usize, few: usize) -> Kernel {
    if len < few { Kernel::SCALAR } else { Kernel::detect() }
}
