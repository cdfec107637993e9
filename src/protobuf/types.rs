//! The wire types of the fields.

use core::mem::MaybeUninit;

use crate::bulk;
use crate::error::{BulkError, DecodeError, ErrorKind, Progress, continued};
use crate::kernel::Kernel;
use crate::simd::arrays::ByteArray;
use crate::simd::cursor::Cursor;
use crate::simd::destination;
use crate::simd::lane::{i32_as_u32, i64_as_u64, i64_as_u64_mut};
use crate::varint_trait::Varint;
use crate::wire::{Wire, push_bytes, read_by_load};
use crate::zigzag;

/// A field whose number on the wire is a `u64`.
trait Field: Wire {
    /// The number of bits of the numbers that `to_number` returns, without the copies of the sign.
    const BITS: u32;

    /// Returns the number on the wire.
    fn to_number(value: Self::Value) -> u64;

    /// Returns the value of any number on the wire, by the rules of Protocol Buffers.
    fn from_number(number: u64) -> Self::Value;
}

macro_rules! field {
    (
        $(#[$attribute:meta])* $Field:ident $Value:ident: $bits:literal bits,
        |$value:ident| $to:expr, |$number:ident| $from:expr,
        store_all |$store_kernel:ident, $values:ident, $bytes:ident| $store_all:expr,
        len_of_all |$len_kernel:ident, $len_values:ident| $len_of_all:expr,
        load_all |$load_kernel:ident, $src:ident, $dst:ident, $canonical:ident| $load_all:expr,
        $(append |$append_values:ident, $append_dst:ident| $append:expr,)?
        $(load_append |$append_src:ident, $values_dst:ident, $append_canonical:ident| $load_append:expr,)?
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Field(pub $Value);

        impl Varint for $Field {}

        impl Field for $Field {
            const BITS: u32 = $bits;

            #[inline(always)]
            fn to_number($value: $Value) -> u64 {
                $to
            }

            #[inline(always)]
            fn from_number($number: u64) -> $Value {
                $from
            }
        }

        impl Wire for $Field {
            type Value = $Value;
            type Buffer = <u64 as Wire>::Buffer;
            const ENCODED_MAX: usize = <u64 as Wire>::ENCODED_MAX;
            const IN_BLOCKS: bool = false;
            type Partial = Self::Buffer;
            const EMPTY: Self::Buffer = ByteArray::ZEROS;

            #[inline]
            fn push(
                bytes: &mut Self::Buffer,
                index: usize,
                byte: u8,
                canonical: bool,
            ) -> Result<Option<$Value>, DecodeError> {
                push_bytes::<Self>(bytes, index, byte, canonical)
            }

            #[inline(always)]
            fn wrap(value: $Value) -> Self {
                Self(value)
            }

            #[inline(always)]
            fn unwrap(self) -> $Value {
                self.0
            }

            #[inline(always)]
            fn len_on_wire(self) -> usize {
                Self::to_number(self.0).len_on_wire()
            }

            #[inline(always)]
            fn to_array(self) -> (Self::Buffer, usize) {
                Self::to_number(self.0).to_array()
            }

            #[inline(always)]
            fn store(self, dst: &mut [u8]) -> Option<usize> {
                Self::to_number(self.0).store(dst)
            }

            #[inline(always)]
            fn load(src: &[u8], canonical: bool) -> Result<($Value, usize), DecodeError> {
                load::<Self>(src, canonical)
            }

            #[inline(always)]
            fn read(cursor: &mut Cursor<'_>, canonical: bool) -> Result<$Value, DecodeError> {
                if canonical {
                    return read_by_load::<Self>(cursor, true);
                }
                u64::read(cursor, false).map(Self::from_number)
            }

            #[inline(always)]
            fn store_all($store_kernel: Option<Kernel>, $values: &[$Value], $bytes: &mut [u8]) -> Option<usize> {
                $store_all
            }

            $(
                #[cfg(feature = "alloc")]
                fn append($append_values: &[$Value], $append_dst: &mut alloc::vec::Vec<u8>) -> usize {
                    $append
                }
            )?

            $(
                #[cfg(feature = "alloc")]
                #[inline(always)]
                fn load_append(
                    $append_src: &[u8],
                    $values_dst: &mut alloc::vec::Vec<$Value>,
                    $append_canonical: bool,
                ) -> Result<usize, BulkError> {
                    $load_append
                }
            )?

            #[inline(always)]
            fn len_of_all($len_kernel: Option<Kernel>, $len_values: &[$Value]) -> usize {
                $len_of_all
            }

            #[inline(always)]
            fn load_all(
                $load_kernel: Option<Kernel>,
                $src: &[u8],
                $dst: &mut [MaybeUninit<$Value>],
                $canonical: bool,
            ) -> Result<Progress, BulkError> {
                $load_all
            }
        }
    };
}

field! {
    /// An `int32` or `enum` field. Negative numbers take ten bytes; of a number with more than 32
    /// bits, the low 32 are kept.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint, protobuf::Int32};
    ///
    /// assert_eq!(Int32(-2).encode(), [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
    /// assert_eq!(Int32::decode(&[0xfe, 0xff, 0xff, 0xff, 0x0f]), Ok((-2, 5)));
    /// assert!(Canonical::<Int32>::decode(&[0xfe, 0xff, 0xff, 0xff, 0x0f]).is_err());
    /// ```
    Int32 i32: 31 bits, |value| value as i64 as u64, |number| number as i32,
    store_all |kernel, values, bytes| in_blocks(values, |block, done| match any_negative(block) {
        true => with_numbers(block, |numbers| u64::store_all(kernel, numbers, bytes.get_mut(done..)?)),
        false => u32::store_all(kernel, i32_as_u32(block), bytes.get_mut(done..)?),
    }),
    len_of_all |kernel, values| in_blocks(values, |block, _| Some(match any_negative(block) {
        true => with_numbers(block, |numbers| u64::len_of_all(kernel, numbers)),
        false => u32::len_of_all(kernel, i32_as_u32(block)),
    })).unwrap_or_default(),
    load_all |kernel, src, dst, canonical| load_numbers::<Self>(kernel, src, dst, canonical),
    append |values, dst| {
        let append_block = |block| match any_negative(block) {
            true => with_numbers(block, |numbers| u64::append(numbers, dst)),
            false => u32::append(i32_as_u32(block), dst),
        };
        values.chunks(BLOCK).map(append_block).sum()
    },
    load_append |src, dst, canonical| append_numbers::<Self>(src, dst, canonical),
}

field! {
    /// An `int64` field. Negative numbers take ten bytes.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Int64};
    ///
    /// assert_eq!(Int64(-2).encoded_len(), 10);
    /// assert_eq!(Int64::decode(&[0xac, 0x02]), Ok((300, 2)));
    /// ```
    Int64 i64: 63 bits, |value| value as u64, |number| number as i64,
    store_all |kernel, values, bytes| u64::store_all(kernel, i64_as_u64(values), bytes),
    len_of_all |kernel, values| u64::len_of_all(kernel, i64_as_u64(values)),
    load_all |kernel, src, dst, canonical| u64::load_all(kernel, src, i64_as_u64_mut(dst), canonical),
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
    Uint32 u32: 32 bits, |value| value as u64, |number| number as u32,
    store_all |kernel, values, bytes| u32::store_all(kernel, values, bytes),
    len_of_all |kernel, values| u32::len_of_all(kernel, values),
    load_all |kernel, src, dst, canonical| match canonical {
        true => u32::load_all(kernel, src, dst, true).map_err(exact::<Self>(src)),
        false => load_numbers::<Self>(kernel, src, dst, false),
    },
    load_append |src, dst, canonical| match canonical {
        true => u32::load_append(src, dst, true).map_err(exact::<Self>(src)),
        false => append_numbers::<Self>(src, dst, false),
    },
}

field! {
    /// A `uint64` field.
    ///
    /// ```
    /// use zigzag_varint::{Varint, protobuf::Uint64};
    ///
    /// assert_eq!(Uint64(300).encode(), [0xac, 0x02]);
    /// ```
    Uint64 u64: 63 bits, |value| value, |number| number,
    store_all |kernel, values, bytes| u64::store_all(kernel, values, bytes),
    len_of_all |kernel, values| u64::len_of_all(kernel, values),
    load_all |kernel, src, dst, canonical| u64::load_all(kernel, src, dst, canonical),
}

field! {
    /// A `sint32` field: zigzag. Of a number with more than 32 bits, the low 32 are kept.
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Sint32};
    ///
    /// assert_eq!(Reader::new(&[0x03]).read::<Sint32>(), Ok(-2));
    /// ```
    Sint32 i32: 32 bits, |value| zigzag::i32_to_u32(value) as u64, |number| zigzag::u32_to_i32(number as u32),
    store_all |kernel, values, bytes| i32::store_all(kernel, values, bytes),
    len_of_all |kernel, values| i32::len_of_all(kernel, values),
    load_all |kernel, src, dst, canonical| match canonical {
        true => i32::load_all(kernel, src, dst, true).map_err(exact::<Self>(src)),
        false => load_numbers::<Self>(kernel, src, dst, false),
    },
    load_append |src, dst, canonical| match canonical {
        true => i32::load_append(src, dst, true).map_err(exact::<Self>(src)),
        false => append_numbers::<Self>(src, dst, false),
    },
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
    Sint64 i64: 63 bits, |value| zigzag::i64_to_u64(value), |number| zigzag::u64_to_i64(number),
    store_all |kernel, values, bytes| i64::store_all(kernel, values, bytes),
    len_of_all |kernel, values| i64::len_of_all(kernel, values),
    load_all |kernel, src, dst, canonical| i64::load_all(kernel, src, dst, canonical),
}

