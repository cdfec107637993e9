//! One suite over every kernel of this CPU: each must give the oracle's values, errors, offsets and
//! bytes.

use crate::support::faulty_kernels::InjectedFault;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::kernel_checks::{Bulk, Checker};
use crate::support::oracle::{self, Int};
use crate::support::strategies::{Run, check_random, runs};
use crate::support::streams::{Rng, backgrounds, breakpoints, edge_cases, mixed, uniform, wire_range};
use crate::support::stride::places;
use zigzag_varint::Kernel;

/// Every check, for one element type.
fn suite<T: Int>(codecs: Vec<impl Bulk>) {
    let mut checker = Checker::new(codecs, 1 << 16);
    every_input_length::<T>(&mut checker);
    every_capacity::<T>(&mut checker);
    every_alignment::<T>(&mut checker);
    every_breakpoint_at_every_lane::<T>(&mut checker);
    one_odd_value_in_long_uniform_runs::<T>(&mut checker);
    two_lengths_in_every_pattern_of_eight::<T>(&mut checker);
    bad_bytes_at_every_position::<T>(&mut checker);
    bad_bytes_in_long_streams::<T>(&mut checker);
    continuation_bytes_without_end::<T>(&mut checker);
    too_long_values_after_valid_ones::<T>(&mut checker);
    random_runs::<T>(checker);
}

/// Three of the widest windows and some.
const THREE_WINDOWS: usize = 3 * 64 + 20;

/// As many, and one window for the widths that no vector kernel is for: what is tried at every
/// place takes the square of it.
fn span<T: Int>() -> usize {
    if matches!(T::BITS, 16 | 32 | 64) { THREE_WINDOWS } else { 64 + 20 }
}

/// Streams of each shape, cut after each byte: truncation wherever it can happen.
fn every_input_length<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(THREE_WINDOWS) {
        let bytes = oracle::encode_all(&values);
        for len in 0..=THREE_WINDOWS {
            checker.decode::<T>(&bytes[..len], len);
            checker.scan(&bytes[..len], len / 3);
        }
    }
}

/// Destinations from none to enough, for decode and encode, and one byte around the exact need.
fn every_capacity<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(THREE_WINDOWS) {
        let bytes = oracle::encode_all(&values);
        for n in 0..=THREE_WINDOWS {
            checker.decode::<T>(&bytes, n);
            checker.scan(&bytes, n);
            let need = oracle::encode_all(&values[..n]).len();
            for capacity in [0, need.saturating_sub(1), need, need + 1, need + 100] {
                checker.encode(&values[..n], capacity);
            }
        }
    }
}

fn every_alignment<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(span::<T>()) {
        checker.decode_unaligned::<T>(&oracle::encode_all(&values));
    }
}

/// Values where the encoded length changes, one at a time, in each place of streams of every other
/// length.
fn every_breakpoint_at_every_lane<T: Int>(checker: &mut Checker<impl Bulk>) {
    let lanes = span::<T>() / 3;
    for mut values in backgrounds::<T>(lanes) {
        for (turn, value) in breakpoints().into_iter().enumerate() {
            for lane in places(lanes, turn) {
                let usual = std::mem::replace(&mut values[lane], value);
                let bytes = oracle::encode_all(&values);
                checker.decode::<T>(&bytes, lanes);
                checker.encode(&values, bytes.len());
                values[lane] = usual;
            }
        }
    }
}

/// Values where the encoded length changes, one at a time, somewhere in a run that is long enough
/// for the widest blocks of equal lengths.
fn one_odd_value_in_long_uniform_runs<T: Int>(checker: &mut Checker<impl Bulk>) {
    const RUN: usize = 640;
    const PLACES: usize = 12;
    let mut rng = Rng(640);
    for len in 1..=T::LONGEST {
        let mut values = uniform::<T>(len, RUN);
        for value in breakpoints() {
            for _ in 0..PLACES {
                let place = rng.below(RUN);
                let usual = std::mem::replace(&mut values[place], value);
                let bytes = oracle::encode_all(&values);
                checker.decode::<T>(&bytes, RUN);
                checker.encode(&values, bytes.len());
                values[place] = usual;
            }
        }
    }
}

