//! What can be swept: anything that turns values into bytes and back.

use std::fmt;

/// Why a codec refused. Any error, or a `&str` or `String`, converts into it with `?` or `.into()`.
pub type CodecError = Box<dyn std::error::Error + Send + Sync>;

/// An error that is about the codec rather than about a value: it broke down, as a child process does that crashes or
/// hangs. Panics and plain errors are not of this kind.
///
/// As another such call may be expensive, the values are not tried one by one, but by halves.
#[derive(Debug)]
pub struct Breakdown {
    message: String,
    for_good: bool,
}

impl Breakdown {
    /// A breakdown after which the codec can be called again.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), for_good: false }
    }

    /// The same, but no call will succeed any more: the sweep ends.
    pub fn for_good(self) -> Self {
        Self { for_good: true, ..self }
    }

    /// Whether no call will succeed any more.
    pub fn is_for_good(&self) -> bool {
        self.for_good
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Breakdown {}

/// A codec under test. Called from several threads at once, with blocks of up to [`BLOCK`](crate::BLOCK) values.
///
/// A codec that handles one value at a time is made by [`one_by_one`].
///
/// A call that panics counts as a failure of the values in question; the sweep goes on. A [`Breakdown`] does too, and ends the
/// sweep if it is for good.
pub trait Codec<T>: Sync {
    /// The name in the report.
    fn name(&self) -> &str;

    /// The kernel in the report, where the codec has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Encodes all of `values` to the front of `dst`, one after another; the bytes used.
    ///
    /// `dst` has room for the longest encoding of every value, and not a byte more.
    ///
    /// # Errors
    ///
    /// Any error is a failure of those values.
    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError>;

    /// Decodes from `src` until `values` is full; the bytes used. `src` is exactly what `encode` wrote.
    ///
    /// # Errors
    ///
    /// Any error is a failure of those values.
    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError>;
}

impl<T, C: Codec<T> + ?Sized> Codec<T> for Box<C>
where
    Box<C>: Sync,
{
    fn name(&self) -> &str {
        (**self).name()
    }

    fn kernel(&self) -> Option<&str> {
        (**self).kernel()
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        (**self).encode(values, dst)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        (**self).decode(src, values)
    }
}

/// A codec from two functions for one value: `encode` writes to the front of a slice and returns the bytes used;
/// `decode` reads from the front of a slice, in which other values follow, and returns the value and the bytes used.
///
/// ```
/// use varint_sweep::{CodecError, Sweep, one_by_one};
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
/// let codec = one_by_one("mine", encode, decode);
/// let report = Sweep::<u16>::new().exhaustive().run(&codec)?;
/// assert_eq!((report.values, report.failures), (65_536, 0));
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
pub fn one_by_one<T, E, D>(name: impl Into<String>, encode: E, decode: D) -> impl Codec<T>
where
    T: Copy,
    E: Fn(T, &mut [u8]) -> Result<usize, CodecError> + Sync,
    D: Fn(&[u8]) -> Result<(T, usize), CodecError> + Sync,
{
    OneByOne { name: name.into(), encode, decode }
}

struct OneByOne<E, D> {
    name: String,
    encode: E,
    decode: D,
}

impl<T, E, D> Codec<T> for OneByOne<E, D>
where
    T: Copy,
    E: Fn(T, &mut [u8]) -> Result<usize, CodecError> + Sync,
    D: Fn(&[u8]) -> Result<(T, usize), CodecError> + Sync,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        let mut used = 0;
        for &value in values {
            used += (self.encode)(value, dst.get_mut(used..).ok_or(OUTSIDE)?)?;
        }
        Ok(used)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let mut used = 0;
        for slot in values {
            let (value, len) = (self.decode)(src.get(used..).ok_or(OUTSIDE)?)?;
            *slot = value;
            used += len;
        }
        Ok(used)
    }
}

const OUTSIDE: &str = "it claims to have used more bytes than there are";
