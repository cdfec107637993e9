//! The reference implementation: one value at a time, `const`, safe, on any machine.
//!
//! A varint is unsigned LEB128 (DWARF 5, section 7.6; Protocol Buffers, "Base 128 Varints"): groups
//! of 7 bits, the least significant group first, one group per byte. Bit 7 is set on every byte
//! except the last.

use core::marker::PhantomData;

use crate::error::{DecodeError, ErrorKind};
use crate::scalar::rule::{CONTINUE, check_byte};
use crate::scalar::word;
use crate::width::{ONE_BYTE_VALUES, Width};
use crate::zigzag::{to_signed, to_unsigned};

/// The functions of one type or wire type that are `const`, which those of a trait cannot be.
pub(crate) struct Scalar<T>(PhantomData<T>);

macro_rules! unsigned {
    ($($int:ident $max_len:literal $last_max:literal)*) => {$(
        impl Scalar<$int> {
            #[inline(always)]
            const fn write(value: $int, dst: &mut [u8; $max_len]) -> usize {
                let mut rest = value;
                let mut index = 0;
                while index < $max_len - 1 {
                    if rest < CONTINUE as $int {
                        dst[index] = rest as u8;
                        return index + 1;
                    }
                    dst[index] = rest as u8 | CONTINUE;
                    rest >>= 7;
                    index += 1;
                }
                dst[$max_len - 1] = rest as u8;
                $max_len
            }

            /// Returns the encoding, at the start of an array for the longest one, and its length.
            #[inline]
            pub(crate) const fn encode(value: $int) -> ([u8; $max_len], usize) {
                let mut bytes = [0; $max_len];
                let len = Self::write(value, &mut bytes);
                (bytes, len)
            }

            /// Returns the length of the encoding.
            #[inline(always)]
            pub(crate) const fn encoded_len(value: $int) -> usize {
                // `| 1` because zero takes a byte too.
                let top = (value | 1).ilog2() as usize;
                // top / 7 + 1. For `top` below 64, multiplying by 9 / 64 gives the same as dividing
                // by 7.
                if <$int>::BITS <= 64 { (top * 9 + 73) / 64 } else { top / 7 + 1 }
            }

            /// Decodes the value at the start of `src`, and returns it with its length.
            // Always inlined, so that callers with a constant for `canonical` do not test it.
            #[inline(always)]
            pub(crate) const fn decode(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                let mut value: $int = 0;
                let mut index = 0;
                while index < $max_len - 1 {
                    if index == src.len() {
                        return Err(DecodeError::new(ErrorKind::Truncated, index));
                    }
                    if $max_len == 10 && index == 2 {
                        if let Some(src) = src.first_chunk() {
                            if let Some((value, len)) = word::nine_or_ten(src) {
                                return Ok((value as $int, len));
                            }
                        }
                    }
                    let byte = src[index];
                    // Shift before the test of the byte: after it, the compiler would shift by a
                    // variable count.
                    value |= ((byte & !CONTINUE) as $int) << (7 * index);
                    if byte < CONTINUE {
                        if let Err(error) = check_byte::<$int>(byte, index, canonical) {
                            return Err(error);
                        }
                        return Ok((value, index + 1));
                    }
                    index += 1;
                }
                // The last byte is outside of the loop, so that its rule is one comparison.
                if index == src.len() {
                    return Err(DecodeError::new(ErrorKind::Truncated, index));
                }
                let byte = src[index];
                match check_byte::<$int>(byte, index, canonical) {
                    Ok(()) => Ok((value | (byte as $int) << (7 * index), $max_len)),
                    Err(error) => Err(error),
                }
            }
        }

        impl Width for $int {
            type Raw = $int;
            const SIGNED: bool = false;
            const MAX_BYTES: usize = $max_len;
            const LAST_MAX: u8 = $last_max;
            const NO_BITS: $int = 0;

            #[inline]
            fn with_group(raw: $int, byte: u8, index: usize) -> $int {
                raw | ((byte & !CONTINUE) as $int) << (7 * index)
            }

            #[inline]
            fn to_raw(self) -> $int {
                self
            }

            #[inline]
            fn from_raw(raw: $int) -> Self {
                raw
            }

            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                wire as Self
            }

            #[inline]
            fn delta(self, previous: $int) -> $int {
                // The zigzag form of the difference as a signed number.
                let distance = self.wrapping_sub(previous);
                distance << 1 ^ (distance >> (<$int>::BITS - 1)).wrapping_neg()
            }

            #[inline]
            fn plus_delta(self, delta: $int) -> $int {
                self.wrapping_add(delta >> 1 ^ (delta & 1).wrapping_neg())
            }

            #[inline]
            fn wire_len(self) -> usize {
                Scalar::<$int>::encoded_len(self)
            }

            #[inline]
            fn put_wire(self, dst: &mut [u8]) -> Option<usize> {
                // If the longest encoding fits, no byte needs a bounds check of its own.
                if let Some(buffer) = dst.first_chunk_mut() {
                    return Some(Scalar::<$int>::write(self, buffer));
                }
                let len = self.wire_len();
                let (last, groups) = dst.get_mut(..len)?.split_last_mut()?;
                let mut rest = self;
                for byte in groups {
                    *byte = rest as u8 | CONTINUE;
                    rest >>= 7;
                }
                *last = rest as u8;
                Some(len)
            }

            #[cfg_attr(not(proof_steps), inline(always))]
            #[cfg_attr(proof_steps, inline(never))]
            fn put_wire_at(self, dst: &mut [u8], at: usize) -> Option<usize> {
                // Each length has its own way to the end of the loop over values. With a common one,
                // values of one byte take two jumps each, and twice the time.
                if self < CONTINUE as $int {
                    *dst.get_mut(at)? = self as u8;
                    return Some(at + 1);
                }
                let mut rest = self;
                let mut end = at;
                loop {
                    *dst.get_mut(end)? = rest as u8 | CONTINUE;
                    rest >>= 7;
                    end += 1;
                    if rest < CONTINUE as $int {
                        *dst.get_mut(end)? = rest as u8;
                        return Some(end + 1);
                    }
                }
            }

            #[inline(always)]
            fn put_one_byte_each(values: &[Self; ONE_BYTE_VALUES], dst: &mut [u8]) -> bool {
                let any = values.iter().fold(0, |any, value| any | value);
                if any >= CONTINUE as $int {
                    return false;
                }
                for (byte, value) in dst.iter_mut().zip(values) {
                    *byte = *value as u8;
                }
                true
            }

            #[inline(always)]
            fn get_wire(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                Scalar::<$int>::decode(src, canonical)
            }
        }
    )*};
}