/// A run of one length, and after it values of two lengths, so that some lanes of each vector have
/// the one and the rest the other: a look at a whole vector that sees some lanes or some bits alone
/// takes them for one length. Any values, the least (round numbers) and the greatest.
fn two_lengths_in_every_pattern_of_eight<T: Int>(checker: &mut Checker<impl Bulk>) {
    const RUN: usize = 64;
    const N: usize = RUN + 160;
    if !matches!(T::BITS, 16 | 32 | 64) {
        return; // no vector kernel is for them
    }
    let any = (1..=T::LONGEST).map(|len| uniform(len, N)).collect();
    let [least, greatest] = [0, 1].map(|end| {
        let ends = (1..=T::LONGEST).map(|len| T::from_wire(<[u128; 2]>::from(wire_range::<T>(len))[end]));
        ends.map(|value| vec![value.expect("within the type"); N]).collect()
    });
    let kinds: [Vec<Vec<T>>; 3] = [any, least, greatest];
    for (turn, two) in kinds.iter().flat_map(|kind| pairs(kind)).enumerate() {
        for pattern in places(256, turn) {
            // The run is of the length of the last lane.
            let lane = |at| if at < RUN { 7 } else { at % 8 };
            let values: Vec<T> = (0..N).map(|at| two[pattern >> lane(at) & 1][at]).collect();
            let bytes = oracle::encode_all(&values);
            checker.decode::<T>(&bytes, N);
            checker.encode(&values, bytes.len());
        }
    }
}

/// Each two of them once: the patterns come both ways round.
fn pairs<T>(all: &[T]) -> impl Iterator<Item = [&T; 2]> {
    all.iter().enumerate().flat_map(move |(at, one)| all[..at].iter().map(move |other| [one, other]))
}

/// Bad and nearly bad varints over each byte of each stream, with capacity for all, and up to the
/// bad one alone.
fn bad_bytes_at_every_position<T: Int>(checker: &mut Checker<impl Bulk>) {
    let span = span::<T>();
    for values in backgrounds::<T>(span) {
        let valid = &oracle::encode_all(&values)[..span];
        for (turn, bad) in edge_cases::<T>().into_iter().enumerate() {
            for at in places(span, turn) {
                let bytes = overwritten(valid, at, &bad);
                let before = oracle::count(&bytes[..at]);
                checker.decode::<T>(&bytes, span);
                checker.decode::<T>(&bytes, before);
                checker.decode::<T>(&bytes, before + 1);
                checker.scan(&bytes, before + 1);
            }
        }
    }
}

/// The same here and there in streams that keep a kernel in its innermost loop for a while.
fn bad_bytes_in_long_streams<T: Int>(checker: &mut Checker<impl Bulk>) {
    const N: usize = 1500;
    let mut rng = Rng(2015);
    for values in backgrounds::<T>(N) {
        let valid = oracle::encode_all(&values);
        checker.encode(&values, valid.len());
        checker.encode(&values, valid.len() - 1);
        for bad in edge_cases::<T>() {
            let bytes = overwritten(&valid, rng.below(valid.len()), &bad);
            checker.decode::<T>(&bytes, N + 1);
            checker.scan(&bytes, rng.below(N));
        }
    }
}

/// No end in all that a kernel looks at, after some values or none.
fn continuation_bytes_without_end<T: Int>(checker: &mut Checker<impl Bulk>) {
    for before in [0, 1, 7, 63, 64, 65, 200] {
        for (byte, run) in [(0x80, 63), (0x80, 64), (0xff, 129), (0x80, 400)] {
            let bytes = [vec![0x01; before], vec![byte; run]].concat();
            checker.decode::<T>(&bytes, bytes.len());
            checker.decode::<T>(&bytes, before);
            checker.scan(&bytes, before + 1);
        }
    }
}

