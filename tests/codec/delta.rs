//! Slices of differences: on every kernel, over every boundary of the blocks they are worked in, on
//! good and bad bytes.

use crate::support::delta_checks::{Free, Sequence, check_decode, check_encode, steps, suite, walk};
use crate::support::faulty_deltas::InjectedFault;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle;
use crate::support::strategies::{Run, check_random, runs};
use crate::support::streams::{Rng, backgrounds, breakpoints, mixed};
use zigzag_varint::{Kernel, delta};

/// Three of the widest windows and some.
const THREE_WINDOWS: usize = 3 * 64 + 20;

fn kernels<T: Sequence>() {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    suite::<T>(&kernels);
    suite::<T>(&[Free]);
}
for_types!(every_kernel_agrees_with_the_oracle_on_sequences_of, kernels);

fn stretches_of_bytes<T: Sequence>() {
    check_random(runs::<T::Step>(), &|(runs, capacity): (Vec<Run<T::Step>>, usize)| {
        let bytes: Vec<u8> = runs.iter().flat_map(Run::bytes).collect();
        let steps: Vec<_> = runs.iter().flat_map(Run::values).copied().collect();
        let previous: T = Rng(capacity as u64).value(1 + capacity % T::LONGEST);
        check_decode(&Free, previous, &bytes, capacity);
        check_encode(&Free, previous, &walk(previous, &steps));
    });
}
for_types!(random_runs_agree_with_the_oracle_on, stretches_of_bytes);

/// Sequences and bytes between guard pages, from either edge: every count of values up to three of
/// the widest windows, and their bytes cut after each.
fn guarded<T: Sequence>() {
    let (mut sequence, mut encoded) = (Guarded::new(4096), Guarded::new(4096));
    let longest = oracle::encode_all(&mixed::<T::Step>(T::LONGEST, THREE_WINDOWS));
    for kernel in Kernel::available() {
        for (edge, n) in Edge::BOTH.into_iter().flat_map(|edge| (0..=THREE_WINDOWS).map(move |n| (edge, n))) {
            let values = mixed::<T>(T::LONGEST, n);
            let expected = oracle::encode_all(&steps(T::default(), &values));
            let src = sequence.slice::<T>(edge, n);
            src.copy_from_slice(&values);
            let bytes = encoded.slice::<u8>(edge, expected.len());
            assert_eq!(kernel.encode_delta_slice(T::default(), src, bytes), Ok(expected.len()), "{kernel}");
            assert!(bytes == expected, "{kernel} encodes {n} values of {}", T::NAME);
            src.fill(T::default());
            let decoded = kernel.decode_delta_slice(T::default(), bytes, src);
            assert!(decoded.is_ok() && src == values, "{kernel} decodes {n} values of {}", T::NAME);

            // That many bytes of the longest sequence, into as much capacity as they have values, and
            // into more.
            let cut = &longest[..n];
            let whole = oracle::decode_all::<T::Step>(cut, n, true);
            let bytes = encoded.slice::<u8>(edge, n);
            bytes.copy_from_slice(cut);
            for capacity in [whole.values.len(), n] {
                let dst = sequence.slice::<T>(edge, capacity);
                dst.fill(T::default());
                let failed = kernel.decode_delta_slice_canonical(T::default(), bytes, dst).err();
                let progress = failed.map_or(whole.bytes, |failed| failed.progress.bytes);
                assert_eq!(
                    (progress, failed.is_some()),
                    (whole.bytes, capacity > whole.values.len() && whole.fault.is_some()),
                    "{kernel} {n}"
                );
                assert!(
                    dst.starts_with(&walk(T::default(), &whole.values)),
                    "{kernel} decodes {n} bytes of {}",
                    T::NAME
                );
            }
        }
    }
}
for_types!(no_kernel_leaves_its_slices_with, guarded);

