//! A suite for every kernel of this CPU, and for the free functions: values, errors, offsets and bytes
//! must match the oracle.

use crate::support::faulty_kernels::InjectedFault;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::kernel_checks::{Checker, Tested};
use crate::support::oracle::{self, Int};
use crate::support::strategies::{Run, check_random, runs};
use crate::support::streams::{backgrounds, breakpoints, edge_cases, mixed, uniform};
use crate::support::stride::positions;
use crate::support::wires::{Rng, wire_range};
use zigzag_varint::Kernel;

/// Runs every check for one integer type.
fn suite<T: Int>(codecs: Vec<Tested>) {
    let mut checker = Checker::new(codecs, 1 << 16);
    every_input_length::<T>(&mut checker);
    every_capacity::<T>(&mut checker);
    every_alignment::<T>(&mut checker);
    every_breakpoint_at_every_lane::<T>(&mut checker);
    if has_vector_kernel::<T>() {
        one_odd_value_in_long_uniform_runs::<T>(&mut checker);
        two_lengths_in_every_pattern_of_eight::<T>(&mut checker);
    }
    one_odd_value_in_short_slices::<T>(&mut checker);
    invalid_bytes_at_every_position::<T>(&mut checker);
    invalid_bytes_in_long_streams::<T>(&mut checker);
    continuation_bytes_without_end::<T>(&mut checker);
    too_long_values_after_valid_ones::<T>(&mut checker);
    random_runs::<T>(checker);
}

/// Short slices of values of one byte with another value, or an invalid encoding, at every position,
/// and space for every number of values around it.
fn one_odd_value_in_short_slices<T: Int>(checker: &mut Checker) {
    for (before, after) in (0..36).flat_map(|before| [(before, 0), (before, 1), (before, 27)]) {
        let ones = uniform::<T>(1, before + after);
        for odd in edge_cases::<T>() {
            let (first, last) = (oracle::encode_all(&ones[..before]), oracle::encode_all(&ones[before..]));
            let bytes = [first, odd, last].concat();
            for capacity in [before, before + 1, before + 2, 64] {
                checker.decode::<T>(&bytes, capacity);
            }
        }
        let zeros = vec![T::from_wire(0).expect("every type has zero"); before + after];
        for (odd, others) in breakpoints().into_iter().flat_map(|odd| [(odd, &ones), (odd, &zeros)]) {
            let mut values = others.clone();
            values.insert(before, odd);
            let needed = oracle::encode_all(&values).len();
            for capacity in [before, needed - 1, needed, needed + 100] {
                checker.encode(&values, capacity);
            }
        }
    }
}

/// More than three of the widest windows.
const THREE_WINDOWS: usize = 3 * 64 + 20;

/// Whether a kernel has vector code for this width, and so blocks, windows and loops for runs of equal
/// lengths. Slices of other widths are encoded and decoded value by value.
fn has_vector_kernel<T: Int>() -> bool {
    matches!(T::BITS, 16 | 32 | 64)
}

/// The length of streams in which every position is tried, which takes time proportional to its
/// square.
fn span<T: Int>() -> usize {
    if has_vector_kernel::<T>() { THREE_WINDOWS } else { 48 }
}

/// Every length up to the span, and those around 128, where the free functions change to a kernel.
fn lengths<T: Int>() -> impl Iterator<Item = usize> {
    (0..=span::<T>()).chain(126..=130)
}

/// Truncates streams of each kind after every byte.
fn every_input_length<T: Int>(checker: &mut Checker) {
    for values in backgrounds::<T>(THREE_WINDOWS) {
        let bytes = oracle::encode_all(&values);
        for len in lengths::<T>() {
            checker.decode::<T>(&bytes[..len], len);
            checker.scan(&bytes[..len], len / 3);
        }
    }
}

/// Decodes and encodes into destinations of every capacity, up to and around the exact length.
fn every_capacity<T: Int>(checker: &mut Checker) {
    for values in backgrounds::<T>(THREE_WINDOWS) {
        let bytes = oracle::encode_all(&values);
        for n in lengths::<T>() {
            checker.decode::<T>(&bytes, n);
            checker.scan(&bytes, n);
            let needed = oracle::encode_all(&values[..n]).len();
            for capacity in [0, needed.saturating_sub(1), needed, needed + 1, needed + 100] {
                checker.encode(&values[..n], capacity);
            }
        }
    }
}

fn every_alignment<T: Int>(checker: &mut Checker) {
    for values in backgrounds::<T>(span::<T>()) {
        checker.decode_unaligned::<T>(&oracle::encode_all(&values));
    }
}

/// Places every breakpoint at every position of streams of every other length.
fn every_breakpoint_at_every_lane<T: Int>(checker: &mut Checker) {
    let lanes = span::<T>() / 3;
    for mut values in backgrounds::<T>(lanes) {
        for (turn, value) in breakpoints().into_iter().enumerate() {
            for lane in positions(lanes, turn) {
                let original = std::mem::replace(&mut values[lane], value);
                let bytes = oracle::encode_all(&values);
                checker.decode::<T>(&bytes, lanes);
                checker.encode(&values, bytes.len());
                values[lane] = original;
            }
        }
    }
}

