//! The two kinds of work: bursts of a kernel, and scalar code whose speed is the clock of the core.

use std::hint::black_box;
use std::time::{Duration, Instant};

use zigzag_varint::Kernel;

use crate::ratio::median;

/// The number of values in the stream of a burst. Values and bytes fit the first-level cache.
const VALUES: usize = 1024;

/// A stream that a kernel encodes and decodes.
pub(crate) struct Burst {
    kernel: Kernel,
    values: Vec<u64>,
    bytes: Vec<u8>,
}

impl Burst {
    /// Creates a stream of all encoded lengths.
    pub(crate) fn new(kernel: Kernel) -> Self {
        let values = (0..VALUES as u64).map(|index| u64::MAX >> (index * 37 % 64)).collect();
        Self { kernel, values, bytes: vec![0; 10 * VALUES] }
    }

    /// Encodes and decodes until the time is over.
    pub(crate) fn run(&mut self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            let Self { kernel, values, bytes } = self;
            let len = kernel.encode_slice(black_box(values), bytes).expect("enough space");
            kernel.decode_slice(black_box(&bytes[..len]), values).expect("valid bytes");
        }
    }
}

/// Steps of five cycles, each of which needs the result of the one before. They use neither memory
/// nor vectors, so their speed is that of the core's clock.
pub(crate) struct ScalarWork;

impl ScalarWork {
    /// The time that a piece of the work takes about, at 2 to 5 GHz. CPUs that change their
    /// frequency for AVX-512 keep it changed for about a millisecond, so a piece lies within it.
    pub(crate) const TYPICAL: Duration = Duration::from_micros(100);
    const STEPS: usize = 60_000;

    /// Does pieces of the work for some time, each after a call of `before`. Returns the median time
    /// of a piece in nanoseconds.
    pub(crate) fn median(duration: Duration, mut before: impl FnMut()) -> f64 {
        let start = Instant::now();
        let mut times = Vec::new();
        while start.elapsed() < duration || times.is_empty() {
            before();
            let piece = Instant::now();
            let mut state: u64 = black_box(3);
            for _ in 0..Self::STEPS {
                state = (state ^ state >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            black_box(state);
            times.push(piece.elapsed().as_nanos() as f64);
        }
        median(&mut times).unwrap_or(f64::NAN)
    }
}
