//! The trait `Varint`: a wire type, with functions for one value and for many.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt::Debug;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::encoded::Encoded;
use crate::error::{BufferTooSmall, BulkError, DecodeError, PaddedWidthError, Progress, all_of, continued};
use crate::scalar::padding::pad;
use crate::simd::arrays::ByteArray;
use crate::simd::destination;
use crate::wire::{Sealed, Wire};

/// A wire type: how a value is written, and which bytes are accepted.
///
/// An integer is its own wire type. Unsigned types are encoded as they are, signed types by
/// [`zigzag`](crate::zigzag). Other wire types wrap a value: [`Signed`](crate::Signed) and the fields in
/// [`protobuf`](crate::protobuf). [`Canonical`](crate::Canonical), [`MaxLen`](crate::MaxLen) and
/// [`Bits`](crate::Bits) restrict what is accepted. The functions that encode any value exist for wire types
/// that accept all values ([`Unlimited`]).
/// [A table](crate::guide::formats#what-the-formats-require) has the wire types of each format.
///
/// Its functions take and return plain values: `Signed::encode(-1i32)`, and `Signed::<i32>::decode(bytes)`
/// returns an `i32`. None of them is a method, so that an import adds no method to the integers. The trait
/// is sealed.
///
/// # Decoding rules
///
/// All decoders of this crate agree: the same bytes give the same value, or the same error at the
/// same offset. For `u64`:
///
/// | bytes | `u64::decode` | `Canonical::<u64>::decode` |
/// |---|---|---|
/// | none; `80`; nine times `80` | `Truncated` | `Truncated` |
/// | `80` ten times or more | `TooLong` | `TooLong` |
/// | nine times `ff`, `01` | `u64::MAX`, 10 bytes | the same |
/// | nine times `ff`, `02` or more | `Overflow`, never a truncated value | `Overflow` |
/// | `80 00` | 0, 2 bytes | `NonCanonical` |
/// | nine times `80`, `00` | 0, 10 bytes | `NonCanonical` |
///
/// The other integer types have the same rules with their own [`MAX_LEN`](Self::MAX_LEN).
///
/// ```
/// use zigzag_varint::{Canonical, Varint};
///
/// assert_eq!(i64::encode(-1), [0x01]);
/// assert_eq!(i64::decode(&[0x01]), Ok((-1, 1)));
/// assert_eq!(u64::decode(&[0x80, 0x00]), Ok((0, 2)));
/// assert!(Canonical::<u64>::decode(&[0x80, 0x00]).is_err());
/// ```
///
/// # Other types
///
/// For `bool` and enums, see [`protobuf`](crate::protobuf). Convert a `NonZero` with `get`, and a
/// `char` or another wrapper to its integer. To store floating-point numbers, varints are the wrong
/// format.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no varint encoding",
    label = "this is neither an integer nor a wire type of `zigzag_varint`",
    note = "for `bool` and for enums, use the wire types in `zigzag_varint::protobuf`",
    note = "for `NonZero`, `Wrapping` and other wrappers, encode the integer inside: `value.get()` or `value.0`",
    note = "for `char`, encode `u32::from(value)`, and decode with `char::from_u32`"
)]
pub trait Varint: Sealed + Copy + Send + Sync + Unpin + 'static {
    /// The type of the values. An integer is its own.
    type Value: Copy
        + Default
        + PartialEq
        + Debug
        + Send
        + Sync
        + Unpin
        + UnwindSafe
        + RefUnwindSafe
        + 'static;
    /// An array for the longest encoding, such as `[u8; 10]`.
    type Buffer: ByteArray;
    /// The functions of the wire type, which only this crate can call.
    #[doc(hidden)]
    type Format: Wire<Value = Self::Value, Buffer = Self::Buffer>;

    /// The length in bytes of the longest encoding that is accepted. For integers it is 2, 3, 5, 10
    /// or 19, for types of 8, 16, 32, 64 or 128 bits.
    const MAX_LEN: usize = Self::Format::ENCODED_MAX;

    /// Returns the value inside a wire type, through all adapters. An integer is returned as it is.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Signed, Varint};
    ///
    /// assert_eq!(Varint::value(Canonical(Signed(-1i32))), -1);
    /// ```
    #[must_use]
    fn value(wrapped: Self) -> Self::Value;

    /// Returns the length of the encoding in bytes. It is at most [`MAX_LEN`](Self::MAX_LEN).
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(u64::encoded_len(127), 1);
    /// assert_eq!(u64::encoded_len(128), 2);
    /// assert_eq!(i64::encoded_len(64), 2); // zigzag makes it 128
    /// ```
    #[must_use]
    #[inline]
    fn encoded_len(value: Self::Value) -> usize
    where
        Self: Unlimited,
    {
        Self::Format::len_on_wire(value)
    }

    /// Encodes a value into an inline buffer.
    ///
    /// ```
    /// use zigzag_varint::{Signed, Varint};
    ///
    /// assert_eq!(u32::encode(300), [0xac, 0x02]);
    /// assert_eq!(i32::encode(300), [0xd8, 0x04]); // zigzag maps it to 600
    /// assert_eq!(Signed::encode(300), [0xac, 0x02]);
    /// ```
    #[must_use]
    #[inline]
    fn encode(value: Self::Value) -> Encoded<Self::Buffer>
    where
        Self: Unlimited,
    {
        encoded::<Self>(value)
    }

    /// Encodes a value at the start of `dst`, and returns the length of the encoding in bytes.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] if `dst` is shorter than [`encoded_len`](Self::encoded_len); `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let mut buffer = [0; 16];
    /// assert_eq!(u32::encode_to_slice(300, &mut buffer), Ok(2));
    /// assert_eq!(buffer[..2], [0xac, 0x02]);
    /// ```
    #[inline]
    fn encode_to_slice(value: Self::Value, dst: &mut [u8]) -> Result<usize, BufferTooSmall>
    where
        Self: Unlimited,
    {
        let available = dst.len();
        let too_small = || BufferTooSmall { needed: Self::Format::len_on_wire(value), available };
        Self::Format::store(value, dst).ok_or_else(too_small)
    }

    /// Encodes a value at the start of an array for the longest encoding, and returns the length of the
    /// encoding in bytes. The bytes after it are zero or anything.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let mut buffer = [0; u32::MAX_LEN];
    /// let len = u32::encode_to_array(300, &mut buffer);
    /// assert_eq!(buffer[..len], [0xac, 0x02]);
    /// ```
    #[inline]
    fn encode_to_array(value: Self::Value, dst: &mut Self::Buffer) -> usize
    where
        Self: Unlimited,
    {
        let (buffer, len) = Self::Format::to_array(value);
        *dst = buffer;
        len
    }

    /// Encodes a value in exactly `dst.len()` bytes, with redundant bytes as padding.
    ///
    /// It serves to write a length before its value is known, and to overwrite it later. Canonical
    /// decoders reject the padding.
    ///
    /// # Errors
    ///
    /// [`PaddedWidthError`] if `dst` is shorter than [`encoded_len`](Self::encoded_len) or longer
    /// than [`MAX_LEN`](Self::MAX_LEN). `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::{Signed, Varint};
    ///
    /// let mut code = [0x41, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b]; // i32.const, a place to patch, end
    /// Signed::encode_padded(-2i32, &mut code[1..6])?;
    /// assert_eq!(code, [0x41, 0xfe, 0xff, 0xff, 0xff, 0x7f, 0x0b]);
    /// # Ok::<(), zigzag_varint::PaddedWidthError>(())
    /// ```
    #[inline]
    fn encode_padded(value: Self::Value, dst: &mut [u8]) -> Result<(), PaddedWidthError>
    where
        Self: Unlimited,
    {
        pad(&Self::encode(value), dst, Self::MAX_LEN, Self::Format::SIGN_PADDED)
    }

    /// Decodes the value at the start of `src`, and returns it with the length of its encoding in bytes.
    ///
    /// At most [`MAX_LEN`](Self::MAX_LEN) bytes are read. Bytes past the encoding are ignored.
    ///
    /// # Errors
    ///
    /// `Truncated` if `src` ends inside the encoding or is empty, `TooLong` if the encoding is longer than
    /// [`MAX_LEN`](Self::MAX_LEN), `Overflow` if the value does not fit the type,
    /// `NonCanonical` as [`Canonical`](crate::Canonical) says. The [table](#decoding-rules) has examples.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, ErrorKind, Varint};
    ///
    /// assert_eq!(u32::decode(&[0xac, 0x02, 0x07]), Ok((300, 2)));
    /// let error = Canonical::<u32>::decode(&[0x87, 0x00]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::NonCanonical, 1));
    /// ```
    #[inline(always)] // a call would take longer than the work
    fn decode(src: &[u8]) -> Result<(Self::Value, usize), DecodeError> {
        Self::Format::load(src, false)
    }

    /// Decodes one value from the bytes that `next` returns, and calls it for no byte more.
    ///
    /// It serves to read from anything that gives one byte at a time, such as a trait of a parser. If
    /// the bytes come without a call, pass them to a [`Decoder`](crate::Decoder).
    ///
    /// # Errors
    ///
    /// The outer error is that of `next`, after which the bytes before it are lost. The inner one is that
    /// of the bytes, as of [`Decoder::push`](crate::Decoder::push); its offset counts from the first byte
    /// of the value.
    ///
    /// ```
    /// use zigzag_varint::{DecodeError, Varint};
    ///
    /// #[derive(Debug, PartialEq)]
    /// enum ParseError {
    ///     EndOfInput,
    ///     Number(DecodeError),
    /// }
    ///
    /// /// Reads a number from any iterator over bytes.
    /// fn number(bytes: &mut impl Iterator<Item = u8>) -> Result<u32, ParseError> {
    ///     u32::decode_from(|| bytes.next().ok_or(ParseError::EndOfInput))?.map_err(ParseError::Number)
    /// }
    ///
    /// let mut bytes = [0xac, 0x02, 0x80].into_iter();
    /// assert_eq!(number(&mut bytes), Ok(300));
    /// assert_eq!(number(&mut bytes), Err(ParseError::EndOfInput));
    /// assert!(matches!(number(&mut [0xff; 5].into_iter()), Err(ParseError::Number(_))));
    /// ```
    #[inline]
    fn decode_from<E>(
        mut next: impl FnMut() -> Result<u8, E>,
    ) -> Result<Result<Self::Value, DecodeError>, E> {
        let (mut partial, mut index) = (Self::Format::EMPTY, 0);
        loop {
            match Self::Format::push(&mut partial, index, next()?, false) {
                Ok(None) => index += 1,
                Ok(Some(value)) => return Ok(Ok(value)),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// Encodes all of `src` into `dst`, and returns the number of bytes written. O(n).
    ///
    /// For integers, [`encode_slice`](crate::encode_slice) infers the type.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] if `dst` is shorter than [`encoded_len_slice`](Self::encoded_len_slice).
    /// The contents of `dst` are unspecified then.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Int32};
    ///
    /// let mut bytes = [0; 16];
    /// assert_eq!(Int32::encode_slice(&[1, -1], &mut bytes), Ok(11));
    /// ```
    #[inline(always)] // the loops for short slices are fast only in the caller
    fn encode_slice(src: &[Self::Value], dst: &mut [u8]) -> Result<usize, BufferTooSmall>
    where
        Self: Unlimited,
    {
        Self::Format::store_all(None, src, dst).ok_or_else(|| too_small::<Self>(src, dst.len()))
    }

    /// Decodes values until `src` is exhausted or `dst` is full, and returns how many values were
    /// decoded and how many bytes were consumed. O(n).
    ///
    /// For integers, [`decode_slice`](crate::decode_slice) infers the type.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint.
    ///
    /// ```
    /// use zigzag_varint::{Progress, Signed, Varint};
    ///
    /// let mut values = [0i32; 4];
    /// let progress = Signed::decode_slice(&[0xff, 0x7e, 0x07], &mut values)?;
    /// assert_eq!(progress, Progress { values: 2, bytes: 3 });
    /// assert_eq!(values[..2], [-129, 7]);
    /// # Ok::<(), zigzag_varint::BulkError>(())
    /// ```
    #[inline(always)] // the loops for short slices are fast only in the caller
    fn decode_slice(src: &[u8], dst: &mut [Self::Value]) -> Result<Progress, BulkError> {
        destination::decode(dst, |dst| Self::Format::load_all(None, src, dst, false))
    }

    /// Decodes exactly as many values as `dst` has, and returns the number of bytes consumed. O(n).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint, or `Truncated` at `src.len()` if `src` has fewer
    /// values. Those before the error are in `dst`.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let mut row = [0i128; 2];
    /// assert_eq!(i128::decode_exact(&[0x02, 0xac, 0x02, 0x07], &mut row), Ok(3));
    /// assert_eq!(row, [1, 150]);
    /// assert_eq!(i128::decode_exact(&[0x07], &mut row).unwrap_err().error.offset(), 1);
    /// ```
    fn decode_exact(src: &[u8], dst: &mut [Self::Value]) -> Result<usize, BulkError> {
        all_of(dst.len(), src, Self::decode_slice(src, dst)?)
    }

    /// Returns the length of the encodings of all of `src` in bytes. O(n).
    ///
    /// ```
    /// use zigzag_varint::{Signed, Varint};
    ///
    /// assert_eq!(Signed::encoded_len_slice(&[63i64, 64]), 3);
    /// ```
    #[must_use]
    #[inline]
    fn encoded_len_slice(src: &[Self::Value]) -> usize
    where
        Self: Unlimited,
    {
        Self::Format::len_of_all(None, src)
    }

    /// Checks that `src` consists of valid encodings, and returns their number. O(n).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint};
    ///
    /// assert_eq!(u64::validate(&[0x01, 0x87, 0x00]), Ok(2));
    /// assert_eq!(Canonical::<u64>::validate(&[0x01, 0x87, 0x00]).unwrap_err().progress.values, 1);
    /// ```
    fn validate(src: &[u8]) -> Result<usize, BulkError> {
        let mut done = Progress::default();
        while done.bytes < src.len() {
            let rest = &src[done.bytes..];
            let block =
                destination::decode_block(|dst| Self::Format::load_all(None, rest, dst, false), |_| ());
            done = continued(done, block)?;
        }
        Ok(done.values)
    }

    /// Encodes all of `src` into a new vector of exactly the length needed. O(n).
    ///
    /// ```
    /// use zigzag_varint::{Signed, Varint};
    ///
    /// assert_eq!(Signed::encode_to_vec(&[-129i32, 7]), [0xff, 0x7e, 0x07]);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn encode_to_vec(src: &[Self::Value]) -> Vec<u8>
    where
        Self: Unlimited,
    {
        let len = Self::Format::len_of_all(None, src);
        // To fill little memory takes less time than to allocate zeroed memory.
        let mut bytes = if len > 4096 { vec![0; len] } else { Vec::with_capacity(len) };
        bytes.resize(len, 0);
        let encoded = Self::Format::store_all(None, src, &mut bytes);
        debug_assert_eq!(encoded, Some(len));
        bytes
    }

    /// Appends the encodings of all of `src` to `dst`, and returns the number of bytes appended.
    /// O(n).
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Sint32};
    ///
    /// let mut message = vec![0x22, 0x04]; // field 4: tag, length
    /// assert_eq!(Sint32::encode_append(&[3, -2, 150], &mut message), 4);
    /// assert_eq!(message, [0x22, 0x04, 0x06, 0x03, 0xac, 0x02]);
    /// ```
    #[cfg(feature = "alloc")]
    fn encode_append(src: &[Self::Value], dst: &mut Vec<u8>) -> usize
    where
        Self: Unlimited,
    {
        Self::Format::append(src, dst)
    }

    /// Decodes all of `src` into a new vector. O(n).
    ///
    /// It allocates at most once, and space for at most as many values as `src` has bytes.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint};
    ///
    /// assert_eq!(Canonical::<u64>::decode_to_vec(&[0x01, 0xac, 0x02]), Ok(vec![1, 300]));
    /// ```
    #[cfg(feature = "alloc")]
    fn decode_to_vec(src: &[u8]) -> Result<Vec<Self::Value>, BulkError> {
        let mut values = Vec::new();
        Self::decode_append(src, &mut values)?;
        Ok(values)
    }

    /// Decodes all of `src`, appends the values to `dst`, and returns their number. O(n).
    ///
    /// It reserves space once, by [`Vec::reserve`], for at most as many values as `src` has bytes. If `dst`
    /// has no capacity yet, it gets no more than that.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint. The values before it are appended.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Bool};
    ///
    /// let mut values = vec![true];
    /// assert_eq!(Bool::decode_append(&[0x00, 0x01], &mut values), Ok(2));
    /// assert_eq!(values, [true, false, true]);
    /// ```
    #[cfg(feature = "alloc")]
    fn decode_append(src: &[u8], dst: &mut Vec<Self::Value>) -> Result<usize, BulkError> {
        Self::Format::load_append(src, dst, false)
    }

    /// Decodes exactly `n` values, appends them to `dst`, and returns the number of bytes consumed.
    /// O(n).
    ///
    /// It reserves space for at most as many values as `src` has bytes, so `n` may come from the
    /// input.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint, or `Truncated` at `src.len()` if `src` has fewer
    /// values. Those before the error are appended.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// let mut values = Vec::new();
    /// assert_eq!(i64::append_exact(&[0x02, 0xac, 0x02, 0x07], 2, &mut values), Ok(3));
    /// assert!(i64::append_exact(&[0x07], usize::MAX, &mut values).is_err());
    /// assert_eq!(values, [1, 150, -4]);
    /// ```
    #[cfg(feature = "alloc")]
    fn append_exact(src: &[u8], n: usize, dst: &mut Vec<Self::Value>) -> Result<usize, BulkError> {
        let max = n.min(src.len());
        let decoded = destination::append(max, dst, |slots| Self::Format::load_all(None, src, slots, false));
        all_of(n, src, decoded?)
    }
}

/// A wire type without limits: every value of its type can be encoded, and its encoding is accepted.
///
/// [`MaxLen`](crate::MaxLen) and [`Bits`](crate::Bits) have limits, and [`Canonical`](crate::Canonical) of one
/// of these. What they do not accept cannot be written by them: a single value is checked by
/// [`MaxLen::new`](crate::MaxLen::new), and slices are written by the wire type inside.
///
/// ```
/// use zigzag_varint::{Unlimited, Varint, protobuf::Sint32};
///
/// /// The contents of a packed field, after its length.
/// fn packed<W: Unlimited>(values: &[W::Value]) -> Vec<u8> {
///     let bytes = W::encode_to_vec(values);
///     [&*usize::encode(bytes.len()), &bytes].concat()
/// }
/// assert_eq!(packed::<Sint32>(&[3, -2, 150]), [0x04, 0x06, 0x03, 0xac, 0x02]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not accept every value, so it cannot encode any value",
    label = "this wire type has a limit",
    note = "to encode one value, check it: `MaxLen::<u64, 9>::new(value)`, then `encode` or `write_varint`",
    note = "to encode a slice, check its values, and name the wire type inside: `u64::encode_slice(..)`"
)]
pub trait Unlimited: Varint {}

/// Encodes a value that the wire type accepts.
#[inline]
pub(crate) fn encoded<W: Varint>(value: W::Value) -> Encoded<W::Buffer> {
    let (buffer, len) = W::Format::to_array(value);
    Encoded::new(buffer, len)
}

#[cold]
#[inline(never)]
fn too_small<W: Varint>(src: &[W::Value], available: usize) -> BufferTooSmall {
    BufferTooSmall { needed: W::Format::len_of_all(None, src), available }
}