/// Values of one length that no value of the type has, wherever a kernel may look for values of one
/// length.
fn too_long_values_after_valid_ones<T: Int>(checker: &mut Checker<impl Bulk>) {
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

/// The stream with `bad` in place of what stood at `at`; its length stays.
fn overwritten(valid: &[u8], at: usize, bad: &[u8]) -> Vec<u8> {
    let mut bytes = [&valid[..at], bad, valid.get(at + bad.len()..).unwrap_or_default()].concat();
    bytes.truncate(valid.len());
    bytes
}

/// Stretches of one kind after another, so that a kernel changes its ways within a call.
fn random_runs<T: Int>(checker: Checker<impl Bulk>) {
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

/// Every check, for one element type and every kernel that this CPU has.
fn check<T: Int>() {
    suite::<T>(Kernel::available().collect());
}

for_types!(every_kernel_agrees_with_the_oracle_on, check);

#[test]
fn every_listed_kernel_is_found_by_its_name_and_one_of_them_is_detected() {
    let kernels: Vec<_> = Kernel::available().collect();
    assert_eq!(kernels.first(), Some(&Kernel::SCALAR));
    assert!(kernels.contains(&Kernel::detect()));
    for kernel in &kernels {
        assert_eq!(Kernel::by_name(kernel.name()), Some(*kernel), "no two share a name");
        assert_eq!(kernel.to_string(), kernel.name().to_lowercase());
        assert_eq!(format!("{kernel:?}"), format!("Kernel({kernel})"));
    }
    assert!(kernels.windows(2).all(|pair| pair[0] != pair[1]), "{kernels:?}");
    assert_eq!(Kernel::by_name(""), None);
}

/// A kernel that is silently left out costs speed and nothing else, so that no other test would
/// notice.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_cpu_has_every_kernel_that_it_has_the_instructions_for() {
    use std::is_x86_feature_detected as has;

    let named = |name| Kernel::by_name(name).is_some();
    assert!(named("swar"));
    // Of the CPUs with BMI2 those with VAES too do not run it as microcode, which is no gain over
    // words.
    let fast = has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt") && has!("vaes");
    if !fast || !cfg!(feature = "std") {
        return;
    }
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512cd");
    let avx512 = avx512 && has!("avx512vl") && has!("avx512vbmi") && has!("avx512vbmi2");
    assert_eq!(["bmi2", "avx2", "avx512"].map(named), [true, has!("avx2"), avx512]);
}

#[test]
fn the_suite_notices_every_injected_fault() {
    for injected in InjectedFault::ALL {
        let message = std::panic::catch_unwind(|| suite::<u64>(vec![injected]));
        let message = message.expect_err(&format!("{injected:?} stays unnoticed"));
        let message = message.downcast::<String>().expect("the message of an assertion");
        assert!(message.contains("injected fault"), "{injected:?} is noticed by its result: {message}");
    }
}

/// Which guard page [`trespass`] shall touch. Without it the test does nothing.
const TRESPASS: &str = "ZIGZAG_VARINT_TRESPASS";

#[test]
#[ignore = "ends the process; run by the test below"]
fn trespass() {
    let Ok(edge) = std::env::var(TRESPASS) else { return };
    let edge = if edge == "Front" { Edge::Front } else { Edge::Back };
    Guarded::new(1).trespass(edge);
}

#[test]
fn an_access_outside_the_slice_ends_the_process() {
    let program = std::env::current_exe().expect("this test program");
    for edge in Edge::BOTH {
        let mut command = std::process::Command::new(&program);
        command.args(["--ignored", "--exact", "kernels::trespass"]).env(TRESPASS, format!("{edge:?}"));
        // An emulator may be unable to start the program again: then there is nothing to see.
        let Ok(output) = command.output() else { return };
        assert!(!output.status.success(), "{edge:?}: {output:?}");
    }
}