/// Places every breakpoint somewhere in a run that is long enough for the widest blocks of equal
/// lengths.
fn one_odd_value_in_long_uniform_runs<T: Int>(checker: &mut Checker) {
    const RUN: usize = 640;
    const POSITIONS: usize = 12;
    let mut rng = Rng(640);
    for len in 1..=T::LONGEST {
        let mut values = uniform::<T>(len, RUN);
        for value in breakpoints() {
            for _ in 0..POSITIONS {
                let position = rng.below(RUN);
                let original = std::mem::replace(&mut values[position], value);
                let bytes = oracle::encode_all(&values);
                checker.decode::<T>(&bytes, RUN);
                checker.encode(&values, bytes.len());
                values[position] = original;
            }
        }
    }
}

/// A run of one length, followed by values of two lengths in every pattern of eight lanes. A kernel
/// that tests only some lanes or bits of a vector takes them for values of one length. The values
/// are random, the smallest (powers of two), or the largest of their length.
fn two_lengths_in_every_pattern_of_eight<T: Int>(checker: &mut Checker) {
    const RUN: usize = 64;
    const N: usize = RUN + 160;
    let random = (1..=T::LONGEST).map(|len| uniform(len, N)).collect();
    let [smallest, largest] = [0, 1].map(|end| {
        let ends = (1..=T::LONGEST).map(|len| T::from_wire(<[u128; 2]>::from(wire_range(T::BITS, len))[end]));
        ends.map(|value| vec![value.expect("within the type"); N]).collect()
    });
    let kinds: [Vec<Vec<T>>; 3] = [random, smallest, largest];
    for (turn, two) in kinds.iter().flat_map(|kind| pairs(kind)).enumerate() {
        for pattern in positions(256, turn) {
            // The run has the length of the last lane.
            let lane = |at| if at < RUN { 7 } else { at % 8 };
            let values: Vec<T> = (0..N).map(|at| two[pattern >> lane(at) & 1][at]).collect();
            let bytes = oracle::encode_all(&values);
            checker.decode::<T>(&bytes, N);
            checker.encode(&values, bytes.len());
        }
    }
}

/// Returns every pair once. The other order is not necessary, because the patterns cover both.
fn pairs<T>(all: &[T]) -> impl Iterator<Item = [&T; 2]> {
    all.iter().enumerate().flat_map(move |(at, one)| all[..at].iter().map(move |other| [one, other]))
}

/// Writes each edge case over every position of each stream. The destination has capacity for all
/// values, for those before the edge case, or for one more.
fn invalid_bytes_at_every_position<T: Int>(checker: &mut Checker) {
    let span = span::<T>();
    for values in backgrounds::<T>(span) {
        let valid = &oracle::encode_all(&values)[..span];
        for (turn, edge_case) in edge_cases::<T>().into_iter().enumerate() {
            for at in positions(span, turn) {
                let bytes = overwritten(valid, at, &edge_case);
                let before = oracle::count(&bytes[..at]);
                checker.decode::<T>(&bytes, span);
                checker.decode::<T>(&bytes, before);
                checker.decode::<T>(&bytes, before + 1);
                checker.scan(&bytes, before + 1);
            }
        }
    }
}

/// Writes each edge case over a random position of streams that are long enough for the innermost
/// loops.
fn invalid_bytes_in_long_streams<T: Int>(checker: &mut Checker) {
    let n = if has_vector_kernel::<T>() { 1500 } else { THREE_WINDOWS };
    let mut rng = Rng(2015);
    for values in backgrounds::<T>(n) {
        let valid = oracle::encode_all(&values);
        checker.encode(&values, valid.len());
        checker.encode(&values, valid.len() - 1);
        for edge_case in edge_cases::<T>() {
            let bytes = overwritten(&valid, rng.below(valid.len()), &edge_case);
            checker.decode::<T>(&bytes, n + 1);
            checker.scan(&bytes, rng.below(n));
        }
    }
}

/// Continuation bytes without an end in several windows, after some values or none.
fn continuation_bytes_without_end<T: Int>(checker: &mut Checker) {
    for before in [0, 1, 7, 63, 64, 65, 200] {
        for (byte, run) in [(0x80, 63), (0x80, 64), (0xff, 129), (0x80, 400)] {
            let bytes = [vec![0x01; before], vec![byte; run]].concat();
            checker.decode::<T>(&bytes, bytes.len());
            checker.decode::<T>(&bytes, before);
            checker.scan(&bytes, before + 1);
        }
    }
}

/// Values of one length that is too long for the type, at every position where a kernel may look
/// for runs of one length.
fn too_long_values_after_valid_ones<T: Int>(checker: &mut Checker) {
    let too_long = [vec![0x80; T::LONGEST], vec![0x00]].concat().repeat(60);
    let valid = mixed::<T>(T::LONGEST, 1500);
    let mut bytes = Vec::new();
    for (n, &value) in valid.iter().enumerate() {
        bytes.extend(oracle::encode(value));
        if (1000..1130).contains(&bytes.len()) {
            checker.decode::<T>(&[&bytes[..], &too_long].concat(), n + 2000);
        }
    }
}

