//! What a wire type defines. The module is private, so no other crate can implement or call it.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt::Debug;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::dispatch::{FEW_BYTES, FEW_VALUES};
use crate::error::{BulkError, DecodeError, Progress};
use crate::kernel::Kernel;
#[cfg(feature = "alloc")]
use crate::scalar::rule::CONTINUE;
use crate::simd::arrays::ByteArray;
use crate::simd::cursor::Cursor;
#[cfg(feature = "alloc")]
use crate::simd::destination;

/// The functions of a wire type: how values are written, and which bytes are valid. Code outside of the
/// crate cannot call them, because the trait cannot be imported.
///
/// Functions on slices take the kernel to use, or `None` to choose one by the number of values. The
/// decoders write only initialized values to `dst`, never read from it, and have written all slots
/// up to the `values` that they report. The unsafe code in `simd/destination.rs` relies on this.
pub trait Wire: Sized + 'static {
    /// The type of the values.
    type Value: Copy + Default + PartialEq + Debug;
    /// An array of `ENCODED_MAX` bytes.
    type Buffer: ByteArray;
    /// The length of the longest encoding that is accepted.
    const ENCODED_MAX: usize;
    /// The length of the longest encoding that is written. It is less than `ENCODED_MAX` if the wire type
    /// accepts longer encodings than it writes.
    const WRITTEN_MAX: usize = Self::ENCODED_MAX;
    /// Whether a short vector is decoded by way of a block on the stack.
    const IN_BLOCKS: bool = true;
    /// What is known of an incomplete value.
    type Partial: Copy + Debug + Send + Sync + Unpin;
    /// Nothing of a value.
    const EMPTY: Self::Partial;
    /// Whether padding repeats bit 6 of the last byte, which is the sign.
    const SIGN_PADDED: bool = false;

    /// Returns whether the encoding of the value is accepted.
    #[inline(always)]
    fn accepts(_: Self::Value) -> bool {
        true
    }
    /// Returns the length of the encoding.
    fn len_on_wire(value: Self::Value) -> usize;
    /// Returns the encoding, at the start of an array, and its length.
    fn to_array(value: Self::Value) -> (Self::Buffer, usize);
    /// Returns the encoding if it is one byte, in less time than `to_array`.
    fn one_byte(value: Self::Value) -> Option<u8>;
    /// Decodes the value at the start of `src`, and returns it with its length.
    fn load(src: &[u8], canonical: bool) -> Result<(Self::Value, usize), DecodeError>;

    /// Encodes at the start of `dst` and returns the length, or `None` if `dst` is too short.
    #[inline]
    fn store(value: Self::Value, dst: &mut [u8]) -> Option<usize> {
        let (bytes, len) = Self::to_array(value);
        dst.get_mut(..len)?.copy_from_slice(bytes.as_ref().get(..len)?);
        Some(len)
    }

    /// Adds the byte at `index` to an incomplete value, and returns the value if the byte completes
    /// it. The caller replaces `partial` by `EMPTY` then.
    fn push(
        partial: &mut Self::Partial,
        index: usize,
        byte: u8,
        canonical: bool,
    ) -> Result<Option<Self::Value>, DecodeError>;

    /// Reads the next value.
    #[inline(always)]
    fn read(cursor: &mut Cursor<'_>, canonical: bool) -> Result<Self::Value, DecodeError> {
        read_by_load::<Self>(cursor, canonical)
    }

    /// Encodes all of `src` and returns the number of bytes, or `None` if `dst` is too small.
    #[inline(always)]
    fn store_all(_: Option<Kernel>, src: &[Self::Value], dst: &mut [u8]) -> Option<usize> {
        let mut bytes = 0;
        for value in src {
            bytes += Self::store(*value, dst.get_mut(bytes..)?)?;
        }
        Some(bytes)
    }

    /// Appends the encodings of all of `src` to `dst`, and returns the number of bytes.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append(src: &[Self::Value], dst: &mut Vec<u8>) -> usize {
        append_few::<Self>(src, dst).unwrap_or_else(|| append_many::<Self>(src, dst))
    }

    /// Decodes all of `src`, appends the values to `dst`, and returns their number. The values
    /// before an error are appended.
    #[cfg(feature = "alloc")]
    #[inline]
    fn load_append(src: &[u8], dst: &mut Vec<Self::Value>, canonical: bool) -> Result<usize, BulkError> {
        load_append::<Self>(src, dst, canonical)
    }

    /// Returns the number of bytes that `store_all` would write.
    #[inline(always)]
    fn len_of_all(_: Option<Kernel>, src: &[Self::Value]) -> usize {
        src.iter().map(|value| Self::len_on_wire(*value)).sum()
    }

    /// Decodes until `src` is exhausted or `dst` is full.
    #[inline(always)]
    fn load_all(
        _: Option<Kernel>,
        src: &[u8],
        dst: &mut [MaybeUninit<Self::Value>],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        let mut progress = Progress::default();
        for slot in dst {
            let Some(rest @ [_, ..]) = src.get(progress.bytes..) else { break };
            let decoded = Self::load(rest, canonical);
            let (value, bytes) =
                decoded.map_err(|error| BulkError { progress, error: error.shifted(progress.bytes) })?;
            slot.write(value);
            progress = progress.then(Progress { values: 1, bytes });
        }
        Ok(progress)
    }
}

