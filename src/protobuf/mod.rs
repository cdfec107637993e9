//! The integer fields of Protocol Buffers: `int32`, `int64`, `uint32`, `uint64`, `sint32`, `sint64`,
//! `bool` and `enum`, each a wire type; and the tags of fields ([`Tag`]), for messages without generated
//! code.
//!
//! On the wire all of them are unsigned 64-bit varints ("Encoding", section "More Integer Types"):
//!
//! | field | wire type | number on the wire | bytes |
//! |---|---|---|---|
//! | `uint32`, `uint64` | [`Uint32`], [`Uint64`] | the value | 1 to 5, 1 to 10 |
//! | `int32`, `int64`, `enum` | [`Int32`], [`Int64`], [`Enum`] | the value, sign-extended to 64 bits | 1 to 5, 1 to 9; 10 if negative |
//! | `sint32`, `sint64` | [`Sint32`], [`Sint64`] | the [`zigzag`](crate::zigzag) number of the value | 1 to 5, 1 to 10 |
//! | `bool` | [`Bool`] | 0 or 1 | 1 |
//!
//! Note that `i32` is the wire type of a `sint32`, not of an `int32`, which is `Int32`.
//!
//! ```
//! use zigzag_varint::{Varint, protobuf::{Int32, Sint32}};
//!
//! assert_eq!(Sint32::encode(-2), [0x03]);
//! assert_eq!(Int32::encode(-2), [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
//! assert_eq!(Int32::decode(&Int32::encode(-2)), Ok((-2, 10)));
//! ```
//!
//! # Decoding rules
//!
//! The type of a field may change between `int32`, `uint32`, `int64`, `uint64` and `bool`. A parser
//! must then treat a number that does not fit "as if you had cast the number to that type in C++"
//! (language guides, "Updating A Message Type"). Therefore `Int32` and `Uint32` decode 64 bits and
//! keep the low 32. `Sint32` does so before it undoes the zigzag. `Bool` decodes every number except
//! 0 as `true`. Protobuf's conformance suite requires this of every parser. No other wire type cuts a
//! value. Overlong encodings are accepted.
//!
//! [`Canonical`](crate::Canonical) accepts only what the encoders write: a number that does not fit
//! the field is [`Overflow`](crate::ErrorKind::Overflow), at its last byte.
//!
//! A tenth byte greater than `01` is `Overflow` for all fields, as in the parsers of Go and of
//! `prost`. No encoder writes such a byte. The parser of C++ ignores the bits past the 64th. There is
//! no mode for that: damaged bytes would be accepted as a number that nobody wrote.
//!
//! # Packed fields
//!
//! The values of a packed field stand one after another ("Encoding", section "Packed Repeated
//! Fields"). The functions of [`Varint`] for many values read and write the contents, without the
//! tag and the length. [`LengthPrefix`](crate::LengthPrefix) reads the length, with a limit.
//!
//! ```
//! use zigzag_varint::protobuf::{Sint32, Tag, TagType};
//! use zigzag_varint::{LengthPrefix, Varint};
//!
//! const SAMPLES: Tag = Tag::new(4, TagType::Len).unwrap();
//!
//! let samples = [3, -2, 150];
//! let mut message = SAMPLES.encode().to_vec();
//! message.extend(LengthPrefix::without_limit().encode_prefix(Sint32::encoded_len_slice(&samples))?);
//! # #[cfg(feature = "alloc")] {
//! Sint32::encode_append(&samples, &mut message);
//! assert_eq!(message, [0x22, 0x04, 0x06, 0x03, 0xac, 0x02]);
//! assert_eq!(Sint32::decode_to_vec(&message[2..]), Ok(vec![3, -2, 150]));
//! # }
//! # Ok::<(), zigzag_varint::FrameError>(())
//! ```
//!
//! A parser must accept a packed field in several parts, and append their values. It must also accept
//! a single value where a packed field is expected, and a packed field where single values are
//! expected.

