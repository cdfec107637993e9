//! The BMI2 kernel: `pdep` and `pext` move all groups of a value in one instruction, `tzcnt` and
//! `lzcnt` find lengths.
//!
//! It serves CPUs without AVX2, and the AVX2 kernel builds on it. CPUs on which `pdep` and `pext`
//! are microcode (AMD before Zen 3) do not get it: see `detect.rs`.
//!
//! # Decoding (`decode.rs`)
//!
//! A window is 64 bytes that begin with a value; 8 more bytes must be readable, since the last
//! value may start with the last byte. SSE2, which every x86-64 CPU has, makes the mask `ends`
//! (`end_mask.rs`). The loop over values has no branch on a length:
//!
//! ```text
//! while the window has ends:
//!     len   = tzcnt(ends) + 1 - start
//!     value = pext(8 bytes at start, groups of the first len bytes)
//!     value |= ninth byte << 56                       only for 64 bits, zero in shorter values
//!     start += len;  ends &= ends - 1
//! ```
//!
//! The ninth byte of a value is bits 56 to 63 unchanged: its continuation bit stands for bit 63,
//! and the tenth byte, 1 if there is one, says the same. Masks by length come from tables of 16
//! entries. A window of one-byte values is widened instead. A window is decoded only if the
//! destination has space for all values that end in it.
//!
//! # Errors (`window_check.rs`)
//!
//! `is_suspicious` works on masks of 64 bits, for this kernel and for AVX2. Shifting the mask of
//! continuation bits gives the bytes after one, two, four and eight continuation bytes, hence the
//! bytes at which an encoding has its full length. Those must end the value and fit: `last_mask`
//! and `last_bits` say which bits of a last byte must have which value. In canonical decoding a
//! zero byte after a continuation byte is suspicious too, and so is any window whose first end
//! comes too late for a value. The scalar loop then decodes 16 values (`SCALAR_RUN`) and reports
//! the error, if there is one.
//!
//! The scalar loop also decodes the rest of the input when no whole window is left, or no space for
//! the values of one.
//!
//! # Encoding (`encode.rs`)
//!
//! `mixed` encodes each value the same way, whatever its length, as a branch on the length would
//! often be mispredicted:
//!
//! ```text
//! zeros = lzcnt(value)
//! store pdep(value, 0x7f..) | CONTINUES[zeros]     8 bytes
//! store (value >> 56) | 0x100                      bytes 9 and 10, only for 64 bits
//! advance by LEN[zeros]
//! ```
//!
//! It takes the number of values that fit even with the longest encodings (10 or 8 bytes each). It
//! is called again while 24 bytes are left, because the values may have been shorter. The scalar
//! loop encodes the rest.
//!
//! `scan.rs` counts values by the population count of `ends`, skips values by the same count, and
//! sums lengths by the table above.
//!
//! SFVInt (arXiv:2403.06898) uses `pext` likewise, but takes a word with its mask of continuation
//! bits as one of many cases. The sources of the format and of the other methods are cited in
//! `simd/mod.rs`.

mod decode;
mod encode;
mod scan;
mod window_check;

pub(super) use encode::{BY_LEADING_ZEROS, mixed};
pub(super) use scan::{count, encoded_len, skip};
pub(super) use window_check::{any_overlong, is_suspicious, last_bits, last_mask};

use crate::error::DecodeError;
use crate::simd::slices::Untyped;
use crate::simd::slices::slices;
use crate::simd::{detect, scalar};

/// A value proves that the CPU has every instruction in this module: only [`Bmi2::new`] returns one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    /// Returns the kernel, or `None` if the CPU does not support it.
    pub(crate) fn new() -> Option<Self> {
        detect::fast_bmi2().then_some(Self(()))
    }
}

slices!(Bmi2 {
    encode(src, dst) if (dst.len() >= encode::WORTHWHILE) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { encode::encode(src, dst) }
    },
    decode(src, dst, canonical) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { decode::decode(src, dst, canonical) }
    },
    encoded_len(src) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::encoded_len(src) }
    },
    deltas(previous, src, deltas) => scalar::deltas(previous, src, deltas),
    add_up(previous, deltas) => scalar::add_up(previous, deltas),
});

impl Untyped for Bmi2 {
    const NAME: &'static str = "bmi2";

    fn count(&self, src: &[u8]) -> usize {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::count_by_64(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::skip_by_64(src, n) }
    }
}
