//! Memory between two guard pages: an access outside the slice ends the process.

#![allow(unsafe_code)] // page protection has no safe form

use region::{Allocation, Protection};

use super::oracle::Int;

/// The guard page next to the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Front,
    Back,
}

impl Edge {
    pub const BOTH: [Self; 2] = [Self::Front, Self::Back];
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

    /// Returns a slice of `len` values that begins right after the front guard page, or ends right
    /// before the back one.
    pub fn slice<T: Int>(&mut self, edge: Edge, len: usize) -> &mut [T] {
        let size = len * size_of::<T>();
        assert!(size <= self.capacity, "{size} bytes requested of {}", self.capacity);
        let start = match edge {
            Edge::Front => 0,
            Edge::Back => self.capacity - size,
        };
        let front: *mut u8 = self.pages.as_mut_ptr();
        // SAFETY: the range lies between the guard pages. The memory is readable, writable and
        // initially zeroed, and `self` stays borrowed as long as the slice lives. The page size and
        // `size` are multiples of T's alignment. Only integer types implement Int, and for them
        // every bit pattern is valid.
        unsafe {
            let first = front.add(region::page::size() + start);
            std::slice::from_raw_parts_mut(first.cast::<T>(), len)
        }
    }

    /// Returns the same slice with `value` in every place.
    pub fn filled<T: Copy>(&mut self, edge: Edge, len: usize, value: T) -> &mut [T] {
        let bytes = self.slice::<u8>(edge, len * size_of::<T>());
        let first: *mut T = bytes.as_mut_ptr().cast();
        // SAFETY: the slice has the size of `len` values, its start is aligned as said above, and
        // each value is written before the slice is made. `self` stays borrowed as long as it lives.
        unsafe {
            (0..len).for_each(|index| first.add(index).write(value));
            std::slice::from_raw_parts_mut(first, len)
        }
    }

    /// Returns a copy of `bytes`.
    pub fn copy(&mut self, edge: Edge, bytes: &[u8]) -> &mut [u8] {
        let copy = self.slice::<u8>(edge, bytes.len());
        copy.copy_from_slice(bytes);
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
