//! Every mask of continuation bits around each group of eight bytes of a window, and every length of
//! source and destination up to three windows. The slices begin after guard pages, or end before them.
//!
//! The masks alone choose the loop, the rows of tables and the shuffles of a vector kernel. Each kernel,
//! and the functions that choose one, must give the results of the scalar kernel, which `kernels.rs`
//! compares with the oracle.

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::wire_types::{Int, Number};
use crate::support::wires::{Rng, backgrounds, positions};
use zigzag_varint::{BufferTooSmall, Canonical, Kernel, Varint};
use zigzag_varint_oracle::{count, encode_all};

/// More than three of the widest windows.
const N: usize = 3 * 64 + 20;

/// What is called, and memory for its slices.
struct Checker {
    edge: Edge,
    /// A kernel, or the functions that choose one.
    chosen: Vec<Option<Kernel>>,
    bytes: Guarded,
    values: Guarded,
}

impl Checker {
    fn new() -> Self {
        let kernels = Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR);
        let chosen = kernels.map(Some).chain([None]).collect();
        Self {
            edge: Edge::Front,
            chosen,
            bytes: Guarded::new(N),
            values: Guarded::new(N * size_of::<u128>()),
        }
    }

    /// Decodes at most `capacity` values, and encodes them again.
    fn check<T: Int>(&mut self, edge: Edge, src: &[u8], capacity: usize)
    where
        Canonical<T>: Varint<Value = T>,
    {
        self.edge = edge;
        let values = self.decode::<T>(src, capacity);
        self.decode::<Canonical<T>>(src, capacity);
        self.encode(&values);
    }

    /// Returns the values that the scalar kernel decodes.
    fn decode<W: Varint<Value: Number>>(&mut self, src: &[u8], capacity: usize) -> Vec<W::Value> {
        let src = &*self.bytes.copy(self.edge, src);
        let mut values = vec![W::Value::default(); capacity];
        let expected = Kernel::SCALAR.decode_slice::<W>(src, &mut values);
        values.truncate(expected.unwrap_or_else(|failed| failed.progress).values);
        for &chosen in &self.chosen {
            // The slice keeps no value of the call before.
            let dst = self.values.filled(self.edge, capacity, W::Value::of(u128::MAX / 3));
            let decoded = match chosen {
                Some(kernel) => kernel.decode_slice::<W>(src, dst),
                None => W::decode_slice(src, dst),
            };
            assert!(
                decoded == expected && dst[..values.len()] == values,
                "{chosen:?} decodes {} wrongly (capacity: {capacity})\n     src: {src:02x?}\n     \
                 got: {decoded:?} {dst:?}\nexpected: {expected:?} {values:?}",
                std::any::type_name::<W>(),
            );
        }
        values
    }

    /// Encodes into slices of the exact length and of one byte less.
    fn encode<T: Int>(&mut self, values: &[T]) {
        let mut bytes = [0; N];
        let needed =
            Kernel::SCALAR.encode_slice::<T>(values, &mut bytes).expect("not longer than the source");
        let values = &*self.values.copy(self.edge, values);
        for (&chosen, available) in
            self.chosen.iter().flat_map(|chosen| [(chosen, needed), (chosen, needed.saturating_sub(1))])
        {
            let dst = self.bytes.filled(self.edge, available, 0xaa);
            let encoded = match chosen {
                Some(kernel) => kernel.encode_slice::<T>(values, dst),
                None => T::encode_slice(values, dst),
            };
            let fits = available == needed;
            let expected = if fits { Ok(needed) } else { Err(BufferTooSmall { needed, available }) };
            assert!(
                encoded == expected && (!fits || *dst == bytes[..needed]),
                "{chosen:?} encodes {} wrongly\n     src: {values:?}\n     got: {encoded:?} {dst:02x?}\n\
                 expected: {expected:?} {:02x?}",
                std::any::type_name::<T>(),
                &bytes[..needed],
            );
        }
    }

    /// Counts the values of `src`, and skips the first `n`.
    fn scan(&mut self, src: &[u8], n: usize) {
        let src = &*self.bytes.copy(self.edge, src);
        let expected = (Kernel::SCALAR.count(src), Kernel::SCALAR.skip_values(src, n));
        for kernel in self.chosen.iter().flatten() {
            let scanned = (kernel.count(src), kernel.skip_values(src, n));
            assert_eq!(scanned, expected, "{kernel} skips {n} of {src:02x?}");
        }
    }
}

/// Replaces the group, the byte before it and the two after it in valid streams of each kind, which are
/// long enough for another window. Payloads that decide whether an encoding is overlong or too large are
/// frequent.
fn every_mask<T: Int>(checker: &mut Checker)
where
    Canonical<T>: Varint<Value = T>,
{
    let mut rng = Rng(11);
    for (turn, numbers) in backgrounds(8 * size_of::<T>() as u32, N).iter().enumerate() {
        let mut bytes = encode_all(numbers);
        bytes.truncate(160);
        for first in (0..64usize).step_by(8).map(|group| group.saturating_sub(1)) {
            for mask in positions(8 * size_of::<T>() as u32, 1 << 11, turn + first) {
                let mut src = bytes.clone();
                for (at, byte) in src[first..first + 11].iter_mut().enumerate() {
                    let random = rng.next() as usize;
                    let payload = *[0, 1, 1, 0x7f].get(random >> 8 & 0xf).unwrap_or(&(random & 0x7f));
                    *byte = (payload | (mask >> at & 1) << 7) as u8;
                }
                checker.check::<T>(Edge::BOTH[rng.below(2)], &src, N);
            }
        }
    }
}

fn every_length<T: Int>(checker: &mut Checker)
where
    Canonical<T>: Varint<Value = T>,
{
    for numbers in backgrounds(8 * size_of::<T>() as u32, N) {
        let bytes = encode_all(numbers);
        for src in (0..=N).map(|len| &bytes[..len]) {
            for capacity in 0..=count(src) + 1 {
                checker.check::<T>(Edge::BOTH[(src.len() + capacity) % 2], src, capacity);
                checker.scan(src, capacity);
            }
        }
    }
}

mod every_mask_and_length_of {
    use super::*;

    macro_rules! types {
        ($($int:ident)*) => {$(
            #[test]
            fn $int() {
                let checker = &mut Checker::new();
                every_mask::<$int>(checker);
                every_length::<$int>(checker);
            }
        )*};
    }

    types!(u16 i16 u32 i32 u64 i64 u128);
}