/// Returns the stream with the bytes from `at` on overwritten, without a change of its length.
fn overwritten(valid: &[u8], at: usize, edge_case: &[u8]) -> Vec<u8> {
    let mut bytes = [&valid[..at], edge_case, valid.get(at + edge_case.len()..).unwrap_or_default()].concat();
    bytes.truncate(valid.len());
    bytes
}

/// Runs of different kinds in one stream, so that a kernel switches between its loops within a
/// call.
fn random_runs<T: Int>(checker: Checker) {
    let checker = std::cell::RefCell::new(checker);
    check_random(runs::<T>(), &|(runs, capacity): (Vec<Run<T>>, usize)| {
        let mut checker = checker.borrow_mut();
        let bytes = runs.iter().flat_map(Run::bytes).collect::<Vec<_>>();
        checker.decode::<T>(&bytes, capacity);
        checker.decode::<T>(&bytes, oracle::count(&bytes) + 1);
        checker.scan(&bytes, capacity);

        let values = runs.iter().flat_map(Run::values).copied().collect::<Vec<_>>();
        checker.encode(&values, oracle::encode_all(&values).len());
        checker.encode(&values, capacity);
    });
}

/// Returns every kernel of this CPU, and the free functions, which have loops of their own for short
/// slices.
fn all_codecs() -> Vec<Tested> {
    Kernel::available().map(Tested::Kernel).chain([Tested::FreeFunctions]).collect()
}

/// Runs every check for one integer type and every codec.
fn check<T: Int>() {
    suite::<T>(all_codecs());
}
for_types!(every_kernel_agrees_with_the_oracle_on, check, u16 i16 u32 i32 u64 i64);

/// Runs every check for a type whose slices all kernels encode and decode by the scalar loops.
fn check_scalar_loops<T: Int>() {
    suite::<T>(vec![Tested::Kernel(Kernel::SCALAR), Tested::FreeFunctions]);
}
for_types!(the_scalar_loops_agree_with_the_oracle_on, check_scalar_loops, u8 i8 u128 i128);

/// All kernels take slices of `usize` and `isize` for slices of the integers of their width, and
/// share the scalar loops for others.
fn check_random_runs<T: Int>() {
    random_runs::<T>(Checker::new(all_codecs(), 1 << 16));
}
for_types!(every_kernel_agrees_with_the_oracle_on_random_runs_of, check_random_runs, usize isize u8 i8 u128 i128);

#[test]
fn every_available_kernel_is_found_by_name_and_one_is_detected() {
    let kernels: Vec<_> = Kernel::available().collect();
    assert_eq!(kernels.first(), Some(&Kernel::SCALAR));
    assert!(kernels.contains(&Kernel::detect()));
    for kernel in &kernels {
        assert_eq!(Kernel::by_name(kernel.name()), Some(*kernel), "names are unique");
        assert_eq!(kernel.to_string(), kernel.name().to_lowercase());
        assert_eq!(format!("{kernel:?}"), format!("Kernel({kernel})"));
    }
    assert!(kernels.windows(2).all(|pair| pair[0] != pair[1]), "{kernels:?}");
    assert_eq!(Kernel::by_name(""), None);
}

#[test]
fn the_suite_detects_every_injected_fault() {
    for injected in InjectedFault::ALL {
        let message = std::panic::catch_unwind(|| suite::<u32>(vec![Tested::Faulty(injected)]));
        let message = message.expect_err(&format!("{injected:?} is not detected"));
        let message = message.downcast::<String>().expect("the message of an assertion");
        assert!(
            message.contains("injected fault"),
            "{injected:?} fails an assertion about the result: {message}"
        );
    }
}

/// The environment variable that chooses the guard page of [`access_out_of_bounds`]. Without it the
/// test does nothing.
const GUARD_PAGE: &str = "ZIGZAG_VARINT_GUARD_PAGE";

#[test]
#[ignore = "ends the process; the test below runs it in a child process"]
fn access_out_of_bounds() {
    let Ok(edge) = std::env::var(GUARD_PAGE) else { return };
    let edge = if edge == "Front" { Edge::Front } else { Edge::Back };
    Guarded::new(1).access_out_of_bounds(edge);
}

#[test]
fn an_access_outside_the_slice_ends_the_process() {
    let program = std::env::current_exe().expect("this test program");
    for edge in Edge::BOTH {
        let mut command = std::process::Command::new(&program);
        command
            .args(["--ignored", "--exact", "kernels::access_out_of_bounds"])
            .env(GUARD_PAGE, format!("{edge:?}"));
        // An emulator may be unable to start a child process. Then nothing can be checked.
        let Ok(output) = command.output() else { return };
        assert!(!output.status.success(), "{edge:?}: {output:?}");
    }
}
