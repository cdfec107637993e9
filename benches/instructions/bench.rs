//! The counted operations: streams on each kernel that valgrind can run, and the APIs for one
//! value. A limit fails a benchmark, and stands beside it.
#![allow(missing_docs)] // gungraun's macros make public items

#[path = "../src/corpus.rs"]
#[allow(dead_code)] // the benchmarks use more of it
mod corpus;

use std::hint::black_box;

use corpus::{Int, SHORT, Set, Stream};
use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use zigzag_varint::{Kernel, Reader, Varint as _};

/// A kernel, a stream, and buffers for the results.
struct Work<T> {
    kernel: Kernel,
    stream: Stream<T>,
    values: Vec<T>,
    bytes: Vec<u8>,
}

/// Prepares what is not counted: the numbers, the buffers, and the first detection of CPU features.
fn work<T: Int>(kernel: &str) -> Work<T> {
    let kernel =
        Kernel::by_name(kernel).expect("a CPU with AVX2, which valgrind emulates on one that has it");
    let stream = Stream::<T>::new(Set::Mix, SHORT);
    let mut bytes = vec![0; Stream::<T>::max_len(SHORT)];
    let _ = (Kernel::detect(), T::encode_to_slice(stream.values[0], &mut bytes));
    Work { kernel, stream, values: vec![T::default(); SHORT], bytes }
}

fn encode<T: Int>(work: &mut Work<T>) -> usize {
    let Work { kernel, stream, bytes, .. } = work;
    kernel.encode_slice::<T>(black_box(&stream.values), bytes).expect("space for the longest encodings")
}

fn decode<T: Int>(work: &mut Work<T>) -> usize {
    let Work { kernel, stream, values, .. } = work;
    kernel.decode_slice::<T>(black_box(&stream.bytes), values).expect("a valid stream").bytes
}

/// Fails a benchmark of more than 3 % above this count of instructions. The counts are those of
/// rustc 1.95; another compiler generates other code.
fn counted(instructions: u64) -> LibraryBenchmarkConfig {
    let limit = instructions * 103 / 100;
    let mut config = LibraryBenchmarkConfig::default();
    let mut callgrind = Callgrind::with_args(["--cache-sim=no"]);
    config.tool(callgrind.format([EventKind::Ir]).hard_limits([(EventKind::Ir, limit)]));
    config
}

// Each function returns its work, so that freeing it is not counted.

/// Defines benchmarks of streams, each with the counts of the kernels.
macro_rules! streams {
    ($($name:ident: $operation:ident $int:ident $scalar:literal $swar:literal $sse:literal $avx2:literal;)*) => {$(
        #[library_benchmark(setup = work)]
        #[bench::scalar(args = ("scalar"), config = counted($scalar))]
        #[bench::swar(args = ("swar"), config = counted($swar))]
        #[bench::sse(args = ("sse"), config = counted($sse))]
        #[bench::avx2(args = ("avx2"), config = counted($avx2))]
        fn $name(mut work: Work<$int>) -> (Work<$int>, usize) {
            let bytes = $operation(&mut work);
            (work, black_box(bytes))
        }
    )*};
}

streams! {
    encode_u64_mix: encode u64 18_528 33_845 15_993 10_146;
    decode_u64_mix: decode u64 23_451 28_889 11_843 7_648;
    encode_u32_mix: encode u32 18_777 26_548 14_444 9_073;
    decode_u32_mix: decode u32 21_340 26_882 10_227 6_368;
}

// `Varint::encode_to_slice`, value by value.
#[library_benchmark(setup = work)]
#[bench::single(args = ("scalar"), config = counted(30_674))]
fn encode_u64_values(mut work: Work<u64>) -> (Work<u64>, usize) {
    let mut at = 0;
    for value in black_box(&work.stream.values) {
        at += u64::encode_to_slice(*value, &mut work.bytes[at..]).expect("space for the longest encodings");
    }
    (work, black_box(at))
}

// `Varint::decode`, value by value.
#[library_benchmark(setup = work)]
#[bench::single(args = ("scalar"), config = counted(24_411))]
fn decode_u64_values(mut work: Work<u64>) -> (Work<u64>, usize) {
    let src = black_box(&work.stream.bytes);
    let mut at = 0;
    for slot in &mut work.values {
        let (value, len) = u64::decode(&src[at..]).expect("a valid stream");
        *slot = value;
        at += len;
    }
    (work, black_box(at))
}

// One `Reader` over the whole stream.
#[library_benchmark(setup = work)]
#[bench::reader(args = ("scalar"), config = counted(44_059))]
fn read_u64_values(mut work: Work<u64>) -> (Work<u64>, usize) {
    let mut reader = Reader::new(black_box(&work.stream.bytes));
    for slot in &mut work.values {
        *slot = reader.read::<u64>().expect("a valid stream");
    }
    let at = reader.position();
    (work, black_box(at))
}

library_benchmark_group!(
    name = mix,
    benchmarks = [
        encode_u64_mix,
        decode_u64_mix,
        encode_u32_mix,
        decode_u32_mix,
        encode_u64_values,
        decode_u64_values,
        read_u64_values
    ]
);

main!(library_benchmark_groups = mix);