mod blocks;
mod error;
mod field;
mod tag;

use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use self::blocks::{BLOCK_VALUES, append_numbers};
use self::blocks::{any_negative, exact, in_blocks, load_numbers, with_numbers};
pub use self::error::FieldError;
use self::field::{Field, field};
pub use self::tag::{Tag, TagType};
use crate::error::{BulkError, DecodeError, Progress, continued};
use crate::kernel::Kernel;
use crate::simd::cursor::Cursor;
#[cfg(feature = "alloc")]
use crate::simd::destination;
use crate::simd::lane::{cast, cast_mut};
use crate::varint_trait::{Unlimited, Varint};
use crate::width::Width;
#[cfg(feature = "alloc")]
use crate::wire::load_append;
use crate::wire::{Sealed, Wire, read_by_load};

field! {
    /// An `int32` or `enum` field. Negative numbers take ten bytes; of a number with more than 32
    /// bits, the low 32 are kept.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint, protobuf::Int32};
    ///
    /// assert_eq!(Int32::encode(-2), [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
    /// assert_eq!(Int32::decode(&[0xfe, 0xff, 0xff, 0xff, 0x0f]), Ok((-2, 5)));
    /// assert!(Canonical::<Int32>::decode(&[0xfe, 0xff, 0xff, 0xff, 0x0f]).is_err());
    /// ```
    Int32(i32): |value| value as i64 as u64, |number| number as i32;

    #[inline(always)]
    fn store_all(kernel: Option<Kernel>, values: &[i32], bytes: &mut [u8]) -> Option<usize> {
        in_blocks(values, |block, done| match any_negative(block) {
            true => with_numbers(block, |numbers| u64::store_all(kernel, numbers, bytes.get_mut(done..)?)),
            false => u32::store_all(kernel, cast(block), bytes.get_mut(done..)?),
        })
    }

    #[inline(always)]
    fn len_of_all(kernel: Option<Kernel>, values: &[i32]) -> usize {
        let len = in_blocks(values, |block, _| Some(match any_negative(block) {
            true => with_numbers(block, |numbers| u64::len_of_all(kernel, numbers)),
            false => u32::len_of_all(kernel, cast(block)),
        }));
        len.unwrap_or_default()
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn append(values: &[i32], dst: &mut alloc::vec::Vec<u8>) -> usize {
        let append_block = |block| match any_negative(block) {
            true => with_numbers(block, |numbers| u64::append(numbers, dst)),
            false => u32::append(cast(block), dst),
        };
        values.chunks(BLOCK_VALUES).map(append_block).sum()
    }

    #[inline(always)]
    fn load_all(
        kernel: Option<Kernel>,
        src: &[u8],
        dst: &mut [MaybeUninit<i32>],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        load_numbers::<Self>(kernel, src, dst, canonical)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn load_append(src: &[u8], dst: &mut alloc::vec::Vec<i32>, canonical: bool) -> Result<usize, BulkError> {
        append_numbers::<Self>(src, dst, canonical)
    }
}

field! {
    /// An `int64` field. Negative numbers take ten bytes.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Int64};
    ///
    /// assert_eq!(Int64::encoded_len(-2), 10);
    /// assert_eq!(Int64::decode(&[0xac, 0x02]), Ok((300, 2)));
    /// ```
    Int64(i64) like u64: |value| value as u64, |number| number as i64;
}

field! {
    /// A `uint32` field. Of a number with more than 32 bits, the low 32 are kept.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Uint32};
    ///
    /// assert_eq!(Uint32::decode(&[0xac, 0x82, 0x80, 0x80, 0x10]), Ok((300, 5))); // 2^32 + 300
    /// assert!(u32::decode(&[0xac, 0x82, 0x80, 0x80, 0x10]).is_err());
    /// ```
    Uint32(u32) like u32: |value| value as u64, |number| number as u32;
}

field! {
    /// A `uint64` field.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Uint64};
    ///
    /// assert_eq!(Uint64::encode(300), [0xac, 0x02]);
    /// ```
    Uint64(u64) like u64: |value| value, |number| number;
}

field! {
    /// A `sint32` field: zigzag. Of a number with more than 32 bits, the low 32 are kept.
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Sint32};
    ///
    /// assert_eq!(Reader::new(&[0x03]).read::<Sint32>(), Ok(-2));
    /// ```
    Sint32(i32) like i32: |value| value.to_raw().into(), |number| i32::from_raw(number as u32);
}

field! {
    /// A `sint64` field: zigzag.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Sint64};
    ///
    /// let mut values = Vec::new();
    /// Sint64::decode_append(&[0x03, 0x06], &mut values)?;
    /// assert_eq!(values, [-2, 3]);
    /// # Ok::<(), zigzag_varint::BulkError>(())
    /// ```
    Sint64(i64) like i64: |value| value.to_raw(), |number| i64::from_raw(number);
}

field! {
    /// A `bool` field: every number but zero is true.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint, protobuf::Bool};
    ///
    /// assert_eq!(Bool::encode(true), [0x01]);
    /// assert_eq!(Bool::decode(&[0x02]), Ok((true, 1)));
    /// assert!(Canonical::<Bool>::decode(&[0x02]).is_err());
    /// ```
    Bool(bool): |value| value as u64, |number| number != 0;

    const WRITTEN_MAX: usize = 1;

    #[inline(always)]
    fn store_all(_: Option<Kernel>, values: &[bool], bytes: &mut [u8]) -> Option<usize> {
        for (byte, value) in bytes.get_mut(..values.len())?.iter_mut().zip(values) {
            *byte = u8::from(*value);
        }
        Some(values.len())
    }

    #[inline(always)]
    fn len_of_all(_: Option<Kernel>, values: &[bool]) -> usize {
        values.len()
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn append(values: &[bool], dst: &mut alloc::vec::Vec<u8>) -> usize {
        dst.extend(values.iter().map(|value| u8::from(*value)));
        values.len()
    }

    #[inline(always)]
    fn load_all(
        kernel: Option<Kernel>,
        src: &[u8],
        dst: &mut [MaybeUninit<bool>],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        let short = short_bools(&src[..src.len().min(dst.len())], canonical);
        for (slot, byte) in dst.iter_mut().zip(&src[..short]) {
            slot.write(*byte != 0);
        }
        let rest = load_numbers::<Self>(kernel, &src[short..], &mut dst[short..], canonical);
        continued(Progress { values: short, bytes: short }, rest)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn load_append(src: &[u8], dst: &mut alloc::vec::Vec<bool>, canonical: bool) -> Result<usize, BulkError> {
        let short = short_bools(src, canonical);
        destination::reserve(src.len(), dst); // a byte for each
        dst.extend(src[..short].iter().map(|byte| *byte != 0));
        if short == src.len() {
            return Ok(short);
        }
        match append_numbers::<Self>(&src[short..], dst, canonical) {
            Ok(values) => Ok(short + values),
            Err(failed) => {
                let done = Progress { values: short, bytes: short };
                continued(done, Err(failed)).map(|progress| progress.values)
            }
        }
    }
}

/// An `enum` field. Its values are those of an `int32`; which of them are known is for the program
/// to decide.
pub type Enum = Int32;

/// Returns the number of bytes at the start of `src`, in whole blocks, that are each a `bool`.
fn short_bools(src: &[u8], canonical: bool) -> usize {
    let greatest = if canonical { 1 } else { 0x7f };
    // All of them together have no bit that `greatest` lacks.
    let fits = |bytes: &&[u8]| bytes.iter().fold(0, |any, byte| any | byte) <= greatest;
    src.chunks(BOOLS).take_while(fits).map(<[u8]>::len).sum()
}

/// The number of bytes that are tested at a time for values of one byte.
const BOOLS: usize = 64;
