//! Differences of slices: every kernel, across the boundaries of the blocks in which they are
//! processed, on valid and invalid bytes.

use crate::support::delta_checks::{Sequence, Tested, check_decode, check_encode, steps, suite, walk};
use crate::support::faulty_deltas::InjectedFault;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle;
use crate::support::strategies::{Run, check_random, runs};
use crate::support::streams::{Rng, backgrounds, breakpoints, mixed};
use zigzag_varint::{Kernel, delta};

/// More than three of the widest windows.
const THREE_WINDOWS: usize = 3 * 64 + 20;

fn check_kernels<T: Sequence>() {
    let kernels = Kernel::available().map(Tested::Kernel);
    suite::<T>(&kernels.chain([Tested::Free]).collect::<Vec<_>>());
}
for_types!(every_kernel_agrees_with_the_oracle_on_sequences_of, check_kernels, u16 i16 u32 i32 u64 i64);

/// All kernels share the scalar loops for these types.
fn check_scalar_loops<T: Sequence>() {
    suite::<T>(&[Tested::Kernel(Kernel::SCALAR), Tested::Free]);
}
for_types!(the_scalar_loops_agree_with_the_oracle_on_sequences_of, check_scalar_loops, u8 i128);

fn check_random_runs<T: Sequence>() {
    check_random(runs::<T::Step>(), &|(runs, capacity): (Vec<Run<T::Step>>, usize)| {
        let bytes: Vec<u8> = runs.iter().flat_map(Run::bytes).collect();
        let steps: Vec<_> = runs.iter().flat_map(Run::values).copied().collect();
        let previous: T = Rng(capacity as u64).value(1 + capacity % T::LONGEST);
        check_decode(&Tested::Free, [previous], &bytes, capacity);
        check_encode(&Tested::Free, [previous], &walk(&[previous], &steps));
    });
}
for_types!(random_runs_agree_with_the_oracle_on, check_random_runs);

/// Sequences and bytes next to either guard page: every number of values up to three of the widest
/// windows, and bytes truncated at every position.
fn check_guarded<T: Sequence>() {
    let (mut sequence, mut encoded) = (Guarded::new(4096), Guarded::new(4096));
    let longest = oracle::encode_all(&mixed::<T::Step>(T::LONGEST, THREE_WINDOWS));
    for kernel in Kernel::available() {
        for (edge, n) in Edge::BOTH.into_iter().flat_map(|edge| (0..=THREE_WINDOWS).map(move |n| (edge, n))) {
            let values = mixed::<T>(T::LONGEST, n);
            let expected = oracle::encode_all(&steps(&[T::default()], &values));
            let src = sequence.slice::<T>(edge, n);
            src.copy_from_slice(&values);
            let bytes = encoded.slice::<u8>(edge, expected.len());
            assert_eq!(kernel.encode_delta_slice([T::default()], src, bytes), Ok(expected.len()), "{kernel}");
            assert!(bytes == expected, "{kernel} encodes {n} values of {}", T::NAME);
            src.fill(T::default());
            let decoded = kernel.decode_delta_slice([T::default()], bytes, src);
            assert!(decoded.is_ok() && src == values, "{kernel} decodes {n} values of {}", T::NAME);

            // The first `n` bytes of the longest sequence, into a destination of the exact length
            // and into a longer one.
            let truncated = &longest[..n];
            let whole = oracle::decode_all::<T::Step>(truncated, n, true);
            let bytes = encoded.slice::<u8>(edge, n);
            bytes.copy_from_slice(truncated);
            for capacity in [whole.values.len(), n] {
                let dst = sequence.slice::<T>(edge, capacity);
                dst.fill(T::default());
                let failed = kernel.decode_delta_slice_canonical([T::default()], bytes, dst).err();
                let progress = failed.map_or(whole.bytes, |failed| failed.progress.bytes);
                assert_eq!(
                    (progress, failed.is_some()),
                    (whole.bytes, capacity > whole.values.len() && whole.error.is_some()),
                    "{kernel} {n}"
                );
                assert!(
                    dst.starts_with(&walk(&[T::default()], &whole.values)),
                    "{kernel} decodes {n} bytes of {}",
                    T::NAME
                );
            }
        }
    }
}
for_types!(no_kernel_accesses_memory_outside_its_slices_of, check_guarded);

