//! Trait implementations for `Encoded`: comparison and iteration.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::iter::Take;
use core::ops::Deref;
use core::{fmt, slice};

use crate::varint_trait::{Encoded, Varint};

impl<T: Varint> Deref for Encoded<T> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: Varint> AsRef<[u8]> for Encoded<T> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: Varint> Borrow<[u8]> for Encoded<T> {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: Varint> fmt::Debug for Encoded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoded({:02x?})", self.as_bytes())
    }
}

impl<T: Varint> PartialEq for Encoded<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<T: Varint> Eq for Encoded<T> {}

impl<T: Varint> PartialOrd for Encoded<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Varint> Ord for Encoded<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl<T: Varint> Hash for Encoded<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The hash of the slice, as `Borrow` demands.
        self.as_bytes().hash(state);
    }
}

macro_rules! compares_with {
    ($($(#[$condition:meta])? [$($generics:tt)*] $other:ty;)*) => {$(
        $(#[$condition])?
        impl<T: Varint, $($generics)*> PartialEq<$other> for Encoded<T> {
            fn eq(&self, other: &$other) -> bool {
                let other: &[u8] = other.as_ref();
                self.as_bytes() == other
            }
        }

        $(#[$condition])?
        impl<T: Varint, $($generics)*> PartialEq<Encoded<T>> for $other {
            fn eq(&self, other: &Encoded<T>) -> bool {
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

impl<'a, T: Varint> IntoIterator for &'a Encoded<T> {
    type Item = &'a u8;
    type IntoIter = slice::Iter<'a, u8>;

    #[inline]
    fn into_iter(self) -> slice::Iter<'a, u8> {
        self.as_bytes().iter()
    }
}

impl<T: Varint> IntoIterator for Encoded<T> {
    type Item = u8;
    type IntoIter = Take<<T::Buffer as IntoIterator>::IntoIter>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.buffer.into_iter().take(self.len.into())
    }
}
