//! The SIMD128 kernel, for WebAssembly. A module that contains one of these instructions runs only
//! where all of them exist, so nothing is queried: the kernel is compiled if the target features of
//! the compilation have them (`-C target-feature=+simd128`). Only the target architecture `wasm32`
//! has stable intrinsics.
//!
//! The vectors have 16 bytes, as those of NEON have. The algorithm and the names of the files are
//! those of `simd/neon/`, where they are described; tables and the arithmetic of windows are in
//! `simd/vector128/`. These steps differ, because the instructions do:
//!
//! * **Masks** (`window.rs`): one instruction collects the top bits of 16 bytes.
//! * **Joining groups** (`groups.rs`): there is no shift-and-insert. Two groups are joined by
//!   shifts, four by one dot product with 1 and 2^14, and eight by shifts again.
//! * **Packing values below 2^28** (`encode.rs`): there is no count of leading zeros. Three
//!   comparisons give the continuation bits and the length of each value, and one dot product turns
//!   the lengths of eight values into two keys and two sums.
//! * **Narrowing to bytes** (`lanes.rs`): the values of four vectors are moved to different bytes
//!   of one, and then put in order.

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

/// The SIMD128 kernel, which every machine supports that runs the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Simd128;

// Short slices, in which there is no whole block or window, are left to the scalar loop.
slices!(Simd128 {
    encode(src, dst) if (src.len() >= BLOCK) => encode::encode(src, dst),
    decode(src, dst, canonical) if (src.len() >= READ) => decode::decode(src, dst, canonical),
    encoded_len(src) => scalar::encoded_len(src),
    deltas(previous, src, deltas) => scalar::deltas(previous, src, deltas),
    add_up(previous, deltas) => scalar::add_up(previous, deltas),
});

impl Untyped for Simd128 {
    const NAME: &'static str = "simd128";
}
