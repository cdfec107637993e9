//! One call of a kernel, for `../../neon.py`: `kernels KERNEL TYPE encode|decode SET`. `mark` is
//! called before and after it.

#[path = "../../../../benches/src/corpus.rs"]
#[allow(dead_code)] // the benchmarks use more of it
mod corpus;

use std::env::args;
use std::hint::black_box;

use corpus::{Int, SHORT, Set, Stream};
use zigzag_varint::Kernel;

#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn mark() {
    black_box(());
}

fn call<T: Int>(kernel: Kernel, encode: bool, set: Set) {
    let Stream { mut values, mut bytes } = Stream::<T>::new(set, SHORT);
    mark();
    if encode {
        let _ = black_box(kernel.encode_slice::<T>(black_box(&values), black_box(&mut bytes)));
    } else {
        let _ = black_box(kernel.decode_slice::<T>(black_box(&bytes), black_box(&mut values)));
    }
    mark();
}

fn main() {
    let [_, kernel, integer, direction, set] = &args().collect::<Vec<_>>()[..] else {
        panic!("four arguments")
    };
    let kernel = Kernel::by_name(kernel).expect("a kernel of this machine");
    let set = Set::HEADLINE.into_iter().find(|known| known.name() == *set).expect("a set of the benchmarks");
    match &integer[..] {
        "u32" => call::<u32>(kernel, direction == "encode", set),
        _ => call::<u64>(kernel, direction == "encode", set),
    }
}
