//! Memory between two guard pages: an access outside the slice ends the process.

#![allow(unsafe_code)] // page protection has no safe form

use std::cell::RefCell;

use region::{Allocation, Protection};

/// The guard page next to the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Front,
    Back,
}

impl Edge {
    pub const BOTH: [Self; 2] = [Self::Front, Self::Back];

    /// Returns the bits of a destination before a call. They are all clear at one edge and all set at
    /// the other, so that a value that is not written differs from the expected one.
    pub fn content(self) -> u128 {
        if self == Self::Front { 0 } else { u128::MAX }
    }
}

thread_local! {
    /// A source and a destination, which all checks of a thread share.
    pub static MEMORY: RefCell<[Guarded; 2]> = RefCell::new([Guarded::new(1 << 17), Guarded::new(1 << 17)]);
}

/// Memory with a guard page on either side.
pub struct Guarded {
    pages: Allocation,
    capacity: usize,
}

impl Guarded {
    /// Allocates at least `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let page = region::page::size();
        let capacity = bytes.next_multiple_of(page);
        let mut pages = region::alloc(capacity + 2 * page, Protection::READ_WRITE).expect("memory");
        let front: *mut u8 = pages.as_mut_ptr();
        for guard in [front, front.wrapping_add(page + capacity)] {
            // SAFETY: both pages lie in the allocation just made, and no slice ever covers them.
            unsafe { region::protect(guard, page, Protection::NONE) }.expect("guard page");
        }
        Self { pages, capacity }
    }

    /// Returns a slice of `len` values, all of them `value`, that begins right after the front guard
    /// page, or ends right before the back one.
    pub fn filled<T: Copy>(&mut self, edge: Edge, len: usize, value: T) -> &mut [T] {
        let size = len * size_of::<T>();
        assert!(size <= self.capacity, "{size} bytes requested of {}", self.capacity);
        let start = match edge {
            Edge::Front => 0,
            Edge::Back => self.capacity - size,
        };
        let front: *mut u8 = self.pages.as_mut_ptr();
        // SAFETY: the range lies between the guard pages, and its memory is readable and writable. The
        // page size and `size` are multiples of T's alignment. Each value is written before the slice
        // is made, and `self` stays borrowed as long as it lives.
        unsafe {
            let first = front.add(region::page::size() + start).cast::<T>();
            (0..len).for_each(|index| first.add(index).write(value));
            std::slice::from_raw_parts_mut(first, len)
        }
    }

    /// Returns a copy of `values`.
    pub fn copy<T: Copy + Default>(&mut self, edge: Edge, values: &[T]) -> &mut [T] {
        let copy = self.filled(edge, values.len(), T::default());
        copy.copy_from_slice(values);
        copy
    }

    /// Reads the byte beyond the edge, which ends the process.
    pub fn access_out_of_bounds(&self, edge: Edge) -> u8 {
        let front: *const u8 = self.pages.as_ptr();
        let outside = match edge {
            Edge::Front => region::page::size() - 1,
            Edge::Back => region::page::size() + self.capacity,
        };
        // SAFETY: the byte lies in a guard page of the allocation. The operating system ends the
        // process on the read, as the caller expects.
        unsafe { front.add(outside).read_volatile() }
    }
}
