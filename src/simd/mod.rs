//! The kernels, and the only place where `unsafe` is allowed: `vector128/` for instruction sets with
//! vectors of 16 bytes, and one folder for each other instruction set of x86-64.
//!
//! A kernel is a type that implements `Slices`. Its constructor checks the CPU, so that
//! holding a value proves that its instructions exist. [`Kernel::available`](crate::Kernel::available)
//! lists the kernels of this CPU from the slowest to the fastest: `scalar`, `swar`, then on x86-64
//! `sse`, `avx2` and `avx512`, on AArch64 `neon`, on WebAssembly `simd128`. The scalar code in
//! [`scalar`](crate::scalar) defines every result.
//!
//! # What the kernels have in common
//!
//! A varint ends with its only byte whose bit 7, the continuation bit, is clear. A decoder
//! therefore looks at a *window* of 64 bytes, collects bit 7 of each byte in a mask of 64 bits, and
//! has the last byte of every value in it without a branch:
//!
//! ```text
//! byte        ac 02 07 ff ff 03 80 ...
//! bit 7        1  0  0  1  1  0  1
//! ends         0  1  1  0  0  1  0     the complement: last bytes
//! starts       1  0  1  1  0  0  1     ends, moved by one: first bytes
//! ```
//!
//! From these masks the kernels compute where each value is and how long it is, and move its groups
//! of 7 bits together.
//!
//! No kernel reports an error by itself. For each window (or each sequence of values of one length,
//! where there is a loop for them) it tests whether a value might be too long, too large or, in
//! canonical decoding, overlong. If so, it stops where a value begins, and the scalar loop decodes
//! from there on. That loop stops at the first error with the exact kind and offset, or finds none
//! and returns to the kernel. A false alarm costs time and changes no result. A value that the end
//! of the input truncates is left to the scalar loop too.
//!
//! For encoding, the highest set bit of a value gives its length. The encoders spread the bits to
//! groups of 7, set the continuation bits, and write whole vectors of which the unused rest is
//! overwritten by the values that follow. Near the end of the destination they write exact lengths.
//!
//! The functions of a kernel are generic over the element type (`lane.rs`), and are compiled in the
//! crate that uses them, for its types. To compile all of them takes longer than all the rest of this
//! crate. Slices of `usize` and `isize` are cast, and canonical decoding is a flag that lenient decoding
//! reads without computing anything for it.
//!
//! Other files: `scalar.rs` (the scalar kernel), `slices.rs` (the trait of kernels), `shuffles.rs`
//! (tables of several kernels), `destination.rs` (decoding into slices and vectors), `detect.rs` (CPU
//! features), `end_mask.rs` (masks for SWAR and `Reader`), `cursor.rs` (the position of a `Reader`),
//! `arrays.rs` (slices as arrays, and arrays as slices), `single/` (one value).
//!
//! # Literature
//!
//! * LEB128: DWARF 5, section 7.6. The same bytes are called VByte in information retrieval, and
//!   varints in Protocol Buffers.
//! * Masked VByte: J. Plaisance, N. Kurz, D. Lemire, "Vectorized VByte Decoding", 2015,
//!   arXiv:1503.07387. The mask of continuation bits selects a shuffle from a table.
//! * SFVInt: G. Liao, Y. Liu, Y. Ding, L. Cai, J. Chen, "SFVInt: Simple, Fast and Generic
//!   Variable-Length Integer Decoding using Bit Manipulation Instructions", 2024, arXiv:2403.06898.
//!   `pext` gathers the groups of a value.
//! * Stream VByte: D. Lemire, N. Kurz, C. Rupp, "Stream VByte: Faster Byte-Oriented Integer
//!   Compression", 2018, arXiv:1709.08990. It keeps the lengths in a stream of their own, so that
//!   no byte has to be searched for an end. That is another format; here the search for ends is the
//!   first step of every decoder.

pub(crate) mod arrays;
#[cfg(kernel = "avx2")]
pub(crate) mod avx2;
#[cfg(kernel = "avx512")]
#[allow(clippy::incompatible_msrv)] // build.rs leaves it out of compilers before 1.89
pub(crate) mod avx512;
pub(crate) mod cursor;
pub(crate) mod destination;
#[cfg(any(kernel = "sse", kernel = "avx2"))]
mod detect;
pub(crate) mod end_mask;
#[cfg_attr(not(kernel = "vector128"), allow(dead_code))]
pub(crate) mod lane;
pub(crate) mod scalar;
#[cfg(any(kernel = "avx2", kernel = "vector128"))]
mod shuffles;
pub(crate) mod single;
pub(crate) mod slices;
pub(crate) mod swar;
#[cfg(kernel = "vector128")]
pub(crate) mod vector128;
