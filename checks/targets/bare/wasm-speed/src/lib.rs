//! Measures every kernel in WebAssembly: the least nanoseconds per value of interleaved rounds.

#![no_std]

use core::{fmt, fmt::Write, hint::black_box};
use zigzag_varint::{Integer, Kernel};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn put(byte: u32);
    safe fn now() -> f64; // in milliseconds
}

struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        Ok(text.bytes().for_each(|byte| put(byte.into())))
    }
}

const N: usize = 64 * 1024; // values in a stream
const SETS: [&str; 5] = ["1B", "2B", "mix", "log", "rand"];

#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    measure::<u64>("u64").and_then(|()| measure::<u32>("u32")).map_or(0, |()| SETS.len())
}

fn measure<T: Integer + TryFrom<u64>>(name: &str) -> fmt::Result {
    let mut times = [[[f64::INFINITY; SETS.len()]; 2]; 4];
    for set in 0..SETS.len() {
        let mut state = 1;
        let values: [T; N] = core::array::from_fn(|_| value(SETS[set], &mut state));
        let mut bytes = [0; N * 10];
        let used = Kernel::SCALAR.encode_slice::<T>(&values, &mut bytes).expect("ten bytes for each value");
        let mut decoded = [T::default(); N];
        for _ in 0..60 {
            for (kernel, times) in Kernel::available().zip(&mut times) {
                let start = now();
                assert_eq!(kernel.encode_slice::<T>(black_box(&values), black_box(&mut bytes)), Ok(used));
                let encoded = now();
                assert!(kernel.decode_slice::<T>(black_box(&bytes[..used]), black_box(&mut decoded)).is_ok());
                let spans = [encoded - start, now() - encoded];
                (0..2).for_each(|way| times[way][set] = times[way][set].min(spans[way] * 1e6 / N as f64));
            }
        }
        assert!(decoded == values, "decoded values differ");
    }
    for (way, direction) in ["encode", "decode"].into_iter().enumerate() {
        for (kernel, times) in Kernel::available().zip(&times) {
            write!(Host, "figure: {direction} {name}={kernel}")?;
            SETS.iter().zip(times[way]).try_for_each(|(set, time)| write!(Host, "; {set}={time:.2}"))?;
            put(b'\n'.into());
        }
    }
    Ok(())
}

/// Returns a random value of a set, as `benches/src/corpus.rs` defines it.
fn value<T: Integer + TryFrom<u64>>(set: &str, state: &mut u64) -> T {
    let mut random = || {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state.rotate_left(32)
    };
    let length = match (set, random() % 100) {
        ("rand", _) => 0,
        ("1B", _) | ("mix", 0..70) => 1,
        ("2B", _) | ("mix", 70..90) => 2,
        ("mix", 90..98) => 3 + random() % 2,
        ("mix", _) => 5 + random() % (T::MAX_LEN as u64 - 4),
        _ => 1 + random() % T::MAX_LEN as u64,
    };
    let wire = match length {
        0 => random() >> (64 - 8 * size_of::<T>()),
        1 => random() % 128,
        _ => (1 << (7 * (length - 1))) | random() % (1 << (7 * (length - 1))),
    };
    T::try_from(wire).ok().expect("not more bits than the type has")
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