/// Encodes and decodes a sequence in pieces, each with the last value of the previous piece as
/// `previous`.
fn check_pieces<T: Sequence>() {
    let mut rng = Rng(3);
    for values in backgrounds::<T>(700) {
        let whole = delta::encode_to_vec([T::default()], &values);
        let (mut bytes, mut previous, mut rest) = (Vec::new(), T::default(), &values[..]);
        while !rest.is_empty() {
            let (piece, following) = rest.split_at(1 + rng.below(rest.len().min(300)));
            bytes.extend(delta::encode_to_vec([previous], piece));
            (previous, rest) = (*piece.last().expect("not empty"), following);
        }
        assert!(bytes == whole, "{}", T::NAME);

        let (mut gathered, mut at) = (Vec::<T>::new(), 0);
        while at < bytes.len() {
            let mut piece = vec![T::default(); 1 + rng.below(300)];
            let previous = gathered.last().copied().unwrap_or_default();
            let progress = delta::decode_slice([previous], &bytes[at..], &mut piece).expect("valid");
            gathered.extend_from_slice(&piece[..progress.values]);
            at += progress.bytes;
        }
        assert!(gathered == values, "{}", T::NAME);
        assert!(delta::decode_to_vec([T::default()], &whole).as_ref() == Ok(&values), "{}", T::NAME);
    }
}
for_types!(a_sequence_in_pieces_equals_the_whole_sequence_for, check_pieces);

/// Every difference between breakpoints, among them those that wrap around.
fn check_breakpoint_pairs<T: Sequence>() {
    let points = breakpoints::<T>();
    let pairs: Vec<T> =
        points.iter().flat_map(|&left| points.iter().flat_map(move |&right| [left, right])).collect();
    check_encode(&Tested::Free, [T::default()], &pairs);
    let bytes = delta::encode_to_vec([T::default()], &pairs);
    assert!(delta::decode_to_vec([T::default()], &bytes) == Ok(pairs), "{}", T::NAME);
}
for_types!(differences_between_any_two_breakpoints_round_trip, check_breakpoint_pairs);

#[test]
fn differences_between_any_two_8_bit_values_round_trip() {
    let pairs: Vec<u8> =
        (0..=u8::MAX).flat_map(|left| (0..=u8::MAX).flat_map(move |right| [left, right])).collect();
    let bytes = delta::encode_to_vec([0], &pairs);
    assert_eq!(bytes, oracle::encode_all(&steps(&[0], &pairs)));
    assert_eq!(delta::decode_to_vec([0], &bytes), Ok(pairs));
}

#[test]
fn a_difference_that_wraps_around_is_small() {
    assert_eq!(delta::encode_to_vec([0], &[u64::MAX, 0, 1]), [0x01, 0x02, 0x02]); // -1, +1, +1
    assert_eq!(delta::encode_to_vec([i8::MAX], &[i8::MIN]), [0x02]);
    assert_eq!(delta::decode_to_vec([i8::MAX], &[0x02]), Ok(vec![i8::MIN]));
    // The difference from 0 to 2^63 is encoded as i64::MIN.
    let farthest = delta::encode_to_vec([0], &[1u64 << 63]);
    assert_eq!(farthest, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
}

#[test]
fn no_call_allocates() {
    let values: Vec<u64> = mixed(10, 3000);
    let (mut bytes, mut decoded) = (vec![0; 30_000], vec![0u64; 3000]);
    let allocated = allocation_counter::measure(|| {
        let len = delta::encode_slice([0], &values, &mut bytes).expect("enough space");
        assert!(delta::decode_slice([0], &bytes[..len], &mut decoded).is_ok());
        assert!(delta::decode_slice_canonical([0], &[0x80, 0x00], &mut decoded).is_err());
        assert!(delta::encode_slice([0], &values, &mut bytes[..100]).is_err());
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn the_suite_detects_every_injected_fault() {
    for injected in InjectedFault::ALL {
        let message = std::panic::catch_unwind(|| suite::<u32>(&[injected]));
        let message = message.expect_err(&format!("{injected:?} is not detected"));
        let message = message.downcast::<String>().expect("the message of an assertion");
        assert!(
            message.contains("injected fault"),
            "{injected:?} fails an assertion about the result: {message}"
        );
    }
}
