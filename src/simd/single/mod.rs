//! Encodes and decodes one value at a time.
//!
//! The instructions are in inline assembly (`bmi2.rs`, `avx512.rs`), because a function with `#[target_feature]`
//! is not inlined into its caller. The call would take longer than the work.

#[cfg(kernel = "avx512")]
mod avx512;
#[cfg(kernel = "avx2")]
mod bmi2;
#[cfg(kernel = "avx2")]
pub(crate) mod level;
#[cfg(kernel = "vector128")]
pub(crate) mod signed;

use crate::error::{DecodeError, ErrorKind};
use crate::scalar::rule::{CONTINUE, is_overlong};
use crate::scalar::word::{self, CONTINUATIONS, CONTINUES, GROUPS_BY_LEN, LEAST_BY_LEN, LENGTHS};
use crate::width::Width;
use crate::zigzag;

#[cfg(kernel = "avx2")]
use self::level::{Level, has};

/// Returns the encoding of `value` and its length, without a branch. The contents of the array past
/// the length are unspecified.
#[inline(always)]
pub(crate) fn encode<const N: usize>(value: u64) -> ([u8; N], usize) {
    ten_bytes::<N, false>(value)
}

/// Does the same as `encode`, in signed LEB128.
#[inline(always)]
pub(crate) fn encode_signed<const N: usize>(value: i64) -> ([u8; N], usize) {
    ten_bytes::<N, true>(value as u64)
}

/// Returns the first `N` of the ten bytes of the encoding, and its length.
#[inline(always)]
fn ten_bytes<const N: usize, const SIGNED: bool>(value: u64) -> ([u8; N], usize) {
    let (low, len) = first_eight::<SIGNED>(value);
    let mut bytes = [0; N];
    match bytes.first_chunk_mut() {
        Some(first) => *first = low.to_le_bytes(),
        None => bytes.copy_from_slice(&low.to_le_bytes()[..N]),
    }
    if let Some(last @ [_, _]) = bytes.get_mut(8..) {
        last.copy_from_slice(&last_two::<SIGNED>(value, len));
    }
    (bytes, len)
}

/// Writes the encoding of `value` to the start of `dst`, and nothing past its end. Returns its
/// length, or `None` if it does not fit.
#[inline(always)]
pub(crate) fn store(value: u64, dst: &mut [u8]) -> Option<usize> {
    #[cfg(kernel = "avx512")]
    if has(Level::Avx512) {
        // SAFETY: the CPU has the level.
        return unsafe { avx512::store(value, dst) };
    }
    store_groups::<false>(value, dst)
}

/// Does the same as `store`, in signed LEB128.
#[inline(always)]
pub(crate) fn store_signed(value: i64, dst: &mut [u8]) -> Option<usize> {
    store_groups::<true>(value as u64, dst)
}

#[inline(always)]
fn store_groups<const SIGNED: bool>(value: u64, dst: &mut [u8]) -> Option<usize> {
    // Branches are fastest while short lengths repeat, because they are then predicted.
    let more = |group: u32| (value >> (7 * group)) as u8 | 0x80;
    let last = |group: u32| (value >> (7 * group)) as u8 & 0x7f;
    let measure = measure::<SIGNED>(value);
    if measure < 1 << 7 {
        *dst.first_chunk_mut()? = [last(0)];
        Some(1)
    } else if measure < 1 << 14 {
        *dst.first_chunk_mut()? = [more(0), last(1)];
        Some(2)
    } else if measure < 1 << 21 {
        *dst.first_chunk_mut()? = [more(0), more(1), last(2)];
        Some(3)
    } else if measure < 1 << 28 {
        *dst.first_chunk_mut()? = [more(0), more(1), more(2), last(3)];
        Some(4)
    } else {
        store_long::<SIGNED>(value, dst)
    }
}

/// Does the same as `store_groups`, for encodings of five bytes or more.
fn store_long<const SIGNED: bool>(value: u64, dst: &mut [u8]) -> Option<usize> {
    let (low, len) = first_eight::<SIGNED>(value);
    let dst = dst.get_mut(..len)?;
    // Two stores that may overlap cover every length, from that of one store to that of both.
    if len <= 8 {
        *dst.first_chunk_mut()? = (low as u32).to_le_bytes();
        *dst.last_chunk_mut()? = ((low >> (8 * (len - 4))) as u32).to_le_bytes();
    } else {
        let [ninth, tenth] = last_two::<SIGNED>(value, len);
        let last = if len == 9 { [(low >> 56) as u8, ninth] } else { [ninth, tenth] };
        *dst.first_chunk_mut()? = low.to_le_bytes();
        *dst.last_chunk_mut()? = last;
    }
    Some(len)
}

/// Returns a number with as many significant bits as the encoding must hold. In signed LEB128 the
/// sign takes one bit, as it does in zigzag form.
#[inline(always)]
fn measure<const SIGNED: bool>(value: u64) -> u64 {
    if SIGNED { zigzag::i64_to_u64(value as i64) } else { value }
}