field! {
    /// A `bool` field: every number but zero is true.
    ///
    /// ```
    /// use zigzag_varint::{Canonical, Varint, protobuf::Bool};
    ///
    /// assert_eq!(Bool(true).encode(), [0x01]);
    /// assert_eq!(Bool::decode(&[0x02]), Ok((true, 1)));
    /// assert!(Canonical::<Bool>::decode(&[0x02]).is_err());
    /// ```
    Bool bool: 1 bits, |value| value as u64, |number| number != 0,
    store_all |_kernel, values, bytes| {
        for (byte, value) in bytes.get_mut(..values.len())?.iter_mut().zip(values) {
            *byte = u8::from(*value);
        }
        Some(values.len())
    },
    len_of_all |_kernel, values| values.len(),
    load_all |kernel, src, dst, canonical| {
        let short = load_short_bools(src, dst, if canonical { 1 } else { 0x7f });
        let rest = load_numbers::<Self>(kernel, &src[short..], &mut dst[short..], canonical);
        continued(Progress { values: short, bytes: short }, rest)
    },
    append |values, dst| {
        dst.extend(values.iter().map(|value| u8::from(*value)));
        values.len()
    },
    load_append |src, dst, canonical| {
        let short = short_bools(src, if canonical { 1 } else { 0x7f });
        dst.extend(src[..short].iter().map(|byte| *byte != 0));
        if short == src.len() {
            return Ok(short);
        }
        let done = Progress { values: short, bytes: short };
        let values = append_numbers::<Self>(&src[short..], dst, canonical);
        match values {
            Ok(values) => Ok(short + values),
            Err(failed) => continued(done, Err(failed)).map(|progress| progress.values),
        }
    },
}

