//! Profiles of the heap: a global allocator that samples allocations with their stacks.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: pprof_views::heap::HeapProfiler = pprof_views::heap::HeapProfiler::new();
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let kept = vec![0u8; 16 << 20];
//! # if !pprof_views::Capture::IS_SUPPORTED { return Ok(()) }
//! let profile = pprof_views::heap::profile()?;
//! println!("{} bytes kept\n{}", kept.len(), pprof_views::View::new(&profile).node_count(10).top());
//! # Ok(())
//! # }
//! ```
//!
//! On average one of [`DEFAULT_RATE`] allocated bytes is sampled, and the allocation that it belongs to
//! counts for all that it stands for. So the sums of bytes and of objects are unbiased estimates,
//! whatever the sizes are. The more samples a function has, the smaller is the relative deviation: about
//! 10 % with 100 samples, which is 50 MiB. Few small objects have few samples.
//!
//! - An allocation that is moved or resized (`realloc`) counts as freed, and as a new one.
//! - Samples begin at the function that asks for memory. Those of the allocator and of std's `alloc` and
//!   `core` before it, such as `Vec::push`, are left out.
//! - The outermost functions of [deep stacks](crate::Capture#deep-stacks) are unknown.
//! - Each distinct stack that was ever sampled takes memory until the process ends: 8 bytes for each frame,
//!   at most 4 KB, and 100 bytes.
//! - Looking up names keeps debug information in memory, up to some times the size of the program. That
//!   memory is in the next profile.
//! - In a child after `fork`, samples are lost instead of waiting for a lock that nobody will release.
//!
//! Samples are taken on the same systems as CPU profiles. On others the allocator only passes calls on.
#![allow(unsafe_code)] // a global allocator is an unsafe trait

use std::alloc::{GlobalAlloc, Layout, System};

use super::error::CaptureError;
pub use super::error::DEFAULT_RATE;
use super::sampling::heap as sampler;
use crate::format::Profile;

/// A global allocator that samples the allocations of another one, by default the system's.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeapProfiler<A = System> {
    inner: A,
}

impl HeapProfiler {
    /// Returns an allocator that samples the allocations of the system's allocator.
    pub const fn new() -> Self {
        Self { inner: System }
    }
}

impl<A> HeapProfiler<A> {
    /// Returns an allocator that samples the allocations of `inner`.
    pub const fn with(inner: A) -> Self {
        Self { inner }
    }
}

/// Sets the average number of allocated bytes per sample. With 1, every allocation is a sample; with 0,
/// none is.
///
/// It applies to this thread and to new threads at once, and to another thread after its next sample.
/// Earlier samples keep their weights.
pub fn set_rate(bytes: usize) {
    sampler::set_rate(bytes);
}

/// Returns a profile of the memory that was allocated since the start of the process, and of what is
/// not freed yet.
///
/// The sample types are those of Go: `alloc_objects`, `alloc_space`, `inuse_objects` and `inuse_space`,
/// in `count` and `bytes`. A [`View`](crate::View) shows the last one unless another one is selected.
/// Looking up the names of functions can take several seconds.
///
/// # Errors
///
/// - [`CaptureError::NoHeapProfiler`] if the program has no such allocator.
/// - [`CaptureError::Unsupported`] if profiles cannot be taken on this system.
pub fn profile() -> Result<Profile, CaptureError> {
    profile_by("inuse_space")
}

/// Returns the same with another default sample type.
pub(crate) fn profile_by(sample_type: &str) -> Result<Profile, CaptureError> {
    sampler::profile(sample_type)
}

// SAFETY: all memory is that of `inner`, which gets all calls as they are.
unsafe impl<A: GlobalAlloc> GlobalAlloc for HeapProfiler<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let pointer = unsafe { self.inner.alloc(layout) };
        sampler::allocated(pointer, layout.size());
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let pointer = unsafe { self.inner.alloc_zeroed(layout) };
        sampler::allocated(pointer, layout.size());
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        sampler::freed(pointer); // first, because another thread can get the address after that
        // SAFETY: as above.
        unsafe { self.inner.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let sample = sampler::freed(pointer); // first, as above
        // SAFETY: as above.
        let moved = unsafe { self.inner.realloc(pointer, layout, size) };
        if moved.is_null() {
            sampler::restore(pointer, sample); // the memory at `pointer` is not freed then
        } else {
            sampler::allocated(moved, size);
        }
        moved
    }
}