/// Returns the first eight bytes of the encoding as a little-endian word, and the length of the
/// whole encoding.
#[inline(always)]
fn first_eight<const SIGNED: bool>(value: u64) -> (u64, usize) {
    let measure = measure::<SIGNED>(value);
    #[cfg(kernel = "avx2")]
    if has(Level::Bmi2) {
        // SAFETY: the CPU has the level.
        let (groups, len) = unsafe { (bmi2::spread(value), bmi2::len(measure)) };
        return (groups | CONTINUATIONS[len], len);
    }
    let len = LENGTHS[(measure | 1).leading_zeros() as usize] as usize;
    (word::spread(value) | CONTINUATIONS[len], len)
}

/// Returns bytes nine and ten of an encoding of that length.
#[inline(always)]
fn last_two<const SIGNED: bool>(value: u64, len: usize) -> [u8; 2] {
    if SIGNED {
        // The tenth byte holds only the sign.
        let more = if len == 10 { 0x80 } else { 0 };
        [(value >> 56) as u8 & 0x7f | more, (value as i64 >> 63) as u8 & 0x7f]
    } else {
        // Bit 63 of the value is the continuation bit of the ninth byte.
        [(value >> 56) as u8, 1]
    }
}

/// Decodes the value at the start of `src`, and returns it with the length of its encoding.
///
/// It is short, so that the compiler inlines it wherever it is called: a loop over single values would
/// take up to five times as long otherwise. Longer values and errors are left to a function.
///
/// There are branches for one and two bytes, which the CPU predicts if lengths repeat. More of them would
/// be faster only if all values had the same three to five bytes: they would take half the time then, and
/// twice the time if such lengths are mixed.
#[inline(always)]
pub(crate) fn load<T: Width>(src: &[u8], canonical: bool) -> Result<(T, usize), DecodeError> {
    // Short types have values of five bytes at most, and small targets save the second function.
    if T::MAX_BYTES <= 5 || cfg!(not(kernel = "vector128")) {
        return T::get_wire(src, canonical);
    }
    if let Some(&first) = src.first() {
        if first < CONTINUE {
            return Ok((T::from_raw(first.into()), 1));
        }
        if let Some(&second) = src.get(1) {
            if second < CONTINUE && !(canonical && is_overlong(second, 1)) {
                return Ok((T::from_raw(T::with_group(T::with_group(T::NO_BITS, first, 0), second, 1)), 2));
            }
        }
    }
    let (value, len) = if canonical { load_longer::<T, true>(src) } else { load_longer::<T, false>(src) };
    if len <= T::MAX_BYTES { Ok((value, len)) } else { Err(error_of(len)) }
}

/// Does the same as `load`, without a branch on lengths up to eight, nor one between nine and ten. It
/// returns the result in two registers: instead of a length, an error is a number for [`error_of`].
#[inline(never)]
fn load_longer<T: Width, const CANONICAL: bool>(src: &[u8]) -> (T, usize) {
    if let Some(bytes @ [head @ .., _, _]) = src.first_chunk::<10>() {
        let head = u64::from_le_bytes(*head);
        let ends = !head & CONTINUES;
        if ends == 0 {
            if let Some((raw, len)) = word::nine_or_ten(bytes) {
                return (T::from_raw(raw.try_into().unwrap_or(T::NO_BITS)), len);
            }
        } else {
            let len = 1 + ends.trailing_zeros() as usize / 8;
            let raw = word::squeeze(head & GROUPS_BY_LEN[len % 16]);
            if !CANONICAL || raw >= LEAST_BY_LEN[len] {
                return (T::from_raw(raw.try_into().unwrap_or(T::NO_BITS)), len);
            }
        }
    }
    T::get_wire(src, CANONICAL).unwrap_or_else(|error| (T::default(), number_of(error)))
}

/// Returns a number for an error, which is greater than any length.
#[inline(always)]
fn number_of(error: DecodeError) -> usize {
    let kind = match error.kind() {
        ErrorKind::Truncated => 1,
        ErrorKind::Overflow => 2,
        ErrorKind::TooLong => 3,
        ErrorKind::NonCanonical => 4,
    };
    kind << 8 | error.offset()
}

/// Returns the error with that number.
#[cold]
#[inline(never)]
fn error_of(number: usize) -> DecodeError {
    let kind = match number >> 8 {
        1 => ErrorKind::Truncated,
        2 => ErrorKind::Overflow,
        3 => ErrorKind::TooLong,
        _ => ErrorKind::NonCanonical,
    };
    DecodeError::new(kind, number & 0xff)
}

/// Joins the groups of 7 bits that `mask` selects. It has whole groups, the lowest first.
#[inline(always)]
pub(super) fn squeeze(bytes: u64, mask: u64) -> u64 {
    #[cfg(kernel = "avx2")]
    {
        // As a cold function it takes no registers from the caller.
        #[cold]
        #[inline(never)]
        fn by_words(groups: u64) -> u64 {
            word::squeeze(groups)
        }

        // SAFETY: the CPU has the level.
        if has(Level::Bmi2) { unsafe { bmi2::squeeze(bytes, mask) } } else { by_words(bytes & mask) }
    }
    #[cfg(not(kernel = "avx2"))]
    word::squeeze(bytes & mask)
}
