//! Reads one value after another from a slice. One mask of 64 bytes gives the ends of all values
//! that end in them.

use crate::error::DecodeError;
use crate::scalar::word;
use crate::simd::end_mask::{OVERHANG, WINDOW, ends_in};
use crate::simd::single::squeeze;
use crate::width::Width;

/// The length of a window near the end of the input.
const NARROW: usize = 16;

/// A position in a slice, and the known ends of the values after it.
///
/// While `ends` is not 0, a set bit `i` says that a value ends before `first_end + i`. The lowest
/// set bit belongs to the value at `position`. For each set bit,
/// `first_end + i + OVERHANG <= src.len()`.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    src: &'a [u8],
    position: usize,
    first_end: usize,
    ends: u64,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(src: &'a [u8]) -> Self {
        Self { src, position: 0, first_end: 0, ends: 0 }
    }

    #[inline]
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    #[inline]
    pub(crate) const fn is_at_end(&self) -> bool {
        self.position == self.src.len()
    }

    #[inline]
    pub(crate) fn remaining(&self) -> &'a [u8] {
        // SAFETY: the position is never past the end of `src`.
        unsafe { self.src.get_unchecked(self.position..) }
    }

    /// Reads the next value. After an error the position is unchanged.
    // Always inlined: out of line, the state would be in memory, which doubles the time.
    #[inline(always)]
    pub(crate) fn read<T: Width>(&mut self, canonical: bool) -> Result<T, DecodeError> {
        if let Some((value, len)) = self.peek::<T>(canonical) {
            self.advance(len);
            return Ok(value);
        }
        // No window fits near the end of the input. Values of one and two bytes are read here.
        let rest = self.remaining();
        if let [byte @ ..=0x7f, ..] = rest {
            self.skip(1);
            return Ok(T::from_raw((*byte).into()));
        }
        if let [low, high @ 1..=0x7f, ..] = rest {
            if let Ok(raw) = (u64::from(low & 0x7f) | u64::from(*high) << 7).try_into() {
                self.skip(2);
                return Ok(T::from_raw(raw));
            }
        }
        match unusual::<T>(rest, canonical) {
            Ok((value, len)) => {
                self.advance(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position)),
        }
    }

    /// Advances past the value at the position, which takes `len` bytes.
    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.position += len;
        self.ends &= self.ends.wrapping_sub(1);
    }

    /// Returns the next value and its length. Returns `None` if no window fits in the rest of the
    /// input, or if the value is invalid, longer than ten bytes, or does not end in the window.
    #[inline(always)]
    fn peek<T: Width>(&mut self, canonical: bool) -> Option<(T, usize)> {
        if self.ends == 0 {
            let rest = self.remaining();
            if rest.len() < NARROW + OVERHANG {
                return None;
            }
            self.first_end = self.position + 1;
            self.ends = ends(rest);
            if self.ends == 0 {
                return None;
            }
        }
        let end = self.first_end + self.ends.trailing_zeros() as usize;
        let len = end - self.position;
        // SAFETY: `ends` is not 0. Therefore `position` is before `end`, and `src` has `OVERHANG`
        // (9) bytes or more from `end` on. The loads end 10 bytes after `position`.
        let (head, tail) = unsafe {
            let first = self.src.as_ptr().add(self.position);
            (first.cast::<u64>().read_unaligned(), first.add(8).cast::<u16>().read_unaligned())
        };
        let value = word::value((u64::from_le(head), u16::from_le(tail)), len, canonical, squeeze)?;
        Some((value, len))
    }

    /// Advances by `bytes` bytes, or to the end of the input, and discards the known ends.
    #[inline]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.position += bytes.min(self.remaining().len());
        self.ends = 0;
    }
}

/// Decodes the first value of `src` in the remaining cases: near the end of the input, more than
/// ten bytes, or not valid.
#[cold]
fn unusual<T: Width>(src: &[u8], canonical: bool) -> Result<(T, usize), DecodeError> {
    T::get_wire(src, canonical)
}

/// Returns the mask of the bytes without continuation bit in a window at the start of `src`, the
/// first byte at bit 0. Returns 0 if `src` is too short for a window.
///
/// It is called once in dozens of values. As a cold function it takes no registers from their loop.
#[cold]
#[inline(never)]
fn ends(src: &[u8]) -> u64 {
    if src.len() >= WINDOW + OVERHANG {
        src.first_chunk::<WINDOW>().map_or(0, ends_in)
    } else if src.len() >= NARROW + OVERHANG {
        src.first_chunk::<NARROW>().map_or(0, ends_in)
    } else {
        0
    }
}
