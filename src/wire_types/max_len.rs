//! The adapter that limits the length of an encoding.

use super::adapter::writes_as_inner;
use crate::error::{DecodeError, ErrorKind};
use crate::kernel::Kernel;
use crate::scalar::value::CONTINUE;
use crate::varint_trait::Varint;
use crate::wire::Wire;

/// The wire type `W`, of which only encodings of at most `N` bytes are accepted.
///
/// A longer one is an `Overflow` at offset `N - 1`. Values are written as by `W`, whatever their
/// length.
///
/// ```
/// use zigzag_varint::{Canonical, MaxLen, Varint};
///
/// /// The unsigned varint of multiformats: 63 bits, and one encoding for each value.
/// type Multi = Canonical<MaxLen<u64, 9>>;
///
/// assert_eq!(Multi::decode(&[0xac, 0x02]), Ok((300, 2)));
/// assert!(Multi::decode(&(1u64 << 63).encode()).is_err()); // ten bytes
/// ```
///
/// `N` is at least 1 and at most [`MAX_LEN`](Varint::MAX_LEN) of `W`. Other numbers do not compile:
/// "MaxLen: the length must be 1 to MAX_LEN of the wire type".
///
/// ```compile_fail,E0080
/// use zigzag_varint::{MaxLen, Varint};
///
/// MaxLen::<u64, 11>::decode(&[0x07]);
/// ```
///
/// ```compile_fail,E0080
/// use zigzag_varint::{MaxLen, Varint};
///
/// MaxLen::<_, 0>(7u64).encode();
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaxLen<W, const N: usize>(pub W);

impl<W: Varint, const N: usize> Varint for MaxLen<W, N> {}

impl<W: Wire, const N: usize> Wire for MaxLen<W, N> {
    const ENCODED_MAX: usize = {
        assert!(0 < N && N <= W::ENCODED_MAX, "MaxLen: the length must be 1 to MAX_LEN of the wire type");
        N
    };

    writes_as_inner!(MaxLen);

    #[inline(always)]
    fn load(src: &[u8], canonical: bool) -> Result<(W::Value, usize), DecodeError> {
        at_most(Self::ENCODED_MAX, src, W::load(src, canonical))
    }

    #[inline(always)]
    fn push(
        partial: &mut W::Partial,
        index: usize,
        byte: u8,
        canonical: bool,
    ) -> Result<Option<W::Value>, DecodeError> {
        match W::push(partial, index, byte, canonical)? {
            None if index + 1 == Self::ENCODED_MAX => Err(DecodeError::new(ErrorKind::Overflow, index)),
            pushed => Ok(pushed),
        }
    }
}

/// Makes an encoding longer than `max` bytes an `Overflow` at the last byte within the limit, which
/// is where a decoder that gets byte by byte finds it.
#[inline]
pub(super) fn at_most<T>(
    max: usize,
    src: &[u8],
    decoded: Result<(T, usize), DecodeError>,
) -> Result<(T, usize), DecodeError> {
    match &decoded {
        Ok((_, len)) if *len <= max => decoded,
        _ if src.len() >= max && src[..max].iter().all(|&byte| byte >= CONTINUE) => {
            Err(DecodeError::new(ErrorKind::Overflow, max - 1))
        }
        _ => decoded,
    }
}
