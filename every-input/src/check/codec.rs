//! The trait of the codecs that can be swept.

use std::fmt;

use crate::check::failure::FailureKind;
use crate::check::losses::Losses;

/// The error of a codec under test.
///
/// Any error, `&str` or `String` converts into it with `?` or `.into()`.
pub type CodecError = Box<dyn std::error::Error + Send + Sync>;

/// An error of what is checked as a whole, such as a child process that crashes or hangs.
///
/// An error about a single input should be of another type. A breakdown may be expensive, so the
/// inputs of the call are bisected instead of tried one by one.
#[derive(Debug)]
pub struct Breakdown {
    message: String,
    is_permanent: bool,
    /// The kind of the failure that it is reported as.
    pub(crate) kind: FailureKind,
}

impl Breakdown {
    /// Creates a breakdown after which the codec or the check can be called again.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_permanent: false, kind: FailureKind::Breakdown }
    }

    /// Marks the breakdown as permanent: all further calls would fail too, so the sweep ends.
    pub fn permanent(self) -> Self {
        Self { is_permanent: true, ..self }
    }

    /// Sets the kind of the failure that it is reported as.
    pub(crate) fn of_kind(self, kind: FailureKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns whether all further calls would fail too.
    pub fn is_permanent(&self) -> bool {
        self.is_permanent
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Breakdown {}

/// A codec under test.
///
/// It is called from several threads at once, with blocks of up to 1,024 values. [`codec_from_fns`]
/// makes a codec from two functions for single values.
///
/// A call that panics is reported as a failure of its values, and the sweep continues. So is a
/// [`Breakdown`], unless it is permanent: then the sweep ends.
pub trait Codec<T>: Sync {
    /// Returns the name of the codec for the report.
    fn name(&self) -> &str;

    /// Returns the name of the kernel for the report, if the codec has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Returns whether each call is a message to another process or machine. Then a sweep with a
    /// limit of failures ends after 4,096 failing values, not after 2^20.
    fn is_remote(&self) -> bool {
        false
    }

    /// Confirms that the last results on this thread, which were wrong, are of their call.
    #[doc(hidden)]
    fn confirm(&self) -> Result<(), Breakdown> {
        Ok(())
    }

    /// Returns the lost children of each command, if there are any. They end a sweep with a limit of
    /// failures.
    #[doc(hidden)]
    fn losses(&self) -> Vec<&Losses> {
        Vec::new()
    }

    /// Encodes all of `values` into `dst`, one after another, and returns the number of bytes
    /// written.
    ///
    /// `dst` has exactly the length of the longest encoding for each value.
    ///
    /// # Errors
    ///
    /// Any error is reported as a failure of these values.
    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError>;

    /// Decodes values from `src` until `values` is full, and returns the number of bytes read.
    ///
    /// `src` contains exactly the bytes that `encode` wrote.
    ///
    /// # Errors
    ///
    /// Any error is reported as a failure of these values.
    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError>;
}

/// Creates a codec from two functions for single values.
///
/// `encode` writes the value to the start of the slice and returns the number of bytes written.
/// `decode` reads a value from the start of the slice, in which other values may follow, and
/// returns it with the number of bytes read.
///
/// ```
/// use every_input::{CodecError, Sweep, all, codec_from_fns};
///
/// fn encode(value: u16, dst: &mut [u8]) -> Result<usize, CodecError> {
///     let (mut rest, mut len) = (value, 0);
///     while rest > 0x7f {
///         dst[len] = rest as u8 | 0x80;
///         (rest, len) = (rest >> 7, len + 1);
///     }
///     dst[len] = rest as u8;
///     Ok(len + 1)
/// }
///
/// fn decode(src: &[u8]) -> Result<(u16, usize), CodecError> {
///     let len = src.iter().position(|&byte| byte < 0x80).ok_or("no last byte")? + 1;
///     let value = src[..len].iter().rev().fold(0, |value, &byte| value << 7 | u16::from(byte & 0x7f));
///     Ok((value, len))
/// }
///
/// let codec = codec_from_fns("mine", encode, decode);
/// let report = Sweep::of(all::<u16>()).exhaustive().run(&codec)?;
/// assert_eq!((report.values, report.failures), (65_536, 0));
/// # Ok::<(), every_input::SweepError>(())
/// ```
pub fn codec_from_fns<T, E, D>(name: impl Into<String>, encode: E, decode: D) -> impl Codec<T>
where
    T: Copy,
    E: Fn(T, &mut [u8]) -> Result<usize, CodecError> + Sync,
    D: Fn(&[u8]) -> Result<(T, usize), CodecError> + Sync,
{
    CodecFromFns { name: name.into(), encode, decode }
}

struct CodecFromFns<E, D> {
    name: String,
    encode: E,
    decode: D,
}

impl<T, E, D> Codec<T> for CodecFromFns<E, D>
where
    T: Copy,
    E: Fn(T, &mut [u8]) -> Result<usize, CodecError> + Sync,
    D: Fn(&[u8]) -> Result<(T, usize), CodecError> + Sync,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        let encode = |used, &value| Ok(used + (self.encode)(value, dst.get_mut(used..).ok_or(TOO_LONG)?)?);
        values.iter().try_fold(0, encode)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let mut used = 0;
        for slot in values {
            let (value, len) = (self.decode)(src.get(used..).ok_or(TOO_LONG)?)?;
            *slot = value;
            used += len;
        }
        Ok(used)
    }
}

const TOO_LONG: &str = "the codec returned a length greater than that of its slice";
