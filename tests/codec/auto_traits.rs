//! The traits that every public type implements: the automatic ones, `Debug`, and those that users
//! rely on. An accidental loss would break code that, for example, sends a `Reader` to a thread.

use std::error::Error;
use std::fmt::Debug;
use std::fs;
use std::hash::Hash;
use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;

use zigzag_varint::protobuf::{FieldError, Tag, TagType};
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
    Decoder<u8>, Decoder<i64>, Decoder<u128> => UnwindSafe Clone Default;
    Delta<u8, 1>, Delta<i64, 2>, Delta<u128, 32> => UnwindSafe Copy;
    Encoded<[u8; 2]>, Encoded<[u8; 10]>, Encoded<[u8; 19]> => UnwindSafe Copy Ord Hash IntoIterator;
    ErrorKind => UnwindSafe Copy Eq Hash;
    IntoValues<'_, u8>, IntoValues<'_, i64>, IntoValues<'_, u128> => UnwindSafe Clone Iterator;
    Kernel => UnwindSafe Copy Eq Hash;
    LengthPrefix => UnwindSafe Copy Eq Hash;
    Progress => UnwindSafe Copy Eq Hash Default;
    Reader<'_> => UnwindSafe Clone;
    Tag, TagType => UnwindSafe Copy Eq Hash;
    Values<'_, '_, u8>, Values<'_, '_, i64>, Values<'_, '_, u128> => Iterator;
    Decoder<Signed<i8>>, Decoder<Signed<i64>>, Decoder<Signed<i128>> => UnwindSafe Clone Default;
    zigzag_varint::codec::LengthPrefixedCodec => UnwindSafe Copy Eq;
    zigzag_varint::embedded_io::Error<embedded_io::ErrorKind>,
        zigzag_varint::embedded_io::Error<embedded_io::ErrorKind, FrameError> => UnwindSafe Copy Eq Error;
}

/// Fails to compile if one of the errors lacks a trait that all of them have.
macro_rules! errors {
    ($($error:ident)*) => {
        const ERRORS: &[&str] = &[$(stringify!($error)),*];

        const _: () = {
            const fn check<E: Common + UnwindSafe + Copy + Eq + Hash + Error + Into<io::Error>>() {}
            $(check::<$error>();)*
        };
    };
}

errors! {
    BufferTooSmall BulkError DecodeError DefaultKernelError DeltaError FieldError FrameError PaddedWidthError
}

/// Passes the lines of all files of the library to `take`.
fn each_line(folder: &Path, take: &mut impl FnMut(&str)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.ends_with("bin") => {} // the program
            true => each_line(&path, take),
            false => fs::read_to_string(&path).expect("text").lines().for_each(&mut *take),
        }
    }
}

/// The documentation says of all errors that they convert into `io::Error`, except the one in
/// `embedded_io`, and that they implement `defmt::Format`.
#[test]
fn every_error_is_in_the_lists_of_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let mut found = vec![];
    each_line(&folder, &mut |line| {
        let of = line.starts_with("impl").then(|| line.split_once("error::Error for ")).flatten();
        found.extend(
            of.map(|(_, name)| name.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()),
        );
    });
    let lib = fs::read_to_string(folder.join("lib.rs")).expect("text");
    for error in &found {
        let path = match &**error {
            "Error" => "embedded_io::Error",
            "FieldError" => "protobuf::FieldError",
            other => other,
        };
        let formatted = format!("formatted::<{path}");
        assert!(lib.contains(&formatted), "{error}: not in the list in src/lib.rs");
    }
    let mut expected = [ERRORS, &["Error"]].concat();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
