//! The adapter that rejects overlong encodings.

use core::mem::MaybeUninit;

use super::adapter::writes_as_inner;
use crate::error::{BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
use crate::simd::cursor::Cursor;
use crate::varint_trait::{Unlimited, Varint};
use crate::wire::{Sealed, Wire};

/// The wire type `W`, of which only the shortest encoding of each value is accepted.
///
/// So every value has exactly one encoding, as multiformats and signed messages require. Other
/// encodings are errors of kind [`NonCanonical`](crate::ErrorKind::NonCanonical): for integers,
/// those of several bytes whose last byte is zero. Values are written as by `W`.
///
/// ```
/// use zigzag_varint::{Canonical, Reader, Varint};
///
/// let mut reader = Reader::new(&[0x07, 0x87, 0x00]);
/// assert_eq!(reader.read::<Canonical<u32>>(), Ok(7));
/// assert!(reader.read::<Canonical<u32>>().is_err());
/// assert_eq!(reader.read::<u32>(), Ok(7)); // the position did not change
///
/// let mut values = [0u64; 4];
/// assert!(Canonical::<u64>::decode_slice(&[0x07, 0x87, 0x00], &mut values).is_err());
/// ```
///
/// # The rule can be inferred
///
/// Both branches of an `if` have one type. If only one of them names the wire type, the compiler
/// infers it for the other, silently and with its rule: here the input is checked in either case.
///
/// ```
/// use zigzag_varint::{Canonical, Decoder};
///
/// let strict = false;
/// let mut decoder = if strict { Decoder::<Canonical<u32>>::new() } else { Decoder::new() };
/// assert!(decoder.push_slice(&[0x87, 0x00]).is_err()); // canonical, although not strict
/// ```
///
/// Name the wire type in both branches. Then this is an error, since the types differ:
///
/// ```compile_fail,E0308
/// # use zigzag_varint::{Canonical, Decoder};
/// # let strict = false;
/// let mut decoder = if strict { Decoder::<Canonical<u32>>::new() } else { Decoder::<u32>::new() };
/// ```
///
/// A rule that is chosen at run time needs a generic function, which is called for both types:
///
/// ```
/// use zigzag_varint::{BulkError, Canonical, Varint};
///
/// fn sum<W: Varint<Value = u32>>(bytes: &[u8]) -> Result<u32, BulkError> {
///     Ok(W::decode_to_vec(bytes)?.into_iter().sum())
/// }
///
/// let strict = false;
/// let bytes = [0x87, 0x00, 0x01];
/// let sum = if strict { sum::<Canonical<u32>>(&bytes) } else { sum::<u32>(&bytes) };
/// assert_eq!(sum, Ok(8));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Canonical<W>(pub W);

impl<W: Varint> Varint for Canonical<W> {
    type Value = W::Value;
    type Buffer = W::Buffer;
    type Format = Self;

    #[inline(always)]
    fn value(wrapped: Self) -> W::Value {
        W::value(wrapped.0)
    }
}

impl<W: Varint> Sealed for Canonical<W> {}
impl<W: Unlimited> Unlimited for Canonical<W> {}

impl<W: Varint> Wire for Canonical<W> {
    const ENCODED_MAX: usize = W::MAX_LEN;

    writes_as_inner!();

    #[inline(always)]
    fn accepts(value: W::Value) -> bool {
        W::Format::accepts(value)
    }

    #[inline(always)]
    fn load(src: &[u8], _: bool) -> Result<(W::Value, usize), DecodeError> {
        W::Format::load(src, true)
    }

    #[inline(always)]
    fn push(
        partial: &mut <W::Format as Wire>::Partial,
        index: usize,
        byte: u8,
        _: bool,
    ) -> Result<Option<W::Value>, DecodeError> {
        W::Format::push(partial, index, byte, true)
    }

    #[inline(always)]
    fn read(cursor: &mut Cursor<'_>, _: bool) -> Result<W::Value, DecodeError> {
        W::Format::read(cursor, true)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn load_append(src: &[u8], dst: &mut alloc::vec::Vec<W::Value>, _: bool) -> Result<usize, BulkError> {
        W::Format::load_append(src, dst, true)
    }

    #[inline(always)]
    fn load_all(
        kernel: Option<Kernel>,
        src: &[u8],
        dst: &mut [MaybeUninit<W::Value>],
        _: bool,
    ) -> Result<Progress, BulkError> {
        W::Format::load_all(kernel, src, dst, true)
    }
}