/// The supertrait of `Varint`, which seals it: no other crate can implement it,
///
/// ```compile_fail,E0277
/// use zigzag_varint::Varint;
///
/// #[derive(Clone, Copy)]
/// struct Mine(u32);
///
/// impl Varint for Mine {
///     type Value = u32;
///     type Buffer = [u8; 5];
///     type Format = <u32 as Varint>::Format;
///
///     fn value(wrapped: Self) -> u32 {
///         wrapped.0
///     }
/// }
/// ```
///
/// or call what is not public:
///
/// ```compile_fail,E0599
/// fn decode<W: zigzag_varint::Varint>(src: &[u8]) -> bool {
///     W::Format::load(src, false).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn longest<W: zigzag_varint::Varint>() -> usize {
///     W::Format::WRITTEN_MAX
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn len<T: zigzag_varint::Integer>(value: T) -> usize {
///     value.wire_len()
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn longest<T: zigzag_varint::Integer>() -> usize {
///     T::MAX_BYTES
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn last<T: zigzag_varint::Integer>() -> (T, T) {
///     T::RANGES[7]
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn count<T: zigzag_varint::Integer>(kernel: zigzag_varint::Kernel, values: &[T]) -> usize {
///     T::Format::slices(kernel).encoded_len(values)
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn decode<T: zigzag_varint::SignedInteger>(src: &[u8]) -> bool {
///     T::load(src, false).is_ok() || T::Leb128::load(src, false).is_ok()
/// }
/// ```
///
/// The same code with public functions compiles:
///
/// ```
/// fn decode<W: zigzag_varint::Varint>(src: &[u8]) -> bool {
///     W::decode(src).is_ok()
/// }
/// assert!(decode::<u32>(&[0x07]));
/// ```
pub trait Sealed {}

/// Appends the encodings of a few values if `dst` has the capacity for the longest ones. Then the length
/// need not be known before.
#[cfg(feature = "alloc")]
#[inline(always)]
fn append_few<W: Wire>(src: &[W::Value], dst: &mut Vec<u8>) -> Option<usize> {
    let begin = dst.len();
    if src.len() >= FEW_VALUES || dst.capacity() - begin < src.len() * W::ENCODED_MAX {
        return None;
    }
    for &value in src {
        if let Some(byte) = W::one_byte(value) {
            dst.push(byte);
        } else {
            let (bytes, len) = W::to_array(value);
            let end = dst.len() + len;
            // The whole array, because a copy of a constant length takes less time.
            dst.extend_from_slice(bytes.as_ref());
            dst.truncate(end);
        }
    }
    Some(dst.len() - begin)
}

#[cfg(feature = "alloc")]
#[inline(never)]
fn append_many<W: Wire>(src: &[W::Value], dst: &mut Vec<u8>) -> usize {
    if let Some((first, rest)) = src.split_first_chunk::<FEW_VALUES>() {
        if dst.capacity() - dst.len() >= FEW_VALUES {
            if let Some(bytes) = one_byte_each::<W>(first) {
                dst.extend_from_slice(&bytes);
                return FEW_VALUES
                    + append_few::<W>(rest, dst).unwrap_or_else(|| append_exact::<W>(rest, dst));
            }
        }
    }
    append_exact::<W>(src, dst)
}

/// Returns the encodings of values that have one byte each. There is no branch for each value.
#[cfg(feature = "alloc")]
#[inline(always)]
fn one_byte_each<W: Wire>(values: &[W::Value; FEW_VALUES]) -> Option<[u8; FEW_VALUES]> {
    let encoded = values.map(W::one_byte);
    let is_each = encoded.iter().fold(true, |all, byte| all & byte.is_some());
    is_each.then(|| encoded.map(Option::unwrap_or_default))
}

/// Appends the encodings of any number of values, in space of exactly their length.
#[cfg(feature = "alloc")]
fn append_exact<W: Wire>(src: &[W::Value], dst: &mut Vec<u8>) -> usize {
    let begin = dst.len();
    let len = W::len_of_all(None, src);
    dst.resize(begin + len, 0);
    let encoded = W::store_all(None, src, &mut dst[begin..]);
    debug_assert_eq!(encoded, Some(len));
    len
}

/// Below this number of bytes, to count the values takes longer than to reserve space for as many
/// values as there are bytes.
#[cfg(feature = "alloc")]
const UNCOUNTED_BYTES: usize = 16;

/// Appends all values of `src`, as [`Wire::load_append`] does by default.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn load_append<W: Wire>(
    src: &[u8],
    dst: &mut Vec<W::Value>,
    canonical: bool,
) -> Result<usize, BulkError> {
    if src.len() < FEW_BYTES && dst.capacity() - dst.len() >= src.len() {
        return load_directly::<W>(src, dst, canonical);
    }
    load_many::<W>(src, dst, canonical)
}

/// Decodes into space for as many values as there are bytes.
#[cfg(feature = "alloc")]
#[inline(always)]
fn load_directly<W: Wire>(src: &[u8], dst: &mut Vec<W::Value>, canonical: bool) -> Result<usize, BulkError> {
    let decode = |slots: &mut [_]| W::load_all(None, src, slots, canonical);
    destination::append(src.len(), dst, decode).map(|progress| progress.values)
}

#[cfg(feature = "alloc")]
#[inline(never)]
fn load_many<W: Wire>(src: &[u8], dst: &mut Vec<W::Value>, canonical: bool) -> Result<usize, BulkError> {
    if dst.capacity() - dst.len() >= src.len() {
        return load_directly::<W>(src, dst, canonical);
    }
    if W::IN_BLOCKS && src.len() <= destination::BLOCK_VALUES {
        // To count the values first would take longer than to copy them.
        let decode = |slots: &mut [_]| W::load_all(None, src, slots, canonical);
        let decoded = destination::decode_block(decode, |values| {
            destination::reserve(values.len(), dst);
            dst.extend_from_slice(values);
        });
        return decoded.map(|progress| progress.values);
    }
    if src.len() < UNCOUNTED_BYTES {
        return load_directly::<W>(src, dst, canonical);
    }
    // One more for a varint that the end of the input cuts short, which has to be found.
    let incomplete = src.last().is_some_and(|&byte| byte >= CONTINUE);
    let kernel = Kernel::detect();
    let max = kernel.count(src) + usize::from(incomplete);
    let decode = |slots: &mut [_]| W::load_all(Some(kernel), src, slots, canonical);
    destination::append(max, dst, decode).map(|progress| progress.values)
}

/// Reads the next value by `load`, whatever is known of the bytes after the position.
#[inline(always)]
pub(crate) fn read_by_load<W: Wire>(
    cursor: &mut Cursor<'_>,
    canonical: bool,
) -> Result<W::Value, DecodeError> {
    let decoded = W::load(cursor.remaining(), canonical);
    let (value, len) = decoded.map_err(|error| error.shifted(cursor.position()))?;
    cursor.skip(len);
    Ok(value)
}
