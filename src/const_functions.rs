//! `Const`: functions for `const` context, which those of the trait `Varint` cannot be.

use core::marker::PhantomData;

use crate::encoded::Encoded;
use crate::error::{DecodeError, PaddedWidthError};
use crate::scalar::padding::pad;
use crate::scalar::value::Scalar;
use crate::varint_trait::Varint;
use crate::wire::Wire;
use crate::wire_types::Signed;

/// The functions of a wire type for `const` context: `Const::<u32>::encode(300)`.
///
/// It exists for the twelve integers and for [`Signed`] of the signed ones. The functions give the same
/// results as those of [`Varint`], which are faster at run time.
///
/// ```
/// use zigzag_varint::{Const, Encoded, Signed};
///
/// const TAG: Encoded<[u8; 5]> = Const::<u32>::encode(300);
/// const BYTES: &[u8] = TAG.as_bytes();
/// assert_eq!(BYTES, [0xac, 0x02]);
///
/// const TAG_LEN: usize = Const::<u32>::encoded_len(300);
/// assert_eq!([0; TAG_LEN].len(), 2);
///
/// const DECODED: u32 = match Const::<u32>::decode(BYTES) {
///     Ok((value, _)) => value,
///     Err(_) => panic!("not a varint"),
/// };
/// assert_eq!(DECODED, 300);
///
/// const MINUS_150: [Encoded<[u8; 10]>; 2] = [Const::<i64>::encode(-150), Const::<Signed<i64>>::encode(-150)];
/// assert_eq!(MINUS_150.concat(), [0xab, 0x02, 0xea, 0x7e]);
/// ```
#[derive(Debug)]
pub struct Const<W>(PhantomData<W>);

macro_rules! functions {
    ($($W:ty: $int:ident $($inner:ident)?;)*) => {$(
        impl Const<$W> {
            /// Returns the length of the encoding in bytes.
            ///
            #[doc = example!($W, $($inner,)? "const LEN: usize = Const::<" ">::encoded_len(7);\nassert_eq!(LEN, 1);")]
            #[must_use]
            #[inline]
            pub const fn encoded_len(value: $int) -> usize {
                Scalar::<$W>::encoded_len(value)
            }

            /// Encodes a value into an inline buffer.
            ///
            #[doc = example!($W, $($inner,)? "const BYTES: &[u8] = Const::<" ">::encode(7).as_bytes();\nassert_eq!(BYTES.len(), 1);")]
            #[must_use]
            #[inline]
            pub const fn encode(value: $int) -> Encoded<<$int as Varint>::Buffer> {
                let (bytes, len) = Scalar::<$W>::encode(value);
                Encoded::new(bytes, len)
            }

            /// Encodes a value in exactly `dst.len()` bytes, with redundant bytes as padding.
            ///
            /// # Errors
            ///
            /// [`PaddedWidthError`], as of [`Varint::encode_padded`](crate::Varint::encode_padded).
            ///
            #[doc = example!($W, $($inner,)? "const TWO: [u8; 2] = {\n    let mut bytes = [0; 2];\n    assert!(Const::<" ">::encode_padded(0, &mut bytes).is_ok());\n    bytes\n};\nassert_eq!(TWO, [0x80, 0x00]);")]
            #[inline]
            pub const fn encode_padded(value: $int, dst: &mut [u8]) -> Result<(), PaddedWidthError> {
                let encoded = Self::encode(value);
                pad(encoded.as_bytes(), dst, <$W>::MAX_LEN, <$W as Wire>::SIGN_PADDED)
            }

            /// Decodes the value at the start of `src`, and returns it with the length of its encoding in bytes.
            ///
            /// # Errors
            ///
            /// Those of [`Varint::decode`](crate::Varint::decode).
            ///
            #[doc = example!($W, $($inner,)? "const DECODED: bool = Const::<" ">::decode(&[0x00]).is_ok();\nassert!(DECODED);")]
            #[inline]
            pub const fn decode(src: &[u8]) -> Result<($int, usize), DecodeError> {
                Scalar::<$W>::decode(src, false)
            }
        }
    )*};
}

/// The lines of an example, around the name of the wire type.
macro_rules! example {
    ($W:ty, $inner:ident, $before:literal $after:literal) => {
        concat!(
            "```\nuse zigzag_varint::{Const, Signed};\n\n",
            $before,
            "Signed<",
            stringify!($inner),
            ">",
            $after,
            "\n```"
        )
    };
    ($W:ty, $before:literal $after:literal) => {
        concat!("```\nuse zigzag_varint::Const;\n\n", $before, stringify!($W), $after, "\n```")
    };
}

functions! {
    u8: u8;
    u16: u16;
    u32: u32;
    u64: u64;
    u128: u128;
    usize: usize;
    i8: i8;
    i16: i16;
    i32: i32;
    i64: i64;
    i128: i128;
    isize: isize;
    Signed<i8>: i8 i8;
    Signed<i16>: i16 i16;
    Signed<i32>: i32 i32;
    Signed<i64>: i64 i64;
    Signed<i128>: i128 i128;
    Signed<isize>: isize isize;
}
