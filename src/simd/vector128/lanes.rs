//! Loads and stores of several values of any width, with the conversion to and from zigzag form.

use super::machine::Machine;
use crate::simd::lane::Lane;

/// Eight values in the form in which they are encoded, in as many vectors as they need. The other
/// vectors are zero.
pub(super) struct Eight<M: Machine>(M, [M::V; 4]);

impl<M: Machine> Eight<M> {
    /// Loads eight values and converts signed ones to zigzag form.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    pub(super) fn load<T: Lane>(machine: M, src: &[T; 8]) -> Self {
        let mut vectors = [machine.splat(0); 4];
        for (index, vector) in vectors.iter_mut().take(size_of::<T>() / 2).enumerate() {
            // SAFETY: `src` points to eight integers, which are `size_of::<T>() / 2` vectors.
            let x = unsafe { machine.load(src.as_ptr().cast::<M::V>().add(index).cast()) };
            *vector = match (T::SIGNED, size_of::<T>()) {
                (false, _) => x,
                (true, 4) => machine.zigzag::<4>(x),
                (true, _) => machine.zigzag::<8>(x),
            };
        }
        Self(machine, vectors)
    }

    /// Returns the OR of these values and those of `other`.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    pub(super) fn any<T: Lane>(&self, other: &Self) -> u64 {
        let (machine, [a, b, c, d], [e, f, g, h]) = (self.0, self.1, other.1);
        let [ae, bf, cg, dh] = [machine.or(a, e), machine.or(b, f), machine.or(c, g), machine.or(d, h)];
        let [low, high] = machine.halves(machine.or(machine.or(ae, bf), machine.or(cg, dh)));
        let any = low | high;
        if size_of::<T>() == 4 { u64::from((any | any >> 32) as u32) } else { any }
    }

    /// Returns the low 32 bits of each value.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    pub(super) fn dwords<T: Lane>(&self) -> [M::V; 2] {
        let (machine, [a, b, c, d]) = (self.0, self.1);
        if size_of::<T>() == 4 { [a, b] } else { [machine.narrow64(a, b), machine.narrow64(c, d)] }
    }

    /// Returns the values in 64 bits each.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    pub(super) fn pairs<T: Lane>(&self) -> [M::V; 4] {
        let (machine, [a, b, ..]) = (self.0, self.1);
        if size_of::<T>() == 8 {
            return self.1;
        }
        let ([a, b], [c, d]) = (machine.widen32::<false>(a), machine.widen32::<false>(b));
        [a, b, c, d]
    }

    /// Returns the values, which must be below 2^15, in 16 bits each.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    pub(super) fn words<T: Lane>(&self) -> M::V {
        let [a, b] = self.dwords::<T>();
        self.0.narrow32(a, b)
    }

    /// Returns these values and those of `high`, which must be below 2^7, in a byte each.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    pub(super) fn bytes<T: Lane>(&self, high: &Self) -> M::V {
        let ([a, b], [c, d]) = (self.dwords::<T>(), high.dwords::<T>());
        self.0.narrow32_twice([a, b, c, d])
    }
}

/// Converts eight values below 2^28 from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of eight values.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) unsafe fn store8<M: Machine, T: Lane>(machine: M, dst: *mut T, [a, b]: [M::V; 2]) {
    // SAFETY: the caller ensures that eight values can be written.
    unsafe {
        store4(machine, dst, a);
        store4(machine, dst.add(4), b);
    }
}

/// Does the same for values in the order of the table `UNPACK`: 0 1 4 5 and 2 3 6 7.
///
/// # Safety
///
/// `dst` must be valid for writes of eight values.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) unsafe fn store_unpacked<M: Machine, T: Lane>(machine: M, dst: *mut T, [a, b]: [M::V; 2]) {
    // SAFETY: the caller ensures that eight values can be written.
    unsafe {
        if size_of::<T>() == 4 {
            store8(machine, dst, machine.zip64(a, b));
            return;
        }
        for (x, to) in [(a, dst), (b, dst.add(2))] {
            let [low, high] = widened::<M, T>(machine, x);
            machine.store(to.cast(), low);
            machine.store(to.add(4).cast(), high);
        }
    }
}

/// Converts four values below 2^28 from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of four values.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) unsafe fn store4<M: Machine, T: Lane>(machine: M, dst: *mut T, x: M::V) {
    let dst = dst.cast::<u8>();
    // SAFETY: the caller ensures that four values can be written: 16 or 32 bytes.
    unsafe {
        if size_of::<T>() == 4 {
            machine.store(dst, if T::SIGNED { machine.unzigzag::<4>(x) } else { x });
            return;
        }
        let [a, b] = widened::<M, T>(machine, x);
        machine.store(dst, a);
        machine.store(dst.add(16), b);
    }
}

/// Converts four values below 2^28 from zigzag form, if `T` is signed, and to 64 bits.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
fn widened<M: Machine, T: Lane>(machine: M, x: M::V) -> [M::V; 2] {
    if T::SIGNED { machine.widen32::<true>(machine.unzigzag::<4>(x)) } else { machine.widen32::<false>(x) }
}

/// Converts two values from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of two values.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) unsafe fn store2<M: Machine, T: Lane>(machine: M, dst: *mut T, x: M::V) {
    // SAFETY: the caller ensures that two values can be written.
    unsafe {
        let x = if T::SIGNED { machine.unzigzag::<8>(x) } else { x };
        match size_of::<T>() {
            4 => machine.store_low(dst.cast(), machine.narrow64(x, x)),
            _ => machine.store(dst.cast(), x),
        }
    }
}
