//! A suite for every kernel of this CPU, and for the free functions: values, errors, offsets and bytes
//! must match the oracle.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::property::random::check_random_cases;
use crate::support::child::run_ignored_test;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::wire_types::{Checker, Int, codecs, pair, wire_type};
use crate::support::wires::{
    Rng, THREE_WINDOWS, backgrounds, breakpoints, edge_cases, longest, mixed, positions, uniform,
};
use zigzag_varint::protobuf::Uint32;
use zigzag_varint::{Kernel, MaxLen};
use zigzag_varint_oracle::{self as oracle, encode_all};

/// Runs every check for one integer type.
fn suite(checker: &Checker) {
    every_breakpoint_at_every_lane(checker);
    if has_vector_kernel(checker) {
        one_odd_value_in_long_uniform_runs(checker);
    }
    every_alignment(checker);
    invalid_bytes_at_every_position(checker);
    invalid_bytes_in_long_streams(checker);
    continuation_bytes_without_end(checker);
    too_long_values_after_valid_ones(checker);
    random_runs(checker);
}

/// Whether a kernel has code of its own for this width, and so blocks, windows and loops for runs of equal
/// lengths. Slices of other widths are encoded and decoded value by value.
fn has_vector_kernel(checker: &Checker) -> bool {
    checker.bits() > 8
}

/// The length of streams in which every position is tried, which takes time proportional to its
/// square.
fn span(checker: &Checker) -> usize {
    if has_vector_kernel(checker) { THREE_WINDOWS } else { 48 }
}

/// Places every breakpoint at every position of streams of every other length.
fn every_breakpoint_at_every_lane(checker: &Checker) {
    let lanes = span(checker) / 3;
    for numbers in backgrounds(checker.bits(), lanes) {
        for (turn, odd) in breakpoints(checker.bits()).into_iter().enumerate() {
            positions(checker.bits(), lanes, turn)
                .for_each(|lane| one_odd_value(checker, &numbers, lane, odd));
        }
    }
}

/// Replaces one number, and decodes and encodes all.
fn one_odd_value(checker: &Checker, numbers: &[u128], position: usize, odd: u128) {
    let mut numbers = numbers.to_vec();
    numbers[position] = odd;
    let bytes = encode_all(&numbers);
    checker.decode(&bytes, numbers.len());
    checker.encode(&numbers, bytes.len());
}

/// Places every breakpoint somewhere in a run that is long enough for the widest blocks of equal
/// lengths.
fn one_odd_value_in_long_uniform_runs(checker: &Checker) {
    const RUN: usize = 640;
    const POSITIONS: usize = 12;
    let bits = checker.bits();
    let mut rng = Rng(640);
    for len in 1..=longest(bits) {
        let numbers = uniform(bits, len, RUN);
        for (turn, odd) in breakpoints(bits).into_iter().enumerate() {
            positions(bits, POSITIONS, turn)
                .for_each(|_| one_odd_value(checker, &numbers, rng.below(RUN), odd));
        }
    }
}

/// Decodes sources of 64 lengths that follow each other. Since each ends right before a guard page, they
/// begin at every address modulo 64, the widest window.
fn every_alignment(checker: &Checker) {
    for numbers in backgrounds(checker.bits(), span(checker) + 64) {
        let bytes = encode_all(&numbers);
        for len in span(checker)..span(checker) + 64 {
            checker.decode(&bytes[..len], len);
        }
    }
}

/// Writes each edge case over every position of each stream. The destination has capacity for all
/// values, for those before the edge case, or for one more.
fn invalid_bytes_at_every_position(checker: &Checker) {
    let span = span(checker);
    for numbers in backgrounds(checker.bits(), span) {
        let valid = &encode_all(&numbers)[..span];
        for (turn, edge_case) in edge_cases(checker.bits()).into_iter().enumerate() {
            for at in positions(checker.bits(), span, turn) {
                let bytes = overwritten(valid, at, &edge_case);
                let before = oracle::count(&bytes[..at]);
                [span, before, before + 1].iter().for_each(|&capacity| checker.decode(&bytes, capacity));
                checker.scan(&bytes, before + 1);
            }
        }
    }
}

/// Writes each edge case over a random position of streams that are long enough for the innermost
/// loops.
fn invalid_bytes_in_long_streams(checker: &Checker) {
    let n = if has_vector_kernel(checker) { 1500 } else { THREE_WINDOWS };
    let mut rng = Rng(2015);
    for numbers in backgrounds(checker.bits(), n) {
        let valid = encode_all(&numbers);
        checker.encode(&numbers, valid.len());
        checker.encode(&numbers, valid.len() - 1);
        for edge_case in edge_cases(checker.bits()) {
            let bytes = overwritten(&valid, rng.below(valid.len()), &edge_case);
            checker.decode(&bytes, n + 1);
            checker.scan(&bytes, rng.below(n));
        }
    }
}

/// Continuation bytes without an end in several windows, after some values or none.
fn continuation_bytes_without_end(checker: &Checker) {
    for before in [0, 1, 7, 63, 64, 65, 200] {
        for (byte, run) in [(0x80, 63), (0x80, 64), (0xff, 129), (0x80, 400)] {
            let bytes = [vec![0x01; before], vec![byte; run]].concat();
            checker.decode(&bytes, bytes.len());
            checker.decode(&bytes, before);
            checker.scan(&bytes, before + 1);
        }
    }
}

