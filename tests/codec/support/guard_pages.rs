//! Memory between two pages that nobody may touch: an access outside the slice ends the process.

#![allow(unsafe_code)] // page protection has no safe form

use region::{Allocation, Protection};

use super::oracle::Int;

/// Which guard page the slice touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Front,
    Back,
}

impl Edge {
    pub const BOTH: [Self; 2] = [Self::Front, Self::Back];
}

/// Room with a guard page before and after it.
pub struct Guarded {
    pages: Allocation,
    capacity: usize,
}

impl Guarded {
    /// Room for at least `bytes`.
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

    /// A slice of `len` values that begins right after the front guard, or ends right before the
    /// back one.
    pub fn slice<T: Int>(&mut self, edge: Edge, len: usize) -> &mut [T] {
        let size = len * size_of::<T>();
        assert!(size <= self.capacity, "{size} bytes asked of {}", self.capacity);
        let start = match edge {
            Edge::Front => 0,
            Edge::Back => self.capacity - size,
        };
        let front: *mut u8 = self.pages.as_mut_ptr();
        // SAFETY: the range lies between the guards, in memory that is readable, writable, zeroed
        // at first and borrowed from `self` for as long as the slice lives. Page size and `size`
        // are multiples of T's alignment. Int is implemented by the integer types alone, for which
        // every bit pattern is a value.
        unsafe {
            let first = front.add(region::page::size() + start);
            std::slice::from_raw_parts_mut(first.cast::<T>(), len)
        }
    }

    /// Reads the byte on the other side of the edge, which ends the process.
    pub fn trespass(&self, edge: Edge) -> u8 {
        let front: *const u8 = self.pages.as_ptr();
        let outside = match edge {
            Edge::Front => region::page::size() - 1,
            Edge::Back => region::page::size() + self.capacity,
        };
        // SAFETY: none is claimed. The byte lies in a guard page of the allocation, and the
        // processor refuses the read: that is what the caller wants to see.
        unsafe { front.add(outside).read_volatile() }
    }
}
