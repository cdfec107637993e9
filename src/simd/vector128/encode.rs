//! Encodes blocks of 16 values. The OR of the values decides how: from narrowing alone to one value
//! at a time.

use super::lanes::Eight;
use super::machine::{Machine, Packing};
use super::tables::{PACK_DWORDS, TOP_BYTES};
use super::window::load16;
use crate::error::Progress;
use crate::scalar::word::{CONTINUATIONS, LENGTHS};
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::shuffles::PACK_WORDS;
use crate::simd::{scalar, swar};

/// From this number of values on, the kernel is faster than the SWAR kernel.
const WORTHWHILE: usize = 2 * BLOCK_VALUES;

/// The number of values in a block.
const BLOCK_VALUES: usize = 16;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
// Inlined, the loop would be compiled with what the caller knows, and short values would be encoded
// up to a third slower in WebAssembly.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline(never)]
pub(super) fn encode<M: Machine, T: Lane>(machine: M, src: &[T], dst: &mut [u8]) -> Option<usize> {
    if src.len() < WORTHWHILE || size_of::<T>() == 2 {
        return swar::encode(src, dst);
    }
    let mut done = Progress::default();
    for block in as_chunks::<_, BLOCK_VALUES>(src).0 {
        let [a, b] = as_chunks(block).0 else { break };
        let (low, high) = (Eight::load(machine, a), Eight::load(machine, b));
        let any = low.any::<T>(&high);
        // The number of bytes that the stores below may write. Each store writes at most 16, from
        // the end of the value before it on.
        let need = match any {
            ..0x80 => BLOCK_VALUES,
            0x80..0x4000 => 32,
            _ => (BLOCK_VALUES - 1) * len_of(any) + 16,
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
                    BLOCK_VALUES
                }
                0x80..0x4000 => {
                    let len = words(machine, start, low.words::<T>());
                    len + words(machine, start.add(len), high.words::<T>())
                }
                0x4000..0x1000_0000 => {
                    let len = dwords(machine, start, low.dwords::<T>());
                    len + dwords(machine, start.add(len), high.dwords::<T>())
                }
                // A loop, so that this is compiled once.
                _ => [a, b].iter().fold(0, |len, half| len + eight(machine, start.add(len), half)),
            }
        };
        done.values += BLOCK_VALUES;
    }
    if src.len() - done.values < 8 {
        return scalar::encode(src, dst, done);
    }
    let rest = swar::encode(&src[done.values..], dst.get_mut(done.bytes..)?)?;
    Some(done.bytes + rest)
}

/// Encodes eight values of any size, without a branch, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of seven encodings as long as the longest of them, and of 16
/// bytes more.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn eight<M: Machine, T: Lane>(machine: M, dst: *mut u8, values: &[T; 8]) -> usize {
    // Loaded again: if the caller kept these values in registers, its faster cases would pay for
    // them.
    let pairs = Eight::load(machine, values).pairs::<T>();
    let mut end = dst;
    for (two, x) in as_chunks::<_, 2>(values).0.iter().zip(pairs) {
        // Without `map`, V8 runs this 18 % slower, and SSE 7 % faster.
        let [a, b] = two.map(|value| len_of(value.to_wire()));
        let [continues, _] = machine.zip64(machine.splat(CONTINUATIONS[a]), machine.splat(CONTINUATIONS[b]));
        let low = machine.or(machine.spread8(x), continues);
        // Bit 63 is the continuation bit of the ninth byte. A tenth byte is 1.
        let rest = machine.or(machine.swizzle(x, load16(machine, &TOP_BYTES)), machine.splat(0x100));
        let [first, second] = machine.zip64(low, rest);
        // SAFETY: each store begins at the end of the value before it, and writes 16 bytes.
        unsafe {
            machine.store(end, first);
            machine.store(end.add(a), second);
            end = end.add(a + b);
        }
    }
    end as usize - dst as usize
}

/// Returns the length of the encoding of a value.
#[inline]
fn len_of(wire: u64) -> usize {
    usize::from(LENGTHS[(wire | 1).leading_zeros() as usize])
}

/// Encodes eight values below 2^14, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn words<M: Machine>(machine: M, dst: *mut u8, x: M::V) -> usize {
    let (bytes, packing) = machine.encode_words(x);
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { pack(machine, dst, bytes, &PACK_WORDS.0, packing) }
}

/// Encodes eight values below 2^28, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of four encodings as long as the longest of them, and of 16 bytes
/// more.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
unsafe fn dwords<M: Machine>(machine: M, dst: *mut u8, x: [M::V; 2]) -> usize {
    let [(a, a_packing), (b, b_packing)] = machine.encode_dwords(x);
    // SAFETY: the caller ensures that 16 bytes can be written, and 16 more after the first four.
    unsafe {
        let len = pack(machine, dst, a, &PACK_DWORDS, a_packing);
        len + pack(machine, dst.add(len), b, &PACK_DWORDS, b_packing)
    }
}

/// Stores the bytes that `packing` selects, and returns their number. The other bytes of the 16 are
/// zero.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
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
    packing.len
}
