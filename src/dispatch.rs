//! Dispatch by slice length: inline loops for short ones, the kernel otherwise.
//!
//! For short slices, the call of a kernel takes longer than the work. Therefore a loop over single
//! values is compiled in the caller, for a few of them. For more, blocks of values of one byte are done
//! first, for which the words of any CPU are fast enough. The kernel of this CPU is called for the rest.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress, continued};
use crate::kernel::Kernel;
use crate::scalar::rule::CONTINUE;
use crate::scalar::slice;
use crate::scalar::word::CONTINUES;
use crate::simd::arrays::as_chunks;
use crate::simd::single;
use crate::simd::slices::Slices;
use crate::width::{ONE_BYTE_VALUES, Width};

/// Whether short slices have loops of their own. Without a kernel for a CPU's special instructions they are left
/// out: SWAR's code for short slices is good enough there, and small targets save several hundred bytes.
const SHORT_LOOPS: bool = cfg!(kernel = "vector128");

// Below these numbers of values, or of bytes, the loop over single values is used. From eight values
// on, it would be up to a third faster once the CPU has learnt the branches of repeated values, but up to
// five times slower on new ones.
pub(crate) const FEW_VALUES: usize = 8;
/// Fewer bytes than this are left to the scalar loop by the kernels too.
pub(crate) const FEW_BYTES: usize = 10;

/// From this number of values, or of bytes, on the kernel is as fast for values of one byte.
const MANY_VALUES: usize = 128;

/// The kernel that was named, or without one the loops for short slices and the kernel of this CPU for
/// long ones.
impl<T: Width> Slices<T> for Option<Kernel>
where
    Kernel: Slices<T>,
{
    #[inline(always)]
    fn encode(self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        match self {
            Some(kernel) => kernel.encode(src, dst),
            None if SHORT_LOOPS && src.len() < FEW_VALUES => encode_few(src, dst, 0),
            None => encode_more(src, dst),
        }
    }

    #[inline(always)]
    fn decode(self, src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Result<Progress, BulkError> {
        match self {
            Some(kernel) => kernel.decode(src, dst, canonical),
            None if SHORT_LOOPS && (src.len() < FEW_BYTES || dst.len() < FEW_VALUES) => {
                decode_few(src, dst, 0, canonical)
            }
            None => decode_more(src, dst, canonical),
        }
    }

    #[inline(always)]
    fn encoded_len(self, src: &[T]) -> usize {
        match self {
            None if src.len() < FEW_VALUES => slice::encoded_len(src),
            _ => self.unwrap_or_else(Kernel::detect).encoded_len(src),
        }
    }
}

// The next two functions leave to others what is rarely needed, so that they save few registers.

#[inline(never)]
fn encode_more<T: Width>(src: &[T], dst: &mut [u8]) -> Option<usize>
where
    Kernel: Slices<T>,
{
    let done = if SHORT_LOOPS && src.len() < MANY_VALUES { encode_one_byte_each(src, dst) } else { 0 };
    if done == 0 {
        Kernel::detect().encode(src, dst)
    } else if done == src.len() {
        Some(done)
    } else {
        encode_rest(src, dst, done)
    }
}

#[inline(never)]
fn decode_more<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
) -> Result<Progress, BulkError>
where
    Kernel: Slices<T>,
{
    let done = if SHORT_LOOPS && src.len() < MANY_VALUES { decode_one_byte_each(src, dst) } else { 0 };
    if done == 0 {
        Kernel::detect().decode(src, dst, canonical)
    } else if done == src.len() {
        Ok(Progress { values: done, bytes: done })
    } else {
        decode_rest(src, dst, done, canonical)
    }
}

// In the following functions, the first `done` values are done, and have one byte each. The next block
// has a longer one.

