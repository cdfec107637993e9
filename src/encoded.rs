//! One encoded value in an inline buffer.

use core::fmt;
use core::ops::Deref;

use crate::width::Width;

/// The encoding of one value, held inline: no allocation, `Copy`, reads as a `[u8]`.
///
/// ```
/// use zigzag_varint::VarInt;
///
/// let encoded = 300u64.encode();
/// assert_eq!(encoded, [0xac, 0x02]);
/// assert_eq!(encoded.len(), 2);
/// assert_eq!(format!("{:02x?}", &encoded[..]), "[ac, 02]");
///
/// let mut message = vec![0x08];
/// message.extend_from_slice(&encoded);
/// assert_eq!(message, [0x08, 0xac, 0x02]);
/// ```
#[derive(Clone, Copy)]
pub struct Encoded<T: Width> {
    buffer: T::Buffer,
    len: u8,
}

impl<T: Width> Encoded<T> {
    pub(crate) const fn new(buffer: T::Buffer, len: usize) -> Self {
        Self { buffer, len: len as u8 }
    }

    /// The same bytes as the encoding of another type of that width.
    pub(crate) const fn retyped<U: Width<Buffer = T::Buffer>>(self) -> Encoded<U> {
        Encoded { buffer: self.buffer, len: self.len }
    }
}

macro_rules! as_bytes {
    ($($int:ident)*) => {$(
        impl Encoded<$int> {
            /// The bytes, also in `const` context.
            ///
            /// ```
            /// use zigzag_varint::encode_u32;
            ///
            /// const KEY: &[u8] = encode_u32(300).as_bytes();
            /// assert_eq!(KEY, [0xac, 0x02]);
            /// ```
            #[inline]
            pub const fn as_bytes(&self) -> &[u8] {
                self.buffer.split_at(self.len as usize).0
            }
        }
    )*};
}

as_bytes!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Width> Deref for Encoded<T> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.buffer.as_ref()[..self.len as usize]
    }
}

impl<T: Width> AsRef<[u8]> for Encoded<T> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<T: Width> PartialEq for Encoded<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Width> Eq for Encoded<T> {}

impl<T: Width> PartialEq<[u8]> for Encoded<T> {
    fn eq(&self, other: &[u8]) -> bool {
        **self == *other
    }
}

impl<T: Width> PartialEq<&[u8]> for Encoded<T> {
    fn eq(&self, other: &&[u8]) -> bool {
        **self == **other
    }
}

impl<T: Width, const N: usize> PartialEq<[u8; N]> for Encoded<T> {
    fn eq(&self, other: &[u8; N]) -> bool {
        **self == *other
    }
}

impl<T: Width> fmt::Debug for Encoded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoded({:02x?})", &**self)
    }
}
