//! The error of both traits.

use core::fmt;

use crate::error::DecodeError;

/// The error of a reader or writer, or of the data that it carries.
///
/// `E` is the error of the reader or writer, `D` is [`DecodeError`] for varints and
/// [`FrameError`](crate::FrameError) for payloads.
///
/// ```
/// use zigzag_varint::embedded_io::{Error, ReadVarint};
///
/// let mut input = &[0xff, 0x7f][..];
/// match input.read_varint::<u8>() {
///     Err(Error::Data(error)) => assert_eq!(error.offset(), 1),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<E, D = DecodeError> {
    /// The reader or writer failed.
    Io(E),
    /// The varint or payload is invalid.
    Data(D),
}

impl<E: fmt::Display, D: fmt::Display> fmt::Display for Error<E, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
        }
    }
}

impl<E, D> core::error::Error for Error<E, D>
where
    E: core::error::Error + 'static,
    D: core::error::Error + 'static,
{
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            Self::Data(error) => error.source(),
        }
    }
}
