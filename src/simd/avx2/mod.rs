//! The AVX2 kernel, with BMI2 for what is done value by value. A CPU that has AVX2 has BMI2 too, but
//! the kernel is not used where `pdep` and `pext` are microcode (AMD before Zen 3): see `detect.rs`.
//!
//! # Decoding (`decode/`)
//!
//! A window is 64 bytes in two registers; two `vpmovmskb` make the mask of continuation bits
//! (`decode/steps/window.rs`). `windows` looks at the mask of the next window and chooses one of three
//! loops:
//!
//! 1. `uniform`: the mask says that all values have one length. There is one loop for each length,
//!    with constant positions. Each turn (64 to 8 values) compares the input with the pattern of
//!    continuation bits of that length, and the loop goes on while they agree.
//! 2. `dense`: windows that each begin with a value, of many values (`is_dense` in `decode/mod.rs`;
//!    always for 16 bits), up to 16 of them. As in Masked VByte, a mask selects a
//!    shuffle: for each 8 bytes of input, the 8 bits that say where values start select a row of a
//!    table of 8 KiB. It spreads the first four bytes of up to eight values to lanes of 32 bits. The
//!    bytes after each last one are cut, two multiply-adds join the groups, and eight slots are
//!    stored. The output advances by the number of values that start there. Values of five bytes and
//!    more are then written again, one by one, by `pext`.
//! 3. `sparse`: few and therefore long values, in a *span* of up to 128 windows. First the ends of all
//!    windows are stored as a bitmap, and those of both halves of the span are counted. So the first
//!    position and the first slot of each half are known, and two *chains* decode the halves at the
//!    same time, each four values (eight of 32 bits) a turn, whatever their lengths. An unaligned load
//!    of the bitmap at a chain's position has the ends of at least 57 bytes, and thus of the turn's
//!    values. Each of these is loaded from where it starts (16 bytes), cut at its last byte, and its
//!    groups are joined. A ninth byte is placed in the top byte unchanged, since its continuation bit
//!    stands for bit 63.
//!
//! ```text
//! full    = bytes | 0x7f..
//! carried = full + 1            in each lane: the carry stops at the value's last byte
//! groups  = bytes & 0x7f.. & !carried
//! ```
//!
//! In `sparse` no branch depends on the data, and no slot of a vector is wasted. It took .86 (log) and
//! 1.0 ns (rand) a value before, when each window was a loop over its values in eights, and takes .66
//! and .71 ns with two chains (Zen 4, `u64`, new values): 10.3 instructions a value in a turn and 1 to
//! 1.6 for the bitmap, at 4.7 a cycle. Trials, in the same run: one chain 1.09 and 1.15, since a turn
//! takes 15 cycles from one position to the next; three .65 and .73, four .65 to .73 and .70 to .78,
//! depending on what the compiler keeps in registers, and both slower in short spans; spans of 16
//! windows .70 and .77. A check of tenth bytes for both chains together saves one instruction of 82,
//! and no time; without any check four chains are not faster.
//!
//! The loops load up to 24 bytes past a window and store up to 16 slots past its values. Near the
//! end of the input or the output, `buffered` copies to the stack, pads with longest encodings, and
//! drops what the padding decoded to. Calls with less than 64 bytes or space for fewer than 64
//! values, and short inputs of few long values, are left to the scalar loop.
//!
//! # Errors
//!
//! In `dense`, `Window::is_suspicious` shifts the mask of continuation bits, which gives the bytes
//! after one, two, four and eight continuation bytes, hence the bytes at which an encoding has its
//! full length. Those must end the value and fit: `last_mask` and `last_bits` say which bits of a last
//! byte must have which value. In canonical decoding a zero byte after a continuation byte is
//! suspicious too. `uniform` compares the last bytes of the longest encodings with the bits allowed
//! there, and in canonical decoding looks for last bytes of zero. `sparse` collects the bits that must
//! not be set in a fifth byte of 32 bits, or in a tenth byte of 64 bits, for all values of the span. If
//! there are any, `dense` decodes the windows before that value. Where a loop stops without any
//! progress, the scalar loop decodes 16 values, and twice as many each time that the next window is
//! suspicious again, up to 4096.
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
pub(super) use {
    decode::{dense_from, uniform_from},
    loops::deltas,
};

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
    decode(self, src, dst, canonical) if decode::worthwhile(src.len(), dst.len()) => decode::decode(src, dst, canonical),
});
