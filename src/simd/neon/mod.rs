//! The NEON kernel, for little-endian AArch64. NEON is part of that target, so that the CPU need not
//! be queried.
//!
//! # Decoding (`decode.rs`, `window.rs`)
//!
//! A window is 64 bytes in four registers; 16 more bytes must be readable. NEON has no instruction
//! for a mask of top bits. Each byte with its continuation bit set is reduced to one bit, at its
//! index among eight bytes. Three levels of pairwise additions collect the bits of eight bytes in
//! one (`window::mask`). Windows follow each other at a fixed stride (54 bytes for 64-bit types, 56
//! for the others), so that no load waits for the lengths in the window before. A window decodes
//! the values that *start* within the stride, all of which end within its 64 bytes. `pending`
//! carries the starts beyond the stride to the next window.
//!
//! For each window one of these is chosen:
//!
//! 1. `uniform::ones`: no continuation bit at all; 64 bytes are widened, and the next window begins
//!    after them.
//! 2. `sparse` with `LONG`: all values have nine or ten bytes. They are loaded two at a time from
//!    their starts.
//! 3. `uniform::decode`: all values have one length from 2 to 8. Their positions are a multiple of
//!    it.
//! 4. `sparse`: up to 20 values, for types of 32 and 64 bits. Two at a time again, cut at their
//!    last bytes.
//! 5. `dense`: eight bytes at a time. As in Masked VByte, a mask selects a shuffle from a table:
//!    here the 8 bits that say where values start. It brings the first four bytes of each value to
//!    a lane of 32 bits. Longer values are written again one by one.
//!
//! Groups of 7 bits are joined by shift-and-insert (`vsli`), each step doubling their width
//! (`groups.rs`). A ninth byte is inserted unchanged as the top byte, since its continuation bit
//! stands for bit 63.
//!
//! # Errors
//!
//! `Window::is_suspicious` looks for values that start in the stride and have as many continuation
//! bytes as their type allows: the next byte must fit the bits that are left, and for 64-bit types
//! it must be 1. In canonical decoding a zero byte after a continuation byte is suspicious too. The
//! scalar loop then decodes 16 values (`SCALAR_RUN`) and reports the error if there is one.
//! Otherwise the windows continue after these values. It also decodes the end of the input and
//! inputs of less than 80 bytes.
//!
//! # Encoding (`encode.rs`)
//!
//! Values are encoded in blocks of 16. The OR of all values gives the class:
//!
//! 1. All below 2^7: narrowed to 16 bytes.
//! 2. All below 2^14 (`pack8`): words of two groups. One weighted sum over the lanes gives both the
//!    key of a shuffle that drops unused bytes and the number of those bytes.
//! 3. A half of the block is below 2^28 (`pack4`): dwords of four groups, packed the same way by
//!    the count of leading zeros.
//! 4. Any others (`put`): one value at a time without a branch on its length, by word arithmetic
//!    and a table.
//!
//! A block is encoded only if the destination has space for what its stores may touch; the scalar
//! loop encodes the rest, and slices of fewer than 16 values.
//!
//! Counting, lengths and deltas are left to the scalar code, which the compiler vectorizes. Masked
//! VByte (arXiv:1503.07387) and the other sources are cited in `simd/mod.rs`.

mod decode;
mod encode;
mod groups;
mod lanes;
mod uniform;
mod window;

use crate::simd::scalar;
use crate::simd::slices::Untyped;
use crate::simd::slices::slices;
use crate::simd::vector128::window::READ;
use encode::BLOCK;

/// The NEON kernel, which every CPU of the target supports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Neon;

// Short slices, in which there is no whole block or window, are left to the scalar loop.
slices!(Neon {
    encode(src, dst) if (src.len() >= BLOCK) => {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { encode::encode(src, dst) }
    },
    decode(src, dst, canonical) if (src.len() >= READ) => {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { decode::decode(src, dst, canonical) }
    },
    encoded_len(src) => scalar::encoded_len(src),
    deltas(previous, src, deltas) => scalar::deltas(previous, src, deltas),
    add_up(previous, deltas) => scalar::add_up(previous, deltas),
});

impl Untyped for Neon {
    const NAME: &'static str = "neon";
}
