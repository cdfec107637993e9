//! The adapter that limits the length of an encoding.

use core::mem::MaybeUninit;

use super::adapter::writes_as_inner;
use crate::encoded::Encoded;
use crate::error::{BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
use crate::scalar::rule::CONTINUE;
use crate::scalar::slice;
use crate::simd::end_mask::{WINDOW, ends_in, runs};
use crate::varint_trait::{Varint, encoded};
use crate::wire::{Sealed, Wire};

/// The wire type `W`, of which only encodings of at most `N` bytes are accepted.
///
/// A longer one is `TooLong` at offset `N - 1`. Only a value whose encoding is accepted can be written:
/// [`new`](Self::new) checks it. To write a slice of values that are known to fit, use `W`, which writes the
/// same bytes.
///
/// ```
/// use zigzag_varint::{Canonical, MaxLen, Varint};
///
/// /// The unsigned varint of multiformats: 63 bits, and one encoding for each value.
/// type Multi = MaxLen<Canonical<u64>, 9>;
///
/// assert_eq!(Multi::decode(&[0xac, 0x02]), Ok((300, 2)));
/// assert!(Multi::decode(&u64::encode(1 << 63)).is_err()); // ten bytes
///
/// assert_eq!(Multi::new(300).map(Multi::encode), Some(u64::encode(300)));
/// assert_eq!(Multi::new(1 << 63), None);
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
/// use zigzag_varint::MaxLen;
///
/// MaxLen::<u64, 0>::new(7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaxLen<W: Varint, const N: usize>(W::Value);

impl<W: Varint, const N: usize> MaxLen<W, N> {
    /// Returns the value as one that can be written, or `None` if its encoding is longer than `N` bytes.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, MaxLen};
    ///
    /// /// The "remaining length" of MQTT: at most 268,435,455.
    /// fn put_remaining_length(packet: &mut Vec<u8>, len: u32) -> Result<usize, &'static str> {
    ///     let len = MaxLen::<u32, 4>::new(len).ok_or("the packet is too long")?;
    ///     Ok(packet.put_varint(len))
    /// }
    ///
    /// let mut packet = vec![0x30];
    /// assert_eq!(put_remaining_length(&mut packet, 268_435_455), Ok(4));
    /// assert_eq!(packet, [0x30, 0xff, 0xff, 0xff, 0x7f]);
    /// assert!(put_remaining_length(&mut packet, 268_435_456).is_err());
    /// ```
    #[must_use]
    #[inline]
    pub fn new(value: W::Value) -> Option<Self> {
        Self::accepts(value).then_some(Self(value))
    }

    /// Returns the value.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::MaxLen::<u64, 9>::new(300).map(|value| value.get()), Some(300));
    /// ```
    #[must_use]
    #[inline]
    pub fn get(self) -> W::Value {
        self.0
    }

    /// Encodes the value into an inline buffer.
    ///
    /// ```
    /// use zigzag_varint::MaxLen;
    ///
    /// let value = MaxLen::<u64, 9>::new(300).expect("nine bytes are enough");
    /// assert_eq!(value.encode(), [0xac, 0x02]);
    /// ```
    #[must_use]
    #[inline]
    pub fn encode(self) -> Encoded<W::Buffer> {
        encoded::<Self>(self.0)
    }
}

impl<W: Varint, const N: usize> Varint for MaxLen<W, N> {
    type Value = W::Value;
    type Buffer = W::Buffer;
    type Format = Self;

    #[inline(always)]
    fn value(wrapped: Self) -> W::Value {
        wrapped.0
    }
}

impl<W: Varint, const N: usize> Sealed for MaxLen<W, N> {}

impl<W: Varint, const N: usize> Wire for MaxLen<W, N> {
    const ENCODED_MAX: usize = {
        assert!(0 < N && N <= W::MAX_LEN, "MaxLen: the length must be 1 to MAX_LEN of the wire type");
        N
    };

    writes_as_inner!();

    #[inline(always)]
    fn accepts(value: W::Value) -> bool {
        W::Format::accepts(value) && W::Format::len_on_wire(value) <= Self::ENCODED_MAX
    }

    #[inline(always)]
    fn load(src: &[u8], canonical: bool) -> Result<(W::Value, usize), DecodeError> {
        at_most(Self::ENCODED_MAX, src, W::Format::load(src, canonical))
    }

    #[inline(always)]
    fn push(
        partial: &mut <W::Format as Wire>::Partial,
        index: usize,
        byte: u8,
        canonical: bool,
    ) -> Result<Option<W::Value>, DecodeError> {
        push_at_most(Self::ENCODED_MAX, index, W::Format::push(partial, index, byte, canonical)?)
    }

    /// Decodes as `W` does, by the kernel, and then looks for encodings that are too long.
    #[inline]
    fn load_all(
        kernel: Option<Kernel>,
        src: &[u8],
        dst: &mut [MaybeUninit<W::Value>],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        let max = Self::ENCODED_MAX;
        let decoded = W::Format::load_all(kernel, src, dst, canonical);
        if max == W::MAX_LEN {
            return decoded;
        }
        let end = match &decoded {
            Ok(progress) => progress.bytes,
            // The value that is not valid may also be too long.
            Err(failed) => src.len().min(failed.progress.bytes + max),
        };
        let Some(bytes) = first_continuations(&src[..end], max) else { return decoded };
        let progress = Progress { values: slice::count(&src[..bytes]), bytes };
        Err(BulkError { progress, error: DecodeError::too_long(max).shifted(bytes) })
    }
}

/// Returns the index of the first `n` bytes in a row that all continue, at which a value starts.
#[inline(never)]
fn first_continuations(src: &[u8], n: usize) -> Option<usize> {
    (0..src.len()).step_by(WINDOW + 1 - n).find_map(|at| {
        let rest = &src[at..];
        let mut padded = [0; WINDOW];
        let window = rest.first_chunk().unwrap_or_else(|| {
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        });
        let runs = runs(!ends_in(window), n);
        (runs != 0).then(|| at + runs.trailing_zeros() as usize)
    })
}

/// Makes an encoding longer than `max` bytes an error at the last byte within the limit, which is where a
/// decoder that gets byte by byte finds it.
#[inline]
pub(super) fn at_most<T>(
    max: usize,
    src: &[u8],
    decoded: Result<(T, usize), DecodeError>,
) -> Result<(T, usize), DecodeError> {
    match &decoded {
        Ok((_, len)) if *len <= max => decoded,
        _ if src.len() >= max && src[..max].iter().all(|&byte| byte >= CONTINUE) => {
            Err(DecodeError::too_long(max))
        }
        _ => decoded,
    }
}

/// Makes it an error if the byte at `index`, which is the last of `max`, does not complete the value.
#[inline(always)]
pub(super) fn push_at_most<T>(max: usize, index: usize, pushed: Option<T>) -> Result<Option<T>, DecodeError> {
    if pushed.is_none() && index + 1 == max { Err(DecodeError::too_long(max)) } else { Ok(pushed) }
}
