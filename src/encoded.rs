//! `Encoded`, which `Varint::encode` returns: bytes with comparison and iteration.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::iter::Take;
use core::ops::Deref;
use core::{fmt, slice};

use crate::simd::arrays::{self, ByteArray};

/// The encoding of one value in an inline buffer, an array for the longest encoding of its wire type.
///
/// It is `Copy`, does not allocate, and dereferences to `[u8]`. Comparisons, order and hash are
/// those of the bytes. Wire types with equally long encodings have the same type of encoding.
///
/// ```
/// use zigzag_varint::{Encoded, Signed, Varint};
///
/// let encoded = u64::encode(300);
/// assert_eq!(encoded, [0xac, 0x02]);
/// assert_eq!(encoded.len(), 2);
///
/// let mut message = vec![0x08];
/// message.extend(&encoded);
/// assert_eq!(message, [0x08, 0xac, 0x02]);
///
/// let bytes: Vec<u8> = [1, 300].into_iter().flat_map(u64::encode).collect();
/// assert_eq!(bytes, [0x01, 0xac, 0x02]);
///
/// let constants: [Encoded<[u8; 10]>; 2] = [u64::encode(7), Signed::encode(-1i64)];
/// assert_eq!(constants.concat(), [0x07, 0x7f]);
/// ```
#[derive(Clone, Copy)]
pub struct Encoded<B> {
    pub(crate) buffer: B,
    pub(crate) len: u8,
}

impl<B: ByteArray> Encoded<B> {
    pub(crate) const fn new(buffer: B, len: usize) -> Self {
        Self { buffer, len: len as u8 }
    }

    /// Returns the bytes of the encoding.
    ///
    /// ```
    /// use zigzag_varint::Const;
    ///
    /// const KEY: &[u8] = Const::<u64>::encode(300).as_bytes();
    /// assert_eq!(KEY, [0xac, 0x02]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn as_bytes(&self) -> &[u8] {
        arrays::first(&self.buffer, self.len as usize)
    }

    /// Returns the array that starts with the bytes of the encoding, and their number. The bytes after
    /// them are zero or anything.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let (array, len): ([u8; 5], usize) = u32::encode(300).into_parts();
    /// assert_eq!(array[..len], [0xac, 0x02]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn into_parts(self) -> (B, usize) {
        (self.buffer, self.len as usize)
    }
}

impl<B: ByteArray> Deref for Encoded<B> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<B: ByteArray> AsRef<[u8]> for Encoded<B> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<B: ByteArray> Borrow<[u8]> for Encoded<B> {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<B: ByteArray> fmt::Debug for Encoded<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoded({:02x?})", self.as_bytes())
    }
}

impl<B: ByteArray> PartialEq for Encoded<B> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<B: ByteArray> Eq for Encoded<B> {}

impl<B: ByteArray> PartialOrd for Encoded<B> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<B: ByteArray> Ord for Encoded<B> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl<B: ByteArray> Hash for Encoded<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The hash of the slice, as `Borrow` demands.
        self.as_bytes().hash(state);
    }
}

macro_rules! compares_with {
    ($($(#[$condition:meta])? [$($generics:tt)*] $other:ty;)*) => {$(
        $(#[$condition])?
        impl<B: ByteArray, $($generics)*> PartialEq<$other> for Encoded<B> {
            fn eq(&self, other: &$other) -> bool {
                let other: &[u8] = other.as_ref();
                self.as_bytes() == other
            }
        }

        $(#[$condition])?
        impl<B: ByteArray, $($generics)*> PartialEq<Encoded<B>> for $other {
            fn eq(&self, other: &Encoded<B>) -> bool {
                other == self
            }
        }
    )*};
}

compares_with! {
    [] [u8];
    [] &[u8];
    [const N: usize] [u8; N];
    [const N: usize] &[u8; N];
    #[cfg(feature = "alloc")] [] Vec<u8>;
}

impl<'a, B: ByteArray> IntoIterator for &'a Encoded<B> {
    type Item = &'a u8;
    type IntoIter = slice::Iter<'a, u8>;

    #[inline]
    fn into_iter(self) -> slice::Iter<'a, u8> {
        self.as_bytes().iter()
    }
}

impl<B: ByteArray> IntoIterator for Encoded<B> {
    type Item = u8;
    type IntoIter = Take<B::IntoIter>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.buffer.into_iter().take(self.len.into())
    }
}
