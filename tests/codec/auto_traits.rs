//! The traits that every public type implements: the automatic ones, `Debug`, and those that users
//! rely on. An accidental loss would break code that, for example, sends a `Reader` to a thread.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};

use zigzag_varint::{
    BufferTooSmall, BulkError, DecodeError, Decoder, DefaultKernelError, Encoded, EncodedBytes, ErrorKind,
    FrameError, IntoValues, Kernel, LengthPrefix, PaddedWidthError, Progress, Reader, Values, sleb128,
};

/// The traits that all public types have in common. `UnwindSafe` is not one of them, because `Values`
/// contains a mutable reference.
trait Common: Send + Sync + Unpin + RefUnwindSafe + Debug {}
impl<T: Send + Sync + Unpin + RefUnwindSafe + Debug> Common for T {}

macro_rules! public_types {
    ($($(#[$condition:meta])? $name:literal: $($type:ty),* => $($bound:ident)*;)*) => {
        /// Fails to compile if one of the types does not implement one of its traits.
        #[test]
        fn public_types_implement_their_traits() {
            $(
                $(#[$condition])?
                {
                    fn check<T: Common $(+ $bound)*>() {}
                    $(check::<$type>();)*
                }
            )*
        }

        const TYPES: &[&str] = &[$($name),*];
    };
}

public_types! {
    "BufferTooSmall": BufferTooSmall => UnwindSafe Copy Eq Hash Error;
    "BulkError": BulkError => UnwindSafe Copy Eq Hash Error;
    "DecodeError": DecodeError => UnwindSafe Copy Eq Hash Error;
    "Decoder": Decoder<u8>, Decoder<i64>, Decoder<u128> => UnwindSafe Clone Default;
    "DefaultKernelError": DefaultKernelError => UnwindSafe Copy Eq Error;
    "Encoded": Encoded<u8>, Encoded<i64>, Encoded<u128> => UnwindSafe Copy Ord Hash IntoIterator;
    "EncodedBytes": EncodedBytes<u8>, EncodedBytes<i64>, EncodedBytes<u128> => UnwindSafe Clone ExactSizeIterator;
    "ErrorKind": ErrorKind => UnwindSafe Copy Eq Hash;
    "FrameError": FrameError => UnwindSafe Copy Eq Hash Error;
    "IntoValues": IntoValues<'_, u8>, IntoValues<'_, i64>, IntoValues<'_, u128> => UnwindSafe Clone Iterator;
    "Kernel": Kernel => UnwindSafe Copy Eq Hash;
    "LengthPrefix": LengthPrefix => UnwindSafe Copy Eq Hash;
    "PaddedWidthError": PaddedWidthError => UnwindSafe Copy Eq Hash Error;
    "Progress": Progress => UnwindSafe Copy Eq Hash Default;
    "Reader": Reader<'_> => UnwindSafe Clone;
    "Values": Values<'_, '_, u8>, Values<'_, '_, i64>, Values<'_, '_, u128> => Iterator;
    "sleb128::Decoder": sleb128::Decoder<i8>, sleb128::Decoder<i64>, sleb128::Decoder<i128> => UnwindSafe Clone Default;
    #[cfg(feature = "tokio-util")]
    "codec::LengthPrefixedCodec": zigzag_varint::codec::LengthPrefixedCodec => UnwindSafe Copy Eq;
    #[cfg(feature = "tokio-util")]
    "codec::VarintCodec": zigzag_varint::codec::VarintCodec<i64> => UnwindSafe Copy Eq Default;
    #[cfg(feature = "tokio-util")]
    "codec::VarintsCodec": zigzag_varint::codec::VarintsCodec<i64> => UnwindSafe Copy Eq Default;
    #[cfg(feature = "embedded-io")]
    "embedded_io::Error": zigzag_varint::embedded_io::Error<embedded_io::ErrorKind>,
        zigzag_varint::embedded_io::Error<embedded_io::ErrorKind, FrameError> => UnwindSafe Copy Eq Error;
}

/// The public traits, for which there is nothing to check.
const TRAITS: [&str; 10] = [
    "BufMutVarint",
    "BufReadVarint",
    "BufVarint",
    "ReadVarint",
    "Varint",
    "WriteVarint",
    "embedded_io::BufReadVarint",
    "embedded_io::ReadVarint",
    "embedded_io::WriteVarint",
    "sleb128::Signed",
];

/// The sources that define what is public, each with the module's path.
const SOURCES: [(&str, &str); 10] = [
    ("", include_str!("../../src/lib.rs")),
    ("codec::", include_str!("../../src/integrations/tokio_util/mod.rs")),
    ("delta::", include_str!("../../src/delta/mod.rs")),
    ("embedded_io::", include_str!("../../src/integrations/embedded_io/mod.rs")),
    ("guide::", include_str!("../../src/guide.rs")),
    ("protobuf::", include_str!("../../src/protobuf/mod.rs")),
    ("protobuf::packed::", include_str!("../../src/protobuf/packed.rs")),
    ("sleb128::", include_str!("../../src/sleb128/mod.rs")),
    ("varint::", include_str!("../../src/varint.rs")),
    ("zigzag::", include_str!("../../src/zigzag.rs")),
];

/// Returns the identifiers in the `pub use` items of a source, and the names of its other `pub` items.
fn public_names(source: &str) -> impl Iterator<Item = &str> {
    let items = source.match_indices("\npub ").flat_map(|(at, _)| {
        let item = &source[at + "\npub ".len()..];
        let (names, count) = match item.strip_prefix("use ") {
            Some(exported) => (exported.split(';').next(), usize::MAX),
            None => (item.split(' ').nth(1), 1),
        };
        names.unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_').take(count)
    });
    items.filter(|name| !name.is_empty())
}

#[test]
fn the_list_of_types_and_traits_is_complete() {
    let is_type = |name: &&str| name.starts_with(|first: char| first.is_ascii_uppercase());
    let found: BTreeSet<String> = SOURCES
        .iter()
        .flat_map(|(path, source)| {
            public_names(source).filter(is_type).map(move |name| format!("{path}{name}"))
        })
        .collect();
    let listed: BTreeSet<String> = TYPES.iter().chain(&TRAITS).map(|name| name.to_string()).collect();
    assert_eq!(found, listed);

    let modules = SOURCES[0].1.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(
            SOURCES.iter().any(|(path, _)| path.strip_suffix("::") == Some(module)),
            "not listed: {module}"
        );
    }
}

/// Fails to compile if a type implements `Copy`. A copied iterator or decoder is usually a mistake:
/// the original does not advance.
macro_rules! assert_not_copy {
    ($($type:ty),*) => {$(
        const _: fn() = || {
            trait AmbiguousIfCopy<Marker> {
                fn check() {}
            }
            impl<T> AmbiguousIfCopy<()> for T {}
            impl<T: Copy> AmbiguousIfCopy<u8> for T {}
            <$type as AmbiguousIfCopy<_>>::check();
        };
    )*};
}

assert_not_copy! {
    Decoder<u64>, EncodedBytes<u64>, IntoValues<'_, u64>, Reader<'_>, Values<'_, '_, u64>, sleb128::Decoder<i64>
}
