//! The kernel for vectors of 16 bytes: SSE of x86-64, NEON of AArch64 and SIMD128 of WebAssembly. The
//! algorithm is written once, over the operations of a machine (`machine.rs`).
//!
//! # Decoding (`decode.rs`, `window.rs`)
//!
//! A window is 64 bytes in four vectors; 16 more bytes must be readable. Windows follow each other at
//! a fixed stride (54 bytes for 64-bit types, 56 for the others), so that no load waits for the lengths
//! in the window before. A window decodes the values that *start* within the stride, all of which end
//! within its 64 bytes. `pending` carries the starts beyond the stride to the next window.
//!
//! For each window one of these is chosen:
//!
//! 1. `uniform::whole`: all values have one byte, or two, and the window begins with a value. All 64
//!    bytes are decoded, and the next window begins after them.
//! 2. `sparse` with `LONG`: all values have nine or ten bytes. They are loaded two at a time from
//!    their starts.
//! 3. `uniform::decode`: all values have one length from 2 to 8. Their positions are a multiple of
//!    it.
//! 4. `sparse`: up to 20 values. Two at a time again, cut at their last bytes.
//! 5. `dense`: eight bytes at a time. As in Masked VByte, a mask selects a shuffle from a table:
//!    here the 8 bits that say where values start. It brings the first four bytes of each value to
//!    a lane of 32 bits. Longer values are written again one by one.
//!
//! Groups of 7 bits are joined in steps that double their width. A ninth byte is inserted unchanged
//! as the top byte: its continuation bit stands for bit 63, which a tenth byte can only repeat.
//!
//! # Errors
//!
//! `Window::is_suspicious` looks for values that start in the stride and have as many continuation
//! bytes as their type allows: the next byte must fit the bits that are left, and for 64-bit types
//! it must be 1. In canonical decoding a zero byte after a continuation byte is suspicious too. The
//! scalar loop then decodes 16 values (`SCALAR_RUN`) and reports the error if there is one.
//! Otherwise the windows continue after these values. The SWAR kernel decodes the end of the input, and
//! inputs of less than 136 bytes: for a single window, a call of the kernel takes longer than the scalar
//! loop.
//!
//! # Encoding (`encode.rs`)
//!
//! Values are encoded in blocks of 16. The OR of all values gives the class:
//!
//! 1. All below 2^7: narrowed to 16 bytes.
//! 2. All below 2^14: words of two groups. The words of two bytes select a shuffle that drops the
//!    unused bytes.
//! 3. All below 2^28: dwords of four groups, packed the same way by the number of unused bytes of each.
//! 4. Any others (`eight`): two values at a time without a branch on their lengths. Their groups are
//!    spread in vectors, and each value is stored with 16 bytes.
//!
//! A block is encoded only if the destination has space for what its stores may touch. The SWAR kernel
//! encodes the rest, and slices of fewer than 32 values: with 16, the call for the rest took longer than
//! the block saved. Padding the rest to a block was slower still, and made the loop slower.
//!
//! Values of 16 bits are left to the SWAR kernel, since slices of them are rare.
//!
//! Counting, lengths and deltas are left to the scalar code, which the compiler vectorizes. Masked
//! VByte (arXiv:1503.07387) and the other sources are cited in `simd/mod.rs`.
//!
//! # Differences between machines
//!
//! * **Features**: SSE is chosen at run time, so all functions with vectors enable its features. Where
//!   an instruction set belongs to the target, they have no such attribute.
//! * **Masks**: SSE and SIMD128 collect the top bits of 16 bytes by one instruction, NEON by pairwise
//!   sums of 64 bytes.
//! * **Joining groups**: NEON has a shift-and-insert (`vsli`). The others have not: two groups are
//!   joined by shifts, or in SSE by a multiply-add of bytes, four by one dot product with 1 and 2^14,
//!   and eight by shifts.
//! * **Packing**: NEON counts leading zeros and computes the row of the table by one sum over the
//!   lanes. The others have no such count: three comparisons give the continuation bits and the length of
//!   each value, and one dot product turns the lengths of eight values into two rows and two sums.

mod decode;
mod encode;
mod lanes;
mod machine;
#[cfg(kernel = "neon")]
pub(crate) mod neon;
#[cfg(kernel = "simd128")]
pub(crate) mod simd128;
#[cfg(kernel = "sse")]
pub(crate) mod sse;
mod tables;
mod uniform;
mod window;
