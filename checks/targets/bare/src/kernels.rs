//! One call of a kernel, for `../../neon.py`: `kernels KERNEL TYPE encode|decode SET`. `mark` is
//! called before and after it.

use std::env::args;
use std::hint::black_box;

use zigzag_varint::{Integer, Kernel};

/// The number of values, enough that the ends of the slices matter little.
const VALUES: u64 = 1024;

#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn mark() {
    black_box(());
}

/// Returns the numbers of a set of `docs/speed.md`, as they are on the wire.
fn numbers(set: &str, longest: u64) -> Vec<u64> {
    let mut state = 0x7a69_677a_6167_0001_u64;
    let mut random = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let bits = if longest == 10 { 64 } else { 32 };
    let of_length = |len: u64, random: u64| {
        let top = bits.min(7 * len) - 1; // the highest bit, which is set unless the length is one
        let lowest = if len == 1 { 0 } else { 1 << (7 * (len - 1)).min(top) };
        lowest | random & (u64::MAX >> (63 - top)) >> u32::from(7 * len > bits)
    };
    (0..VALUES)
        .map(|index| {
            let (percent, any) = (random() % 100, random());
            let len = match set {
                "1B" => 1,
                "2B" => 2,
                "mix" if percent < 70 => 1,
                "mix" if percent < 90 => 2,
                "mix" if percent < 98 => 3 + any % 2,
                "skew" if percent < 95 => 1,
                "mix" | "skew" => 5 + any % (longest - 4),
                "tile" => 1 + u64::from(percent >= 86) + u64::from(percent >= 99),
                "log" => 1 + any % longest,
                "rand" => return any >> (64 - bits),
                "1e8" => return 100_000_000 + index,
                _ => return (u64::MAX >> (64 - bits)) - index,
            };
            of_length(len, random())
        })
        .collect()
}

fn call<T: Integer + TryFrom<u64> + Default>(kernel: Kernel, encode: bool, set: &str) {
    let longest = (8 * size_of::<T>() as u64).div_ceil(7);
    let mut values: Vec<T> = numbers(set, longest).into_iter().filter_map(|wire| T::try_from(wire).ok()).collect();
    assert_eq!(values.len() as u64, VALUES);
    let mut bytes = vec![0; 10 * values.len()];
    let len = kernel.encode_slice::<T>(&values, &mut bytes).expect("space for all encodings");
    mark();
    if encode {
        let _ = black_box(kernel.encode_slice::<T>(black_box(&values), black_box(&mut bytes)));
    } else {
        let _ = black_box(kernel.decode_slice::<T>(black_box(&bytes[..len]), black_box(&mut values)));
    }
    mark();
}

fn main() {
    let [_, kernel, integer, direction, set] = &args().collect::<Vec<_>>()[..] else { panic!("four arguments") };
    let kernel = Kernel::by_name(kernel).expect("a kernel of this machine");
    match &integer[..] {
        "u32" => call::<u32>(kernel, direction == "encode", set),
        _ => call::<u64>(kernel, direction == "encode", set),
    }
}
