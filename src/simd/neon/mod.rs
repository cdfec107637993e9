//! The NEON backend: little-endian AArch64, where NEON is part of the target and nothing is left to ask the CPU.

mod decode;
mod encode;
mod groups;
mod lanes;
mod tables;
mod uniform;
mod window;

use crate::backend::Backend;
use crate::simd::slices::slices;
use encode::BLOCK;
use window::READ;

struct Neon;

/// The backend. Every CPU of the target has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    Some(&Neon)
}

// Short slices go to the scalar loop at once: there is no block or window in them.
slices!(Neon {
    encode(src, dst) if (src.len() >= BLOCK) => {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { encode::encode(src, dst) }
    },
    decode::<CANONICAL>(src, dst) if (src.len() >= READ) => {
        // SAFETY: this module is compiled only where the target has NEON.
        unsafe { decode::decode::<_, CANONICAL>(src, dst) }
    },
});

impl Backend for Neon {
    fn name(&self) -> &'static str {
        "neon"
    }
}