#[inline(never)]
fn encode_rest<T: Width>(src: &[T], dst: &mut [u8], done: usize) -> Option<usize>
where
    Kernel: Slices<T>,
{
    if src.len() - done < FEW_VALUES {
        return encode_few(src, dst, done);
    }
    Some(done + encode_more(src.get(done..)?, dst.get_mut(done..)?)?)
}

#[inline(never)]
fn decode_rest<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: usize,
    canonical: bool,
) -> Result<Progress, BulkError>
where
    Kernel: Slices<T>,
{
    if src.len().min(dst.len()) - done < FEW_VALUES {
        return decode_few(src, dst, done, canonical);
    }
    let rest = decode_more(&src[done..], &mut dst[done..], canonical);
    continued(Progress { values: done, bytes: done }, rest)
}

#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn encode_few<T: Width>(src: &[T], dst: &mut [u8], done: usize) -> Option<usize> {
    let mut bytes = done;
    for &value in src.get(done..)? {
        bytes = value.put_wire_at(dst, bytes)?;
    }
    Some(bytes)
}

/// The loop contains little code: it leaves errors to the scalar loop.
#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn decode_few<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: usize,
    canonical: bool,
) -> Result<Progress, BulkError>
where
    Kernel: Slices<T>,
{
    let mut values = done;
    let mut bytes = done;
    while values < dst.len() {
        let Some(rest @ [_, ..]) = src.get(bytes..) else { break };
        let Some(len) = load_one::<T>(rest, &mut dst[values], canonical) else {
            return fail(src, dst, Progress { values, bytes }, canonical);
        };
        values += 1;
        bytes += len;
    }
    Ok(Progress { values, bytes })
}

/// Decodes the value at the start of `src` to `slot`, and returns its length, or `None` if it is not valid. With
/// the value in the result, the loop would take up to a quarter longer for values of one byte.
#[cfg_attr(not(proof_steps), inline(always))]
#[cfg_attr(proof_steps, inline(never))]
fn load_one<T: Width>(src: &[u8], slot: &mut MaybeUninit<T>, canonical: bool) -> Option<usize> {
    match *src {
        // `load` does the same for one byte, but the loop would then take half as long again for them.
        [first, ..] if first < CONTINUE => {
            slot.write(T::from_raw(first.into()));
            Some(1)
        }
        _ => {
            let (value, len) = single::load(src, canonical).ok()?;
            slot.write(value);
            Some(len)
        }
    }
}

/// Returns the error of the value at `from`, by the scalar loop.
#[cold]
#[inline(never)]
fn fail<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Result<Progress, BulkError>
where
    Kernel: Slices<T>,
{
    let rest = Kernel::SCALAR.decode(&src[from.bytes..], &mut dst[from.values..], canonical);
    continued(from, rest)
}

/// Encodes values of one byte, a block at a time, up to the first block with another value. Returns
/// their number.
#[inline(always)]
fn encode_one_byte_each<T: Width>(src: &[T], dst: &mut [u8]) -> usize {
    let mut values = 0;
    for (block, bytes) in as_chunks(src).0.iter().zip(dst.chunks_exact_mut(ONE_BYTE_VALUES)) {
        if !T::put_one_byte_each(block, bytes) {
            break;
        }
        values += ONE_BYTE_VALUES;
    }
    values
}

/// Decodes values of one byte, a block at a time, up to the first block with another value. Returns
/// their number.
#[inline(always)]
fn decode_one_byte_each<T: Width>(src: &[u8], dst: &mut [MaybeUninit<T>]) -> usize {
    let mut values = 0;
    for (bytes, slots) in
        as_chunks::<_, ONE_BYTE_VALUES>(src).0.iter().zip(dst.chunks_exact_mut(ONE_BYTE_VALUES))
    {
        if u64::from_le_bytes(*bytes) & CONTINUES != 0 {
            break;
        }
        for (slot, &byte) in slots.iter_mut().zip(bytes) {
            slot.write(T::from_raw(byte.into()));
        }
        values += ONE_BYTE_VALUES;
    }
    values
}
