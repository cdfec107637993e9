//! The AVX-512 kernel, for CPUs from Ice Lake and Zen 4 on: 64 bytes at a time, whatever lengths
//! the values in them have.
//!
//! # Decoding a window (`decode/window.rs`, `decode/gather.rs`)
//!
//! `vpmovb2m` makes the mask of continuation bits; `ends` and `starts` follow from it. Instead of a
//! table of shuffles, as Masked VByte has it, the positions of all values are computed:
//!
//! ```text
//! positions = vpcompressb(starts, [0, 1, .. 63])       byte i: where value i starts
//! for each vector of results, 8, 16 or 32 lanes of one value each:
//!     bytes = vpermb(positions[lane] + [0, 1, ..])     each lane: the bytes from its start on
//!     full  = bytes | 0x7f..
//!     cut   = bytes & (full ^ (full + 1))              the carry stops at the value's last byte
//!     value = groups of 7 bits, moved together         vpmultishiftqb, or multiply-adds
//! ```
//!
//! A value may have one byte more than its lane: the ninth for 64 bits, the fifth for 32, the third
//! for 16. Its bits are fetched for all values at once and put into the top byte of the lane
//! (`Places::tops`). The ninth byte of a 64-bit value goes there unchanged, because its
//! continuation bit stands for bit 63, the only bit of a tenth byte.
//!
//! # Errors
//!
//! `Window::doubts` finds runs of continuation bits by doubling. A byte after as many continuation
//! bytes as a type can have must not exceed the bits that are left; for 64 bits it must be exactly
//! 1, so that an eleventh byte and the overlong tenth byte 0 are doubts too. Canonical decoding
//! also looks for zero bytes that follow a continuation byte (`Window::overlong`). In doubt the
//! scalar loop decodes up to 32 values (`SCALAR_RUN`).
//!
//! # The loops of the decoder, and when each is chosen (`decode/mod.rs`)
//!
//! 1. `front` starts every round: one window by masked load, and masked stores at the end of the
//!    destination, so that it serves the ends of the slices too.
//! 2. `uniform`: all values of that window had one length, and two windows of input are left.
//!    Positions are constants of the length, and a comparison with the expected continuation bits
//!    replaces the search, for four vectors at a time.
//! 3. `fixed_stride`: at least 256 bytes and space for 32 values are left. The windows overlap by
//!    the longest encoding less one byte (9 bytes for 64 bits), and each decodes the values that
//!    end in its new bytes. Load addresses then do not depend on what was found, and the masks of
//!    the next window are computed while this one's values are made. Its inner loop has two
//!    versions: with values longer than their lane, and without. After each 16 windows it looks
//!    whether another loop suits the values, less often if they only seemed to have one length.
//! 4. `listed`: a window has at most `FEW_VALUES` values, of which one is longer than its lane, so that
//!    the lanes of a window's last vector would often be empty. Up to 128 windows first get a list of
//!    where their values start. Each vector then takes as many values from it as it has lanes, and
//!    each half of it from its own 64 bytes, by `vpermi2b`. The tenth or fifth bytes are fetched
//!    and checked there, for two vectors at a time.
//! 5. `dense_from` of AVX2: a window has 52 values or more (`DENSE`), none of more than four bytes. Its
//!    table of shuffles makes eight dwords of eight bytes in fewer steps than a vector of 16 lanes, or of
//!    eight zigzag-coded ones, takes here. With longer values among them, it would mispredict a branch
//!    for their number. Zen 4 executes each operation on 64 bytes as two. That loop is faster there for
//!    all values of 64 bits from 30 in a window on, and `uniform_from` of AVX2 for those of 2 and 4 bytes.
//! 6. The scalar loop, after a doubt, for what remains, and for calls with fewer than 10 bytes or
//!    space for fewer than 5 values.
//!
//! What did not pay for 64-bit values of all lengths, where `listed` takes 1.9 (`log`) and 2.1 cycles
//! (`rand`) a value on a Zen 4, and `fixed_stride` 2.2 and 2.9: entries of 16 bits (one more shuffle
//! and a store of 64 bytes a window, 11 cycles instead of 3), a load of 16 bytes for each value
//! (2.3 and 3.0), and a check after each vector instead of two (2.0 and 2.3). For values of up to
//! eight bytes `fixed_stride` is faster, because it fetches no ninth byte.
//!
//! # Encoding (`encode/`)
//!
//! `Groups::encode` takes lanes below 2^56 (or 2^28 in lanes of 4 bytes): `vpmultishiftqb` spreads
//! the groups, `lzcnt`, a funnel shift and a `vpternlog` set the continuation bits, a comparison
//! marks the bytes to keep, and `vpcompressb` closes the gaps. The result is stored whole, and the
//! output advances by the number of kept bytes. Longer values get their ninth and tenth byte in a
//! second vector.
//!
//! From 192 values on, blocks of 32 are encoded by the first of these that fits: `short` (all below
//! 2^56 or 2^28), `all_long` (all of 9 or 10 bytes, in slots of ten), `some_long`. When all lengths
//! of a `short` block agree, `uniform` takes over until one differs: it checks 32 values by one
//! test and needs neither `lzcnt` nor compression. `tail` encodes 8 values at a time for shorter
//! slices, for the rest, and where the destination has no space for a whole vector: its last store
//! is masked. Slices of fewer than 5 values are left to the scalar loop.
//!
//! `loops.rs` and `encoded_len.rs` use the same masks, `lzcnt` with a table of lengths,
//! and prefix sums.
//!
//! Masked VByte, SFVInt and Stream VByte are cited in `simd/mod.rs`.

mod decode;
mod encode;
mod encoded_len;
mod loops;
mod vector;

use crate::simd::slices::slices;
use crate::simd::{detect, scalar};

/// A value proves that the CPU has every instruction in this module: only [`Avx512::new`] returns one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx512 {
    /// Whether the CPU executes each operation on 64 bytes as two on 32.
    double_pumped: bool,
}

impl Avx512 {
    /// Returns the kernel, or `None` if the CPU does not support it.
    pub(crate) fn new() -> Option<Self> {
        detect::avx512().then(|| Self { double_pumped: detect::is_double_pumped() })
    }
}

slices!(Avx512 "avx512" loops {
    encode(src, dst) if encode::worthwhile(src.len()) => encode::encode(src, dst),
    decode(self, src, dst, canonical) if decode::worthwhile(src.len(), dst.len()) =>
        decode::decode(src, dst, canonical, self.double_pumped),
});
