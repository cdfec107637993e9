//! Measures `encode_slice` and `decode_slice` on every kernel in WebAssembly, and a map tile, and prints
//! tables in Markdown. The host has functions for the time and the output.

#![no_std]

mod sets;
mod tile;

use core::fmt::{self, Write};
use core::hint::black_box;

use sets::{Int, N, Set};
use zigzag_varint::Kernel;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Prints a byte.
    safe fn put(byte: u32);
    /// Returns the time in milliseconds.
    safe fn now() -> f64;
}

struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| put(byte.into()));
        Ok(())
    }
}

/// The number of rounds in which each kernel has one turn. The least time counts.
const ROUNDS: usize = 60;
/// The number of calls in one turn.
const CALLS: usize = 4;
/// More kernels than there are for WebAssembly.
const KERNELS: usize = 4;

/// Measures everything and returns the number of tables.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    table::<u64>("u64").and_then(|()| table::<u32>("u32")).and_then(|()| tile::table()).map_or(0, |()| 3)
}

/// Prints the table of a type.
fn table<T: Int>(name: &str) -> fmt::Result {
    let mut times = [[[f64::INFINITY; KERNELS]; 2]; Set::ALL.len()];
    for (set, times) in Set::ALL.into_iter().zip(&mut times) {
        measure::<T>(set, times);
    }
    for (row, direction) in ["encode", "decode"].into_iter().enumerate() {
        write!(Host, "| {direction} {name} |")?;
        Set::ALL.iter().try_for_each(|set| write!(Host, " {} |", set.name()))?;
        write!(Host, "\n|---|")?;
        Set::ALL.iter().try_for_each(|_| write!(Host, "--:|"))?;
        for (column, kernel) in Kernel::available().enumerate() {
            write!(Host, "\n| {kernel} |")?;
            times.iter().try_for_each(|set| write!(Host, " {:.2} |", set[row][column]))?;
        }
        write!(Host, "\n\n")?;
    }
    Ok(())
}

/// Updates the least times of both directions, in nanoseconds per value.
fn measure<T: Int>(set: Set, times: &mut [[f64; KERNELS]; 2]) {
    let values: [T; N] = set.values();
    let mut bytes = [0; N * 10];
    let used = Kernel::SCALAR.encode_slice(&values, &mut bytes).expect("ten bytes for each value");
    let mut decoded = [T::default(); N];
    for _ in 0..ROUNDS {
        for (column, kernel) in Kernel::available().enumerate() {
            let encoding = time(|| {
                assert_eq!(kernel.encode_slice(black_box(&values), black_box(&mut bytes)), Ok(used));
            });
            let decoding = time(|| {
                let decoded = kernel.decode_slice(black_box(&bytes[..used]), black_box(&mut decoded));
                assert!(decoded.is_ok_and(|done| done.values == N));
            });
            for (least, time) in times.iter_mut().zip([encoding, decoding]) {
                least[column] = least[column].min(time);
            }
        }
    }
    assert!(decoded == values, "decoded values differ");
}

/// Returns the time of one call in nanoseconds per value.
fn time(mut call: impl FnMut()) -> f64 {
    let start = now();
    (0..CALLS).for_each(|_| call());
    (now() - start) * 1e6 / (CALLS * N) as f64
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    // A failure of the output cannot be reported.
    let _ = writeln!(Host, "{info}");
    core::arch::wasm32::unreachable()
}