/// An `enum` field. Its values are those of an `int32`; which of them are known is for the program
/// to decide.
pub type Enum = Int32;

#[inline(always)]
fn load<F: Field>(src: &[u8], canonical: bool) -> Result<(F::Value, usize), DecodeError> {
    let (number, len) = u64::load(src, canonical)?;
    let value = F::from_number(number);
    if canonical {
        let kept = F::to_number(value);
        if number != kept {
            return Err(DecodeError::new(ErrorKind::Overflow, overflow_offset(number, kept, F::BITS, len)));
        }
    }
    Ok((value, len))
}

/// Returns the offset of the first byte that no encoding of the field has. `kept` is the number
/// that the value of `number` is written as, with the low `bits` bits of it.
fn overflow_offset(number: u64, kept: u64, bits: u32, len: usize) -> usize {
    // A negative number fits as far as its high bits repeat the sign.
    let signs = if kept >> 63 == 1 { (number >> bits).trailing_ones() } else { 0 };
    ((bits + signs) as usize / 7).min(len - 1)
}

/// Decodes blocks of numbers, and converts them.
#[inline(always)]
fn load_numbers<F: Field>(
    kernel: Option<Kernel>,
    src: &[u8],
    dst: &mut [MaybeUninit<F::Value>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let mut slots = dst.iter_mut();
    in_number_blocks::<F>(kernel, src, slots.len(), canonical, |numbers| {
        for (number, slot) in numbers.iter().zip(&mut slots) {
            slot.write(F::from_number(*number));
        }
    })
}

/// Decodes blocks of numbers, and appends their values.
#[cfg(feature = "alloc")]
#[inline(always)]
fn append_numbers<F: Field>(
    src: &[u8],
    dst: &mut alloc::vec::Vec<F::Value>,
    canonical: bool,
) -> Result<usize, BulkError> {
    let append = |numbers: &[u64]| dst.extend(numbers.iter().map(|number| F::from_number(*number)));
    if !canonical && src.len() <= destination::BLOCK {
        // One block has them all.
        let decode = |slots: &mut [_]| u64::load_all(None, src, slots, false);
        return destination::decode_block(decode, append).map(|progress| progress.values);
    }
    let kernel = Kernel::detect();
    dst.reserve(kernel.count(src));
    let append = |numbers: &[u64]| dst.extend(numbers.iter().map(|number| F::from_number(*number)));
    let decoded = in_number_blocks::<F>(Some(kernel), src, usize::MAX, canonical, append);
    decoded.map(|progress| progress.values)
}

/// Decodes at most `max` numbers in blocks, which it passes to `take`: those before the first
/// error.
#[inline(always)]
fn in_number_blocks<F: Field>(
    kernel: Option<Kernel>,
    src: &[u8],
    max: usize,
    canonical: bool,
    mut take: impl FnMut(&[u64]),
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    let misfit = |number: &u64| canonical && F::to_number(F::from_number(*number)) != *number;
    while done.values < max && done.bytes < src.len() {
        let rest = &src[done.bytes..];
        let room = max - done.values;
        let mut values = 0;
        let decoded = destination::decode_block(
            |numbers| {
                let len = room.min(numbers.len());
                u64::load_all(kernel, rest, &mut numbers[..len], canonical)
            },
            |numbers| {
                values = if canonical {
                    numbers.iter().position(misfit).unwrap_or(numbers.len())
                } else {
                    numbers.len()
                };
                take(&numbers[..values]);
            },
        );
        if values < decoded.unwrap_or_else(|failed| failed.progress).values {
            let bytes = bulk::skip(rest, values).unwrap_or_default();
            let progress = done.then(Progress { values, bytes });
            return Err(exact::<F>(src)(BulkError {
                progress,
                error: DecodeError::new(ErrorKind::Overflow, 0),
            }));
        }
        done = continued(done, decoded)?;
    }
    Ok(done)
}

/// Replaces an error by that of the field's own decoder, at the same value.
fn exact<F: Field>(src: &[u8]) -> impl Fn(BulkError) -> BulkError {
    |BulkError { progress, error }| {
        let load = F::load(&src[progress.bytes..], true);
        BulkError { progress, error: load.map_or_else(|error| error.shifted(progress.bytes), |_| error) }
    }
}

/// The number of values that are converted and encoded at a time, on the stack.
pub(super) const BLOCK: usize = 256;
/// The same for short fields, for which filling a longer block with zeros would take most of the
/// time.
const SHORT_BLOCK: usize = 32;
/// The number of bytes that are tested at a time for values of one byte.
const BOOLS: usize = 64;

/// Adds up the numbers of bytes of all blocks. `bytes_of` gets a block and the number of bytes
/// before it.
fn in_blocks(values: &[i32], mut bytes_of: impl FnMut(&[i32], usize) -> Option<usize>) -> Option<usize> {
    values.chunks(BLOCK).try_fold(0, |done, block| Some(done + bytes_of(block, done)?))
}

pub(super) fn any_negative(values: &[i32]) -> bool {
    values.iter().fold(0, |any, value| any | value) < 0
}

/// Passes the numbers on the wire to `take`.
pub(super) fn with_numbers<R>(values: &[i32], take: impl FnOnce(&[u64]) -> R) -> R {
    fn in_array<const N: usize, R>(values: &[i32], take: impl FnOnce(&[u64]) -> R) -> R {
        let mut numbers = [0; N];
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = Int32::to_number(*value);
        }
        take(&numbers[..values.len()])
    }
    if values.len() <= SHORT_BLOCK {
        in_array::<SHORT_BLOCK, R>(values, take)
    } else {
        in_array::<BLOCK, R>(values, take)
    }
}

/// Decodes blocks of values of one byte each, none above `greatest`. Returns their number.
fn load_short_bools(src: &[u8], dst: &mut [MaybeUninit<bool>], greatest: u8) -> usize {
    let len = short_bools(&src[..src.len().min(dst.len())], greatest);
    for (slot, byte) in dst.iter_mut().zip(&src[..len]) {
        slot.write(*byte != 0);
    }
    len
}

/// Returns the length of the blocks at the start of `src` without a byte above `greatest`.
fn short_bools(src: &[u8], greatest: u8) -> usize {
    // All of them together have no bit that `greatest` lacks.
    let fits = |bytes: &&[u8]| bytes.iter().fold(0, |any, byte| any | byte) <= greatest;
    src.chunks(BOOLS).take_while(fits).map(<[u8]>::len).sum()
}
