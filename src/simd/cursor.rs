//! Reads one value after another from a slice. One mask of 64 bytes gives the ends of all values
//! that end in them.
//!
//! With masks, the time does not depend on the lengths of the values. If all values have one or all
//! have two bytes, branches on the length are faster, because they are predicted. Values in such a
//! *uniform* window are read by branches.

use crate::error::DecodeError;
use crate::scalar::rule::CONTINUE;
use crate::scalar::word;
use crate::simd::arrays::as_chunks;
use crate::simd::end_mask::{OVERHANG, UNIFORM, WINDOW, ends_in};
use crate::simd::single::squeeze;
use crate::width::Width;

/// The length of a window near the end of the input.
const NARROW: usize = 16;

/// The most uniform windows that are found at once.
const MOST_UNIFORM: usize = 8;

/// A position in a slice, and what is known about the values after it.
///
/// There are two states:
///
/// * `window <= position`: a set bit `i` of `ends` says that a value ends before `window + i`. The
///   lowest set bit belongs to the value at `position`. For each set bit, `window + i + OVERHANG` is
///   at most `src.len()`. If `ends` is 0, nothing is known.
/// * `position < window <= src.len()`: the values before `window` are better read by branches, and
///   `ends` is 0. They are in uniform windows or near the end of the input.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    src: &'a [u8],
    position: usize,
    window: usize,
    ends: u64,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(src: &'a [u8]) -> Self {
        Self { src, position: 0, window: 0, ends: 0 }
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
        if let Some(value) = self.read_short() {
            return Ok(value);
        }
        if self.ends == 0 {
            self.look_ahead();
        }
        if let Some((value, len)) = self.peek::<T>(canonical) {
            self.advance(len);
            return Ok(value);
        }
        let rest = self.remaining();
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

    /// Finds the ends of the values after the position, or the window in which to use branches.
    #[inline(always)]
    fn look_ahead(&mut self) {
        let (branches, ends) = look_ahead(self.remaining());
        self.window = self.position + branches;
        self.ends = ends;
    }

    /// Reads the next value by branches on its length. Returns `None` if fewer than two bytes are
    /// before `window`, or if the value has more than two bytes, is overlong, or is invalid.
    #[inline(always)]
    fn read_short<T: Width>(&mut self) -> Option<T> {
        if self.position + 1 >= self.window {
            return None;
        }
        // SAFETY: two bytes are before `window`, which is never past the end of `src`.
        let pair = unsafe { self.src.as_ptr().add(self.position).cast::<u16>().read_unaligned() };
        let pair = u16::from_le(pair);
        let low = pair as u8;
        if low < CONTINUE {
            self.position += 1;
            return Some(T::from_raw(low.into()));
        }
        if !(0x0100..0x8000).contains(&pair) {
            return None;
        }
        let raw = u64::from(pair & 0x7f | pair >> 1 & 0x3f80);
        let value = T::from_raw(raw.try_into().ok()?);
        self.position += 2;
        Some(value)
    }

    /// Returns the next value and its length. Returns `None` if no end is known, or if the value is
    /// invalid.
    #[inline(always)]
    fn peek<T: Width>(&self, canonical: bool) -> Option<(T, usize)> {
        if self.ends == 0 {
            return None;
        }
        let end = self.window + self.ends.trailing_zeros() as usize;
        let len = end - self.position;
        // SAFETY: `ends` is not 0. Therefore `position` is before `end`, and `src` has `OVERHANG`
        // (9) bytes or more from `end` on. The loads end 10 bytes after `position`.
        let (head, tail) = unsafe {
            let first = self.src.as_ptr().add(self.position);
            (first.cast::<u64>().read_unaligned(), first.add(8).cast::<u16>().read_unaligned())
        };
        let bytes = (u64::from_le(head), u16::from_le(tail));
        word::value(bytes, len, canonical, squeeze).map(|value| (value, len))
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

/// Returns the number of bytes at the start of `src` whose values are better read by branches. If it
/// is 0, also returns the mask of their ends: bit `i` is set if a value ends before offset `i`.
///
/// It is called once in dozens of values. As a cold function it takes no registers from their loop.
#[cold]
#[inline(never)]
fn look_ahead(src: &[u8]) -> (usize, u64) {
    let ends = if src.len() >= WINDOW + OVERHANG {
        src.first_chunk::<WINDOW>().map_or(0, ends_in)
    } else if src.len() >= NARROW + OVERHANG {
        src.first_chunk::<NARROW>().map_or(0, ends_in)
    } else {
        return (src.len(), 0);
    };
    if ends == UNIFORM[1] || ends == UNIFORM[2] {
        // A branch to this function is seldom predicted, so equal windows after this one count too.
        let (windows, _) = as_chunks::<_, WINDOW>(src);
        let equal = windows.iter().take(MOST_UNIFORM).take_while(|window| ends_in(window) == ends);
        return (WINDOW * equal.count(), 0);
    }
    // Bit `i` is for the byte before offset `i`. The last byte of the window has none.
    (0, ends << 1)
}