/// Values of one length that is too long for the type, at every position where a kernel may look
/// for runs of one length.
fn too_long_values_after_valid_ones(checker: &Checker) {
    let longest = longest(checker.bits());
    let too_long = [vec![0x80; longest], vec![0x00]].concat().repeat(60);
    let mut bytes = Vec::new();
    for (n, number) in mixed(checker.bits(), longest, 1500).into_iter().enumerate() {
        bytes.extend(encode_all([number]));
        if (1000..1130).contains(&bytes.len()) {
            checker.decode(&[&bytes[..], &too_long].concat(), n + 2000);
        }
    }
}

/// Returns the stream with the bytes from `at` on overwritten, without a change of its length.
fn overwritten(valid: &[u8], at: usize, edge_case: &[u8]) -> Vec<u8> {
    let mut bytes = [&valid[..at], edge_case, valid.get(at + edge_case.len()..).unwrap_or_default()].concat();
    bytes.truncate(valid.len());
    bytes
}

/// A part of a stream: numbers, or bytes that need not be valid.
type Run = (Vec<u128>, Vec<u8>);

/// Up to a dozen runs for numbers of at most `bits` bits, and a capacity for none, some or all of
/// their values.
fn runs(bits: u32) -> BoxedStrategy<(Vec<Run>, usize)> {
    let lens = || (1..=longest(bits), 1..100usize);
    let run = prop_oneof![
        4 => lens().prop_map(move |(len, n)| (uniform(bits, len, n), vec![])),
        4 => lens().prop_map(move |(longest, n)| (mixed(bits, longest, n), vec![])),
        1 => select(edge_cases(bits)).prop_map(|bytes| (vec![], bytes)),
        1 => vec(any::<u8>(), 0..20).prop_map(|bytes| (vec![], bytes)),
    ];
    (vec(run, 0..12), 0..1500usize).boxed()
}

/// Runs of different kinds in one stream, so that a kernel switches between its loops within a
/// call.
fn random_runs(checker: &Checker) {
    check_random_cases(1000, runs(checker.bits()), &|(runs, capacity): (Vec<Run>, usize)| {
        let parts = runs.iter().flat_map(|(numbers, bytes)| [encode_all(numbers), bytes.clone()]);
        let bytes = parts.collect::<Vec<_>>().concat();
        checker.decode(&bytes, capacity);
        checker.decode(&bytes, oracle::count(&bytes) + 1);
        checker.scan(&bytes, capacity);

        let numbers = runs.into_iter().flat_map(|(numbers, _)| numbers).collect::<Vec<_>>();
        checker.encode(&numbers, encode_all(&numbers).len());
        checker.encode(&numbers, capacity);
    });
}

fn suite_of_every_kernel<T: Int>() {
    suite(&Checker::new(pair::<T>(), codecs()));
}

test_each!(every_kernel_agrees_with_the_oracle_on: suite_of_every_kernel, u16 i16 u32 i32 u64 i64 u128 i128);

/// All kernels encode and decode slices of these types by the scalar loops.
#[test]
fn the_scalar_loops_agree_with_the_oracle_on_8_bit_integers() {
    for rows in [pair::<u8>(), pair::<i8>()] {
        suite(&Checker::new(
            rows,
            Edge::BOTH.map(|edge| [(Some(Kernel::SCALAR), edge), (None, edge)]).concat(),
        ));
    }
}

/// All kernels take slices of `usize` and `isize` for slices of the integers of their width, and
/// share loops for others.
#[test]
fn every_kernel_agrees_with_the_oracle_on_random_runs_of_other_integers() {
    let types =
        [pair::<u8>(), pair::<i8>(), pair::<u128>(), pair::<i128>(), pair::<usize>(), pair::<isize>()];
    types.into_iter().for_each(|rows| random_runs(&Checker::new(rows, codecs())));
}

#[test]
fn every_available_kernel_is_found_by_name_and_one_is_detected() {
    let kernels: Vec<_> = Kernel::available().collect();
    assert_eq!(kernels.first(), Some(&Kernel::SCALAR));
    assert_eq!(kernels.last(), Some(&Kernel::detect()), "the fastest one");
    for kernel in &kernels {
        assert_eq!(Kernel::by_name(kernel.name()), Some(*kernel), "names are unique");
        assert_eq!(kernel.to_string(), kernel.name().to_lowercase());
        assert_eq!(format!("{kernel:?}"), format!("Kernel({kernel})"));
    }
    assert!(kernels.windows(2).all(|pair| pair[0] != pair[1]), "{kernels:?}");
    assert_eq!(Kernel::by_name(""), None);
}

#[test]
fn the_suite_detects_another_rule() {
    let [lenient, canonical] = pair::<u32>();
    let short = wire_type::<MaxLen<u32, 4>>();
    for rows in [[canonical; 2], [lenient; 2], [short, canonical], pair::<Uint32>()] {
        let checker =
            Checker { rule: lenient.rule(), rows, codecs: vec![(Some(Kernel::SCALAR), Edge::Back)] };
        let failed = catch_unwind(AssertUnwindSafe(|| suite(&checker)));
        let message = failed.expect_err("the suite passes").downcast::<String>();
        assert!(message.is_ok_and(|message| message.contains("decodes")), "{}", rows[0].name());
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
    for edge in Edge::BOTH {
        let edge = format!("{edge:?}");
        let child = run_ignored_test("kernels::access_out_of_bounds", &[(GUARD_PAGE, &edge)]);
        let Some(output) = child else { return };
        assert!(!output.status.success(), "{edge}: {output:?}");
    }
}