// The last byte holds the remaining bits of the width: 8 - 7 = 1 bit, 16 - 14 = 2, 32 - 28 = 4,
// 64 - 63 = 1, 128 - 126 = 2.
unsigned! {
    u8 2 0x01
    u16 3 0x03
    u32 5 0x0f
    u64 10 0x01
    u128 19 0x03
}

#[cfg(target_pointer_width = "64")]
unsigned! { usize 10 0x01 }
#[cfg(target_pointer_width = "32")]
unsigned! { usize 5 0x0f }
#[cfg(target_pointer_width = "16")]
unsigned! { usize 3 0x03 }

macro_rules! signed {
    ($($int:ident $raw:ident)*) => {$(
        impl Scalar<$int> {
            /// Returns the encoding, at the start of an array for the longest one, and its length.
            #[inline]
            pub(crate) const fn encode(value: $int) -> ([u8; <$raw as Width>::MAX_BYTES], usize) {
                Scalar::<$raw>::encode(to_unsigned!(value, $int $raw))
            }

            /// Returns the length of the encoding.
            #[inline(always)]
            pub(crate) const fn encoded_len(value: $int) -> usize {
                Scalar::<$raw>::encoded_len(to_unsigned!(value, $int $raw))
            }

            /// Decodes the value at the start of `src`, and returns it with its length.
            #[inline(always)]
            pub(crate) const fn decode(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                match Scalar::<$raw>::decode(src, canonical) {
                    Ok((raw, len)) => Ok((to_signed!(raw, $int), len)),
                    Err(error) => Err(error),
                }
            }
        }

        impl Width for $int {
            type Raw = $raw;
            const SIGNED: bool = true;
            const MAX_BYTES: usize = <$raw as Width>::MAX_BYTES;
            const LAST_MAX: u8 = <$raw as Width>::LAST_MAX;
            const NO_BITS: $raw = 0;

            #[inline]
            fn with_group(raw: $raw, byte: u8, index: usize) -> $raw {
                <$raw as Width>::with_group(raw, byte, index)
            }

            #[inline]
            fn to_raw(self) -> $raw {
                to_unsigned!(self, $int $raw)
            }

            #[inline]
            fn from_raw(raw: $raw) -> Self {
                to_signed!(raw, $int)
            }

            // The zigzag form of a value is the same in every width that the value fits.
            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                to_signed!(wire, i64) as Self
            }

            #[inline]
            fn delta(self, previous: $int) -> $int {
                // The encoding of a signed value applies the zigzag form.
                self.wrapping_sub(previous)
            }

            #[inline]
            fn plus_delta(self, delta: $int) -> $int {
                self.wrapping_add(delta)
            }

            #[inline]
            fn wire_len(self) -> usize {
                self.to_raw().wire_len()
            }

            #[inline]
            fn put_wire(self, dst: &mut [u8]) -> Option<usize> {
                self.to_raw().put_wire(dst)
            }

            #[inline(always)]
            fn put_wire_at(self, dst: &mut [u8], at: usize) -> Option<usize> {
                self.to_raw().put_wire_at(dst, at)
            }

            #[inline(always)]
            fn put_one_byte_each(values: &[Self; ONE_BYTE_VALUES], dst: &mut [u8]) -> bool {
                <$raw as Width>::put_one_byte_each(&values.map(Self::to_raw), dst)
            }

            #[inline(always)]
            fn get_wire(src: &[u8], canonical: bool) -> Result<($int, usize), DecodeError> {
                Scalar::<$int>::decode(src, canonical)
            }
        }
    )*};
}

signed! { i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize }
