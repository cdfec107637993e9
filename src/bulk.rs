//! The functions for many values between slices. None of them allocates.

use crate::error::{BufferTooSmall, BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
use crate::simd::destination;
use crate::varint_trait::{Unlimited, Varint};
use crate::wire::Wire;
use crate::wire_types::Integer;

/// Encodes all of `src` into `dst`, and returns the number of bytes written. O(n).
///
/// `dst` never needs to be longer than the encoding: [`encoded_len_slice`] returns that length, and
/// `src.len() * T::MAX_LEN` is always enough. The contents of `dst` past the returned length are
/// unspecified.
///
/// # Errors
///
/// [`BufferTooSmall`] with the exact length needed if `dst` is too short. The contents of `dst` are
/// unspecified then.
///
/// ```
/// use zigzag_varint::encode_slice;
///
/// let mut bytes = [0; 10];
/// let len = encode_slice(&[1u64, 300, 7], &mut bytes)?;
/// assert_eq!(bytes[..len], [0x01, 0xac, 0x02, 0x07]);
/// # Ok::<(), zigzag_varint::BufferTooSmall>(())
/// ```
#[inline(always)] // the loops for short slices are fast only in the caller
pub fn encode_slice<T: Integer>(src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
    T::encode_slice(src, dst)
}

/// Decodes values from `src` until `src` is exhausted or `dst` is full, and returns how many values
/// were decoded and how many bytes were consumed. O(n).
///
/// A full `dst` is not an error: compare `bytes` with `src.len()` to see whether input is left. An empty
/// `Vec` is full whatever its capacity; `decode_append` and `decode_to_vec` make it grow.
///
/// An empty `src` contains no values. Bytes past the last value that fits into `dst` are not
/// validated. The contents of `dst` past the decoded values are unspecified.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint. The values before it are in `dst`. The offset counts
/// from the start of `src`.
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
#[inline(always)] // the loops for short slices are fast only in the caller
pub fn decode_slice<T: Integer>(src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
    T::decode_slice(src, dst)
}

/// Returns the length in bytes of what [`encode_slice`] writes. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::encoded_len_slice(&[1u64, 300, 7]), 4);
/// ```
#[must_use]
#[inline]
pub fn encoded_len_slice<T: Integer>(src: &[T]) -> usize {
    T::encoded_len_slice(src)
}

/// Returns the number of complete varints in `src`, of any types. O(n).
///
/// It counts the bytes without continuation bit. An incomplete varint at the end is not counted.
/// The values are not validated: see [`Varint::validate`].
///
/// ```
/// assert_eq!(zigzag_varint::count(&[0x01, 0xac, 0x02, 0x80]), 2);
/// ```
#[must_use]
#[inline]
pub fn count(src: &[u8]) -> usize {
    Kernel::detect().count(src)
}

/// Returns the length in bytes of the first `n` varints of `src`, of any types. Their values are not
/// validated. O(n).
///
/// # Errors
///
/// `Truncated` at `src.len()` if `src` holds fewer than `n` complete varints.
///
/// ```
/// assert_eq!(zigzag_varint::skip_values(&[0x01, 0xac, 0x02, 0x80], 2), Ok(3));
/// assert!(zigzag_varint::skip_values(&[0x01, 0xac, 0x02, 0x80], 3).is_err());
/// ```
#[inline]
pub fn skip_values(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    Kernel::detect().skip_values(src, n)
}

/// The bulk functions with a kernel of the caller's choice.
impl Kernel {
    /// Encodes like [`encode_slice`], with this kernel.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] with the exact length needed if `dst` is too short.
    ///
    /// ```
    /// use zigzag_varint::{BufferTooSmall, Kernel};
    ///
    /// let encoded = Kernel::SCALAR.encode_slice::<u32>(&[1, 300], &mut [0; 2]);
    /// assert_eq!(encoded, Err(BufferTooSmall { needed: 3, available: 2 }));
    /// ```
    #[inline]
    pub fn encode_slice<W: Unlimited>(
        self,
        src: &[W::Value],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let available = dst.len();
        let too_small = || BufferTooSmall { needed: W::Format::len_of_all(Some(self), src), available };
        W::Format::store_all(Some(self), src, dst).ok_or_else(too_small)
    }

    /// Decodes like [`decode_slice`], with this kernel.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let mut values = [0u32; 2];
    /// assert!(Kernel::detect().decode_slice::<u32>(&[0x01, 0xac, 0x02], &mut values).is_ok());
    /// assert_eq!(values, [1, 300]);
    /// ```
    #[inline]
    pub fn decode_slice<W: Varint>(self, src: &[u8], dst: &mut [W::Value]) -> Result<Progress, BulkError> {
        destination::decode(dst, |dst| W::Format::load_all(Some(self), src, dst, false))
    }

    /// Returns the same as [`encoded_len_slice`], computed with this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().encoded_len_slice::<u32>(&[1u32, 300]), 3);
    /// ```
    #[must_use]
    #[inline]
    pub fn encoded_len_slice<W: Unlimited>(self, src: &[W::Value]) -> usize {
        W::Format::len_of_all(Some(self), src)
    }
}