/// A sequence in pieces, each going on with the last value of the one before, is the sequence in
/// one piece.
fn pieces<T: Sequence>() {
    let mut rng = Rng(3);
    for values in backgrounds::<T>(700) {
        let whole = delta::encode_to_vec(T::default(), &values);
        let (mut bytes, mut previous, mut rest) = (Vec::new(), T::default(), &values[..]);
        while !rest.is_empty() {
            let (piece, following) = rest.split_at(1 + rng.below(rest.len().min(300)));
            bytes.extend(delta::encode_to_vec(previous, piece));
            (previous, rest) = (*piece.last().expect("not empty"), following);
        }
        assert!(bytes == whole, "{}", T::NAME);

        let (mut gathered, mut at) = (Vec::<T>::new(), 0);
        while at < bytes.len() {
            let mut piece = vec![T::default(); 1 + rng.below(300)];
            let previous = gathered.last().copied().unwrap_or_default();
            let progress = delta::decode_slice(previous, &bytes[at..], &mut piece).expect("valid");
            gathered.extend_from_slice(&piece[..progress.values]);
            at += progress.bytes;
        }
        assert!(gathered == values, "{}", T::NAME);
        assert!(delta::decode_to_vec(T::default(), &whole).as_ref() == Ok(&values), "{}", T::NAME);
    }
}
for_types!(a_sequence_in_pieces_goes_on_where_it_stopped, pieces);

/// Every step between the ends of the type and of the lengths: all differences wrap, and come back.
fn breakpoint_pairs<T: Sequence>() {
    let points = breakpoints::<T>();
    let pairs: Vec<T> =
        points.iter().flat_map(|&left| points.iter().flat_map(move |&right| [left, right])).collect();
    check_encode(&Free, T::default(), &pairs);
    let bytes = delta::encode_to_vec(T::default(), &pairs);
    assert!(delta::decode_to_vec(T::default(), &bytes) == Ok(pairs), "{}", T::NAME);
}
for_types!(any_two_limits_may_follow_one_another, breakpoint_pairs);

#[test]
fn every_8_bit_value_may_follow_any_other() {
    let pairs: Vec<u8> =
        (0..=u8::MAX).flat_map(|left| (0..=u8::MAX).flat_map(move |right| [left, right])).collect();
    let bytes = delta::encode_to_vec(0, &pairs);
    assert_eq!(bytes, oracle::encode_all(&steps(0, &pairs)));
    assert_eq!(delta::decode_to_vec(0, &bytes), Ok(pairs));
}

#[test]
fn a_step_over_the_end_of_the_type_is_small() {
    assert_eq!(delta::encode_to_vec(0, &[u64::MAX, 0, 1]), [0x01, 0x02, 0x02]); // -1, +1, +1
    assert_eq!(delta::encode_to_vec(i8::MAX, &[i8::MIN]), [0x02]);
    assert_eq!(delta::decode_to_vec(i8::MAX, &[0x02]), Ok(vec![i8::MIN]));
    // From 0 to 2^63 is as far down as up: the least i64.
    let far = delta::encode_to_vec(0, &[1u64 << 63]);
    assert_eq!(far, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
}

#[test]
fn no_call_allocates() {
    let values: Vec<u64> = mixed(10, 3000);
    let (mut bytes, mut decoded) = (vec![0; 30_000], vec![0u64; 3000]);
    let asked = allocation_counter::measure(|| {
        let len = delta::encode_slice(0, &values, &mut bytes).expect("enough space");
        assert!(delta::decode_slice(0, &bytes[..len], &mut decoded).is_ok());
        assert!(delta::decode_slice_canonical(0, &[0x80, 0x00], &mut decoded).is_err());
        assert!(delta::encode_slice(0, &values, &mut bytes[..100]).is_err());
    });
    assert_eq!(asked.count_total, 0);
}

#[test]
fn the_suite_notices_every_injected_fault() {
    for injected in InjectedFault::ALL {
        let message = std::panic::catch_unwind(|| suite::<u32>(&[injected]));
        let message = message.expect_err(&format!("{injected:?} stays unnoticed"));
        let message = message.downcast::<String>().expect("the message of an assertion");
        assert!(message.contains("injected fault"), "{injected:?} is noticed by its result: {message}");
    }
}
