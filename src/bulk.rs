//! Many values at once, between slices. No call allocates.

use crate::error::{BufferTooSmall, BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
use crate::scalar::slice;
use crate::varint_trait::Varint;

// A kernel pays for its call from so many values on. Fewer are done by the scalar loop, on the spot.
pub(crate) const FEW_TO_ENCODE: usize = 5;
pub(crate) const FEW_TO_DECODE: usize = 8;
pub(crate) const FEW_TO_MEASURE: usize = 8;

/// Encodes all of `src` to the front of `dst`, one after another; the bytes used. O(n).
///
/// `dst` never needs to be longer than the encoding; [`encoded_len_slice`] tells its length, and
/// `src.len() * T::MAX_LEN` is always enough. What `dst` holds behind the bytes used is unspecified: kernels may write there.
///
/// # Errors
///
/// [`BufferTooSmall`] with the exact need where `dst` is too short. What `dst` holds then is unspecified.
///
/// ```
/// use zigzag_varint::encode_slice;
///
/// let mut bytes = [0; 10];
/// let len = encode_slice(&[1u64, 300, 7], &mut bytes)?;
/// assert_eq!(bytes[..len], [0x01, 0xac, 0x02, 0x07]);
/// # Ok::<(), zigzag_varint::BufferTooSmall>(())
/// ```
#[inline]
pub fn encode_slice<T: Varint>(src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
    if src.len() < FEW_TO_ENCODE {
        let available = dst.len();
        return slice::encode(src, dst, Progress::default())
            .ok_or_else(|| BufferTooSmall { needed: slice::encoded_len(src), available });
    }
    Kernel::detect().encode_slice(src, dst)
}

/// Decodes from `src` until it ends or `dst` is full; how far it came. O(n).
///
/// A full `dst` is no error: compare `bytes` with `src.len()`. An empty `Vec` is full whatever its capacity: `decode_to_vec` makes its own.
///
/// An empty `src` is zero values. Bytes behind the last value that `dst` has room for are not judged. What `dst` holds behind the
/// values decoded is unspecified: kernels may write there.
///
/// # Errors
///
/// [`BulkError`] at the first bad varint: the values before it are in `dst`, the error's offset counts from the
/// start of `src`. What stands in `dst` behind those values is unspecified.
///
/// ```
/// use zigzag_varint::{Progress, decode_slice};
///
/// let mut values = [0i64; 8];
/// let progress = decode_slice(&[0x01, 0xd8, 0x04], &mut values)?;
/// assert_eq!(progress, Progress { values: 2, bytes: 3 });
/// assert_eq!(values[..2], [-1, 300]);
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
#[inline]
pub fn decode_slice<T: Varint>(src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
    if src.len().min(dst.len()) < FEW_TO_DECODE {
        return slice::decode::<T, false>(src, dst, Progress::default());
    }
    Kernel::detect().decode_slice(src, dst)
}

/// Like [`decode_slice`], and rejects overlong forms.
///
/// # Errors
///
/// Those of [`decode_slice`], and `NonCanonical`.
///
/// ```
/// use zigzag_varint::{ErrorKind, decode_slice_canonical};
///
/// let failed = decode_slice_canonical(&[0x01, 0x80, 0x00], &mut [0u64; 8]).unwrap_err();
/// assert_eq!((failed.error.kind(), failed.error.offset()), (ErrorKind::NonCanonical, 2));
/// ```
#[inline]
pub fn decode_slice_canonical<T: Varint>(src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
    if src.len().min(dst.len()) < FEW_TO_DECODE {
        return slice::decode::<T, true>(src, dst, Progress::default());
    }
    Kernel::detect().decode_slice_canonical(src, dst)
}

/// Bytes that [`encode_slice`] would use. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::encoded_len_slice(&[1u64, 300, 7]), 4);
/// ```
#[inline]
pub fn encoded_len_slice<T: Varint>(src: &[T]) -> usize {
    if src.len() < FEW_TO_MEASURE {
        return slice::encoded_len(src);
    }
    Kernel::detect().encoded_len_slice(src)
}

/// Complete varints in `src`, of any type: the bytes without continuation bit. O(n).
///
/// Bytes behind the last complete one are not counted, and values are not judged.
///
/// ```
/// assert_eq!(zigzag_varint::count(&[0x01, 0xac, 0x02, 0x80]), 2);
/// ```
#[inline]
pub fn count(src: &[u8]) -> usize {
    Kernel::detect().count(src)
}

/// Bytes that the first `n` varints of `src` take, of any type; values are not judged. O(n).
///
/// # Errors
///
/// `Truncated` at `src.len()` where `src` holds fewer than `n` complete ones.
///
/// ```
/// assert_eq!(zigzag_varint::skip(&[0x01, 0xac, 0x02, 0x80], 2), Ok(3));
/// assert!(zigzag_varint::skip(&[0x01, 0xac, 0x02, 0x80], 3).is_err());
/// ```
#[inline]
pub fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    Kernel::detect().skip(src, n)
}

/// The same with a kernel of the caller's choice.
impl Kernel {
    /// [`encode_slice`] on this kernel.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] with the exact need where `dst` is too short.
    ///
    /// ```
    /// use zigzag_varint::{BufferTooSmall, Kernel};
    ///
    /// let encoded = Kernel::SCALAR.encode_slice(&[1u32, 300], &mut [0; 2]);
    /// assert_eq!(encoded, Err(BufferTooSmall { needed: 3, available: 2 }));
    /// ```
    #[inline]
    pub fn encode_slice<T: Varint>(self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let slices = T::slices(self.backend());
        let available = dst.len();
        slices.encode(src, dst).ok_or_else(|| BufferTooSmall { needed: slices.encoded_len(src), available })
    }

    /// [`decode_slice`] on this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first bad varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut values = [0u32; 2];
    /// assert!(Kernel::detect().decode_slice(&[0x01, 0xac, 0x02], &mut values).is_ok());
    /// assert_eq!(values, [1, 300]);
    /// ```
    #[inline]
    pub fn decode_slice<T: Varint>(self, src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
        T::slices(self.backend()).decode(src, dst)
    }

    /// [`decode_slice_canonical`] on this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first bad or overlong varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// assert!(Kernel::detect().decode_slice_canonical(&[0x87, 0x00], &mut [0u32; 2]).is_err());
    /// ```
    #[inline]
    pub fn decode_slice_canonical<T: Varint>(self, src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
        T::slices(self.backend()).decode_canonical(src, dst)
    }

    /// [`encoded_len_slice`] on this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().encoded_len_slice(&[1u32, 300]), 3);
    /// ```
    #[inline]
    pub fn encoded_len_slice<T: Varint>(self, src: &[T]) -> usize {
        T::slices(self.backend()).encoded_len(src)
    }

    /// [`count`] on this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().count(&[0x01, 0xac, 0x02, 0x80]), 2);
    /// ```
    #[inline]
    pub fn count(self, src: &[u8]) -> usize {
        self.backend().count(src)
    }

    /// [`skip`] on this kernel.
    ///
    /// # Errors
    ///
    /// `Truncated` where `src` holds fewer than `n` complete varints.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().skip(&[0x01, 0xac, 0x02, 0x07], 2), Ok(3));
    /// ```
    #[inline]
    pub fn skip(self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        self.backend().skip(src, n)
    }
}
