//! The AVX2 kernel, with BMI2 for what is done value by value. A CPU that has AVX2 has BMI2 too, but
//! the kernel is not used where `pdep` and `pext` are microcode (AMD before Zen 3): see `detect.rs`.
//!
//! # Decoding (`decode/`)
//!
//! A window is 64 bytes in two registers; two `vpmovmskb` make the mask of continuation bits
//! (`decode/steps/window.rs`). `windows` looks at the mask of the next window and chooses one of three
//! loops, each of which goes on while it is the right one, the last two for 16 windows at most:
//!
//! 1. `uniform`: the mask says that all values have one length. There is one loop for each length,
//!    with constant positions. Each turn (64 to 8 values) compares the input with the pattern of
//!    continuation bits of that length.
//! 2. `dense`: windows that each begin with a value, of many values (more than 18 of 64 bits, more
//!    than 24 of 32 bits; always for 16 bits). As in Masked VByte, a mask selects a shuffle: for
//!    each 8 bytes of input, the 8 bits that say where values start select a row of a table of 8
//!    KiB. It spreads the first four bytes of up to eight values to lanes of 32 bits. The bytes
//!    after each last one are cut, two multiply-adds join the groups, and eight slots are stored.
//!    The output advances by the number of values that start there. Values of five bytes and more
//!    are then written again, one by one, by `pext`.
//! 3. `sparse`: few and therefore long values. Each is loaded from where it starts (16 bytes), cut
//!    at its last byte, and its groups are joined. A ninth byte is placed in the top byte
//!    unchanged, since its continuation bit stands for bit 63. Windows follow each other at a fixed
//!    stride of 64 bytes. The leading zeros of a window's mask of ends give the start of the first
//!    value of the next window, so that no load waits for positions.
//!
//! ```text
//! last  = !bytes & 0x80..       bit 7 of each byte that ends a value
//! below = last - 1              in each lane: all bits below the first of them
//! groups = bytes & 0x7f.. & below
//! ```
//!
//! The loops load up to 17 bytes past a window and store up to 16 slots past its values. Near the
//! end of the input or the output, `buffered` copies to the stack, pads with longest encodings, and
//! drops what the padding decoded to. Calls with less than 64 bytes or space for fewer than 64
//! values, and short inputs of few long values, are left to the scalar loop.
//!
//! # Errors
//!
//! `Window::is_suspicious` computes with masks of 64 bits (`decode/steps/window_check.rs`). Shifting the
//! mask of continuation bits gives the bytes after one, two, four and eight continuation bytes, hence
//! the bytes at which an encoding has its full length. Those must end the value and fit: `last_mask`
//! and `last_bits` say which bits of a last byte must have which value. In canonical decoding a zero
//! byte after a continuation byte is suspicious too. `uniform` compares the last bytes of the longest encodings with the bits allowed there, and in
//! canonical decoding looks for last bytes of zero. Where a loop stops without any progress, the
//! scalar loop decodes 16 values, and twice as many each time that the next window is suspicious
//! again, up to 4096.
//!
//! # Encoding (`encode/`)
//!
//! Blocks of 16 values are in one, two or four registers (`block.rs`), signed ones in zigzag form.
//! The OR of all values gives the class:
//!
//! 1. All below 2^7: packed to 16 bytes.
//! 2. All below 2^14: 16-bit words of two groups each. A mask of the words that need two bytes
//!    selects a shuffle (256 rows of 16 bytes) that drops the other high bytes.
//! 3. All below 2^28: dwords of four groups each. `pext` makes a key of two bits a value, which
//!    selects a shuffle likewise.
//! 4. Longer values of one length (`encode/uniform.rs`): qwords of eight groups each, with constant
//!    continuation bits, at a constant distance.
//! 5. Any others (`encode/mixed.rs`), in runs of 64 values at first and up to 4096 if the data stays
//!    mixed: without a branch on a length, four values of 64 bits at a time. Signed values are
//!    converted first. Unsigned ones of 32 bits are encoded one by one by `pdep` (`encode/pdep.rs`), which
//!    is as fast for them.
//!
//! The last values are encoded to a buffer on the stack if the destination has no space for the
//! longest encodings. Slices of fewer than 5 values are left to the scalar loop.
//!
//! Masked VByte (arXiv:1503.07387), SFVInt and Stream VByte are cited in `simd/mod.rs`.

mod block;
mod decode;
mod encode;
mod loops;
mod tables;

#[cfg(kernel = "avx512")]
pub(super) use loops::deltas;

use crate::simd::slices::slices;
use crate::simd::{detect, scalar};

/// A value proves that the CPU has every instruction in this module: only [`Avx2::new`] returns one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns the kernel, or `None` if the CPU does not support it.
    pub(crate) fn new() -> Option<Self> {
        detect::avx2().then_some(Self(()))
    }
}

slices!(Avx2 "avx2" loops {
    encode(src, dst) if src.len() >= encode::WORTHWHILE => encode::encode(src, dst),
    decode(src, dst, canonical) if decode::worthwhile(src.len(), dst.len()) => decode::decode(src, dst, canonical),
});
