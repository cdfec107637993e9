//! Trait implementations for `Encoded`: comparison and iteration.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::iter::Take;
use core::ops::Deref;
use core::{fmt, slice};

use crate::simd::arrays::ByteArray;
use crate::varint_trait::Encoded;

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
