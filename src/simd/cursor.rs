//! One value after another from a slice: one look at 64 bytes finds the ends of all the values that
//! end in them.

use crate::error::DecodeError;
use crate::scalar::word;
use crate::simd::end_mask::{OVERHANG, WINDOW, ends_in};
use crate::simd::single::squeeze;
use crate::width::Width;

/// Bytes of a window towards the end of the input.
const NARROW: usize = 16;

/// A position in a slice, and the ends of the values behind it as far as they are known.
///
/// While `ends` is not 0: bit `i` says that a value ends before `first_end + i`; the lowest of them
/// is the value at `position`; and `first_end + i + OVERHANG <= src.len()` for each bit.
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
        // SAFETY: the position is not behind the end.
        unsafe { self.src.get_unchecked(self.position..) }
    }

    /// Reads the next value. After an error the position is as before.
    // Always inlined: out of line it would keep its state in memory, at twice the time.
    #[inline(always)]
    pub(crate) fn read<T: Width>(&mut self, canonical: bool) -> Result<T, DecodeError> {
        if let Some((value, len)) = self.peek::<T>(canonical) {
            self.advance(len);
            return Ok(value);
        }
        // Near the end there is no window: short values are read on the spot.
        let rest = self.remaining();
        if let [byte @ ..=0x7f, ..] = rest {
            self.skip(1);
            return Ok(T::from_raw((*byte).into()));
        }
        if let [low, high @ 1..=0x7f, ..] = rest
            && let Ok(raw) = (u64::from(low & 0x7f) | u64::from(*high) << 7).try_into()
        {
            self.skip(2);
            return Ok(T::from_raw(raw));
        }
        match unusual::<T>(rest, canonical) {
            Ok((value, len)) => {
                self.advance(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position)),
        }
    }

    /// Passes over the value at the position, which takes `len` bytes.
    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.position += len;
        self.ends &= self.ends.wrapping_sub(1);
    }

    /// The next value and its length, in the usual case.
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
        // SAFETY: `ends` is not 0, so `position` is before `end`, and as many bytes as overhang lie
        // behind it in `src`.
        let (head, tail) = unsafe {
            let first = self.src.as_ptr().add(self.position);
            (first.cast::<u64>().read_unaligned(), first.add(8).cast::<u16>().read_unaligned())
        };
        let value = word::value((u64::from_le(head), u16::from_le(tail)), len, canonical, squeeze)?;
        Some((value, len))
    }

    /// Passes over `bytes` bytes, up to the end of any value.
    #[inline]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.position += bytes.min(self.remaining().len());
        self.ends = 0;
    }
}

/// The first value of `src` near the end of the input, one of more than ten bytes, and whatever is
/// no value.
#[cold]
fn unusual<T: Width>(src: &[u8], canonical: bool) -> Result<(T, usize), DecodeError> {
    if canonical { T::get_wire::<true>(src) } else { T::get_wire::<false>(src) }
}

/// The bytes without continuation bit among the first of `src`, as many as a window has, the first
/// of them at bit 0. None where `src` is too short for a window.
///
/// Needed once in dozens of values: called cold, it takes no registers from their loop.
#[cold]
#[inline(never)]
fn ends(src: &[u8]) -> u64 {
    if let Some(bytes) = src.first_chunk::<{ WINDOW + OVERHANG }>()
        && let Some(window) = bytes.first_chunk::<WINDOW>()
    {
        ends_in(window)
    } else if let Some(bytes) = src.first_chunk::<{ NARROW + OVERHANG }>()
        && let Some(window) = bytes.first_chunk::<NARROW>()
    {
        ends_in(window)
    } else {
        0
    }
}
