//! This crate's own contenders: what programs call for slices, every kernel, and every API for one value at
//! a time.

use zigzag_varint::{Decoder, Kernel, ReadVarint, Reader, WriteVarint, decode_slice, encode_slice};
use zigzag_varint_results::measurement::OURS;

use crate::contender::{Contender, VALID, get_each, put_each, read_each, write_each};
use crate::corpus::Int;

/// Returns the free functions for slices, and those of every kernel up to the default, such as
/// `ours-scalar`.
pub(crate) fn slices<T: Int>() -> Vec<Contender<T>> {
    let free = Contender::new(
        OURS,
        |src: &[T], dst| encode_slice(src, dst).expect(VALID),
        |src, dst| decode_slice(src, dst).expect(VALID).bytes,
    );
    let contender = |kernel: Kernel| {
        Contender::new(
            format!("ours-{kernel}"),
            move |src, dst| kernel.encode_slice::<T>(src, dst).expect(VALID),
            move |src, dst| kernel.decode_slice::<T>(src, dst).expect(VALID).bytes,
        )
    };
    let default = Kernel::detect();
    let others = Kernel::available().take_while(|kernel| *kernel != default).chain([default]);
    [free].into_iter().chain(others.map(contender)).collect()
}

/// Returns `Varint::encode_to_slice` and `Varint::decode`, the [`Reader`], the [`Decoder`], which takes one
/// byte at a time, and [`ReadVarint`] and [`WriteVarint`] on slices.
pub(crate) fn single_values<T: Int>() -> Vec<Contender<T>> {
    vec![
        Contender::new(
            OURS,
            put_each(|value: T, dst| T::encode_to_slice(value, dst).expect(VALID)),
            get_each(|src| T::decode(src).expect(VALID)),
        ),
        Contender::decoder("ours-reader", |src, dst| {
            let mut reader = Reader::new(src);
            for slot in dst {
                *slot = reader.read::<T>().expect(VALID);
            }
            reader.position()
        }),
        Contender::decoder("ours-decoder", |src, dst| {
            let mut decoder = Decoder::<T>::new();
            let mut slots = dst.iter_mut();
            for &byte in src {
                if let Some(value) = decoder.push(byte).expect(VALID)
                    && let Some(slot) = slots.next()
                {
                    *slot = value;
                }
            }
            src.len()
        }),
        Contender::new(
            "ours-io",
            write_each(|value: T, output| _ = output.write_varint(value).expect(VALID)),
            read_each(|input| input.read_varint::<T>().expect(VALID)),
        ),
        Contender::decoder(
            "ours-next",
            read_each(|input| input.next_varint::<T>().expect(VALID).expect(VALID)),
        ),
    ]
}
