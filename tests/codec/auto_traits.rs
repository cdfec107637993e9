//! The traits that every public type implements: the automatic ones, `Debug`, and those that users
//! rely on. An accidental loss would break code that, for example, sends a `Reader` to a thread.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};

use zigzag_varint::{
    BufferTooSmall, BulkError, DecodeError, Decoder, DefaultKernelError, Delta, DeltaError, Encoded,
    ErrorKind, FrameError, IntoValues, Kernel, LengthPrefix, PaddedWidthError, Progress, Reader, Signed,
    Values,
};

/// The traits that all public types have in common. `UnwindSafe` is not one of them, because `Values`
/// contains a mutable reference.
trait Common: Send + Sync + Unpin + RefUnwindSafe + Debug {}
impl<T: Send + Sync + Unpin + RefUnwindSafe + Debug> Common for T {}

/// Fails to compile if one of the types does not implement one of its traits.
macro_rules! implement {
    ($($($type:ty),* => $($bound:ident)*;)*) => {
        $(
            const _: () = {
                const fn check<T: Common $(+ $bound)*>() {}
                $(check::<$type>();)*
            };
        )*
    };
}

implement! {
    BufferTooSmall => UnwindSafe Copy Eq Hash Error;
    BulkError => UnwindSafe Copy Eq Hash Error;
    DecodeError => UnwindSafe Copy Eq Hash Error;
    Decoder<u8>, Decoder<i64>, Decoder<u128> => UnwindSafe Clone Default;
    Delta<u8, 1>, Delta<i64, 2>, Delta<u128, 32> => UnwindSafe Copy;
    DeltaError => UnwindSafe Copy Eq Hash Error;
    DefaultKernelError => UnwindSafe Copy Eq Error;
    Encoded<[u8; 2]>, Encoded<[u8; 10]>, Encoded<[u8; 19]> => UnwindSafe Copy Ord Hash IntoIterator;
    ErrorKind => UnwindSafe Copy Eq Hash;
    FrameError => UnwindSafe Copy Eq Hash Error;
    IntoValues<'_, u8>, IntoValues<'_, i64>, IntoValues<'_, u128> => UnwindSafe Clone Iterator;
    Kernel => UnwindSafe Copy Eq Hash;
    LengthPrefix => UnwindSafe Copy Eq Hash;
    PaddedWidthError => UnwindSafe Copy Eq Hash Error;
    Progress => UnwindSafe Copy Eq Hash Default;
    Reader<'_> => UnwindSafe Clone;
    Values<'_, '_, u8>, Values<'_, '_, i64>, Values<'_, '_, u128> => Iterator;
    Decoder<Signed<i8>>, Decoder<Signed<i64>>, Decoder<Signed<i128>> => UnwindSafe Clone Default;
    zigzag_varint::codec::LengthPrefixedCodec => UnwindSafe Copy Eq;
    zigzag_varint::embedded_io::Error<embedded_io::ErrorKind>,
        zigzag_varint::embedded_io::Error<embedded_io::ErrorKind, FrameError> => UnwindSafe Copy Eq Error;
}
