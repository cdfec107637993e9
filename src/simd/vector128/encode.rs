//! Encodes blocks of 16 values. The OR of the values decides how: from narrowing alone to one value
//! at a time.

use super::lanes::Eight;
use super::machine::{Machine, Packing};
use super::tables::{PACK_4, PACK_8, SHAPES};
use super::window::load16;
use crate::error::Progress;
use crate::scalar::word;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::scalar;

/// The number of values in a block.
pub(super) const BLOCK: usize = 16;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
// Inlined, the loop would be compiled with what the caller knows, and short values would be encoded
// up to a third slower in WebAssembly.
#[inline(never)]
pub(super) fn encode<M: Machine, T: Lane>(machine: M, src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut done = Progress::default();
    for block in as_chunks::<_, BLOCK>(src).0 {
        let [a, b] = as_chunks(block).0 else { break };
        let (low, high) = (Eight::load(machine, a), Eight::load(machine, b));
        let any = low.any::<T>(&high);
        // The number of bytes that the stores below may write. Each store writes at most 16, from
        // the end of the value before it on.
        let need = match any {
            ..0x80 => BLOCK,
            0x80..0x4000 => 32,
            _ => (BLOCK - 1) * SHAPES[any.leading_zeros() as usize].len + 16,
        };
        let space = dst.get_mut(done.bytes..)?;
        if space.len() < need {
            break;
        }
        let start = space.as_mut_ptr();
        // SAFETY: `start` is valid for writes of `need` bytes.
        done.bytes += unsafe {
            match any {
                ..0x80 => {
                    machine.store(start, low.bytes::<T>(&high));
                    BLOCK
                }
                0x80..0x4000 => {
                    let len = words(machine, start, low.words::<T>());
                    len + words(machine, start.add(len), high.words::<T>())
                }
                // A loop, so that this is compiled once.
                _ => [a, b].iter().fold(0, |len, half| len + eight(machine, start.add(len), half)),
            }
        };
        done.values += BLOCK;
    }
    scalar::encode(src, dst, done)
}

/// Encodes eight values of any size, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of seven encodings as long as the longest of them, and of 16
/// bytes more.
#[inline]
unsafe fn eight<M: Machine, T: Lane>(machine: M, dst: *mut u8, values: &[T; 8]) -> usize {
    // Loaded again: if the caller kept these values in registers, its faster cases would pay for
    // them.
    let loaded = Eight::load(machine, values);
    // SAFETY: each store begins at the end of the value before it, and writes at most 16 bytes.
    unsafe {
        if loaded.any::<T>(&loaded) < 1 << 28 {
            let [(a, a_packing), (b, b_packing)] = machine.encode_dwords(loaded.dwords::<T>());
            let len = pack(machine, dst, a, &PACK_4, a_packing);
            len + pack(machine, dst.add(len), b, &PACK_4, b_packing)
        } else {
            let end = values.iter().fold(dst, |end, &value| end.add(put(end, value)));
            end.offset_from_unsigned(dst)
        }
    }
}

/// Encodes eight values below 2^14, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[inline]
unsafe fn words<M: Machine>(machine: M, dst: *mut u8, x: M::V) -> usize {
    let (bytes, packing) = machine.encode_words(x);
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { pack(machine, dst, bytes, &PACK_8, packing) }
}

/// Stores the bytes that `packing` selects, and returns their number. The other bytes of the 16 are
/// zero.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[inline]
unsafe fn pack<M: Machine>(
    machine: M,
    dst: *mut u8,
    bytes: M::V,
    table: &[[u8; 16]; 256],
    packing: Packing,
) -> usize {
    let indices = load16(machine, &table[usize::from(packing.key)]);
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { machine.store(dst, machine.swizzle(bytes, indices)) };
    16 - packing.unused
}

/// Encodes any value, without a branch, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 10 bytes.
#[inline]
unsafe fn put<T: Lane>(dst: *mut u8, value: T) -> usize {
    let wire = value.to_wire();
    let shape = SHAPES[wire.leading_zeros() as usize];
    // SAFETY: the caller ensures that 10 bytes can be written.
    unsafe {
        dst.cast::<u64>().write_unaligned(word::spread(wire) | shape.continuation);
        if T::MAX_BYTES > 8 {
            // Bit 63 is the continuation bit of the ninth byte. A tenth byte is 1.
            dst.add(8).cast::<u16>().write_unaligned((wire >> 56) as u16 | 0x100);
        }
    }
    shape.len
}
