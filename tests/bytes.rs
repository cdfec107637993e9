//! The sweep over byte strings: nothing wrong in this crate, and every planted fault found and named.

#[macro_use]
mod common;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use common::naive::{self, Int};
use varint_sweep::bytes::{
    ByteSweep, ConstDecode, DOORS, Door, Ended, Fault, Placement, Report, Text, Verdict,
};
use varint_sweep::{Ending, Integer, Watch};
use zigzag_varint::{ErrorKind, Kernel, VarInt};

/// Every door and kernel on every string of two bytes and the structured ones.
fn every_door_is_right<T: ConstDecode>() {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    let sweep = DOORS.iter().fold(ByteSweep::<T>::new().len(2), |sweep, door| door.add_to(sweep, &kernels));
    let report = sweep.run().expect("threads");
    assert_eq!(report.disagreements, 0, "{}", Text(&report));
    assert!(report.complete);
    assert_eq!(report.strings, sweep.strings());
    let of_type = &report.types[0];
    assert_eq!(of_type.doors.len(), DOORS.len() - 1 + kernels.len());
    for lengths in &of_type.lengths {
        assert_eq!(lengths.checked, lengths.planned);
        assert_eq!(lengths.values + lengths.truncated + lengths.overflow, lengths.checked);
    }
    for door in &of_type.doors {
        let bulk = ["bulk", "free", "reader"].contains(&&*door.door);
        assert_eq!((door.first, door.in_order), (report.strings, report.strings));
        let expected = if bulk { report.strings } else { 0 };
        assert_eq!((door.whole, door.mixed, door.at_end), (expected, expected, expected), "{}", door.door);
    }
}

for_types!(every_door, every_door_is_right, u8 u16 u32 u64 i64);

/// The oracle of the other tests, as a decoder.
struct Naive;

impl<T: Integer + Int> Door<T> for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        naive::decode(src, canonical).map_err(|fault| Fault { kind: fault.kind, offset: fault.offset })
    }
}

fn oracles_agree<T: Integer + Int>() {
    let report = ByteSweep::<T>::new().len(2).door(Naive).run().expect("threads");
    assert_eq!(report.disagreements, 0, "{}", Text(&report));
}

for_types!(oracles, oracles_agree, i8 i16 u32 u64);

/// A decoder that is right but for what `spoil` does to a verdict, given the bytes and the policy.
struct Spoilt<F>(F);

impl<F: Fn(&[u8], bool, Verdict<u64>) -> Verdict<u64> + Sync> Door<u64> for Spoilt<F> {
    fn name(&self) -> &str {
        "spoilt"
    }

    fn first(&self, src: &[u8], canonical: bool) -> Verdict<u64> {
        let decoded = if canonical { u64::decode_canonical(src) } else { u64::decode(src) };
        (self.0)(src, canonical, decoded.map_err(Fault::from))
    }
}

/// The report on such a decoder, which must not be clean.
fn spoilt(spoil: impl Fn(&[u8], bool, Verdict<u64>) -> Verdict<u64> + Sync + 'static) -> Report {
    let report = ByteSweep::<u64>::new()
        .len(2)
        .threads(1)
        .max_failures(2000)
        .door(Spoilt(spoil))
        .run()
        .expect("threads");
    assert!(report.disagreements > 0, "the fault was not found");
    assert_eq!(report.ending, if report.complete { Ending::Complete } else { Ending::Failures });
    report
}

/// The bytes, the verdict due and the one that came, of the first disagreement about a string by itself.
fn first(report: &Report) -> (&str, &str, &str) {
    let mut alone = report.first_disagreements.iter().filter(|one| one.placement == Placement::First);
    let first = alone.next().expect("a string by itself");
    (&first.bytes, &first.expected, &first.got)
}

#[test]
fn an_overflow_that_passes_is_found() {
    let report = spoilt(|src, _, verdict| match verdict {
        Err(Fault { kind: ErrorKind::Overflow, offset: 9 }) if src[9] == 2 => Ok((7, 10)),
        other => other,
    });
    assert_eq!(first(&report), ("80808080808080808002", "Overflow at byte 9", "value 7 in 10 bytes"));
}

#[test]
fn an_overlong_run_that_passes_is_found() {
    let report = spoilt(|src, _, verdict| match verdict {
        Err(Fault { kind: ErrorKind::Overflow, .. }) if src[9] >= 128 && src.get(10) == Some(&0) => {
            Ok((0, 11))
        }
        other => other,
    });
    assert_eq!(first(&report), ("8080808080808080808000", "Overflow at byte 9", "value 0 in 11 bytes"));
}

#[test]
fn an_overlong_zero_that_passes_for_canonical_is_found() {
    let report = spoilt(
        |src, canonical, verdict| {
            if canonical && src.starts_with(&[0x80, 0x00]) { Ok((0, 2)) } else { verdict }
        },
    );
    assert_eq!(first(&report), ("8000", "NonCanonical at byte 1", "value 0 in 2 bytes"));
    assert!(report.first_disagreements.iter().all(|one| one.canonical));
}

#[test]
fn a_wrong_offset_is_found() {
    let report = spoilt(|src, _, verdict| match verdict {
        Err(Fault { kind: ErrorKind::Truncated, offset }) if src.len() == 6 => {
            Err(Fault { kind: ErrorKind::Truncated, offset: offset - 1 })
        }
        other => other,
    });
    assert_eq!(first(&report), ("808080808080", "Truncated at byte 6", "Truncated at byte 5"));
}

#[test]
fn a_wrong_kind_is_found() {
    let report = spoilt(|_, _, verdict| match verdict {
        Err(Fault { kind: ErrorKind::NonCanonical, offset: 4 }) => {
            Err(Fault { kind: ErrorKind::Overflow, offset: 4 })
        }
        other => other,
    });
    assert_eq!(first(&report), ("8080808000", "NonCanonical at byte 4", "Overflow at byte 4"));
}

#[test]
fn a_length_off_by_one_is_found() {
    let report = spoilt(|_, _, verdict| verdict.map(|(value, len)| (value, len + usize::from(len == 9))));
    assert_eq!(first(&report), ("808080808080808000", "value 0 in 9 bytes", "value 0 in 10 bytes"));
}

#[test]
fn a_lost_top_bit_is_found() {
    let report = spoilt(|_, _, verdict| verdict.map(|(value, len)| (value & !(1 << 63), len)));
    let top = "value 9223372036854775808 in 10 bytes";
    assert_eq!(first(&report), ("80808080808080808001", top, "value 0 in 10 bytes"));
}

#[test]
fn one_wrong_string_among_all_is_found() {
    let report = spoilt(|src, _, verdict| if src == [0xb7, 0x3c] { Ok((1, 2)) } else { verdict });
    assert_eq!(first(&report), ("b73c", "value 7735 in 2 bytes", "value 1 in 2 bytes"));
    // Lenient and canonical: in streams it never stands alone.
    assert_eq!((report.disagreements, report.complete), (2, true));
}

#[test]
fn a_panic_is_a_disagreement_with_its_message() {
    let report = spoilt(|src, _, verdict| {
        assert!(src != [0xff, 0x80], "out of luck");
        verdict
    });
    assert_eq!(first(&report), ("ff80", "Truncated at byte 2", "panic: out of luck"));
    assert_eq!((report.disagreements, report.complete), (2, true));
}

#[test]
fn a_decoder_that_does_nothing_fails_everywhere() {
    struct Idle;
    impl Door<u8> for Idle {
        fn name(&self) -> &str {
            "idle"
        }
        fn first(&self, _: &[u8], _: bool) -> Verdict<u8> {
            Ok((0, 1))
        }
        fn all(&self, src: &[u8], values: &mut [u8], _: bool) -> Ended {
            Ended { values: src.len().min(values.len()), bytes: src.len(), fault: None }
        }
        fn is_bulk(&self) -> bool {
            true
        }
    }
    let report = ByteSweep::<u8>::new().len(1).max_failures(3).door(Idle).run().expect("threads");
    assert_eq!(report.ending, Ending::Failures);
    assert!(report.disagreements >= 3);
}

/// A bulk decoder that is right but for what `spoil` does behind its back, given the bytes and the values.
struct SpoiltBulk<F>(F);

impl<F: Fn(&[u8], &mut [u64], Ended) -> Ended + Sync> Door<u64> for SpoiltBulk<F> {
    fn name(&self) -> &str {
        "spoilt"
    }

    fn kernel(&self) -> Option<&str> {
        Some("avx7")
    }

    fn first(&self, src: &[u8], canonical: bool) -> Verdict<u64> {
        let decoded = if canonical { u64::decode_canonical(src) } else { u64::decode(src) };
        decoded.map_err(Fault::from)
    }

    fn all(&self, src: &[u8], values: &mut [u64], canonical: bool) -> Ended {
        let kernel = Kernel::SCALAR;
        let ended = match canonical {
            false => kernel.decode_slice(src, values),
            true => kernel.decode_slice_canonical(src, values),
        };
        (self.0)(src, values, ended.into())
    }

    fn is_bulk(&self) -> bool {
        true
    }
}

/// The placements of the disagreements about such a decoder, of which there are some.
fn spoilt_bulk(spoil: impl Fn(&[u8], &mut [u64], Ended) -> Ended + Sync + 'static) -> Vec<Placement> {
    let sweep = ByteSweep::<u64>::new().len(2).max_failures(400).door(SpoiltBulk(spoil));
    let report = sweep.run().expect("threads");
    assert!(report.disagreements > 0, "the fault was not found");
    let first = &report.first_disagreements[0];
    assert_eq!((&*first.door, first.kernel.as_deref()), ("spoilt", Some("avx7")));
    assert_ne!(first.expected, first.got);
    report.first_disagreements.iter().map(|one| one.placement).collect()
}

#[test]
fn a_fault_at_one_alignment_of_a_stream_alone_is_found() {
    let found = spoilt_bulk(|src, values, ended| {
        // The value that begins at the one unlucky address of each 64, if it has three bytes.
        let skip = (21 + 64 - src.as_ptr().addr() % 64) % 64;
        let before = if src.get(skip.wrapping_sub(1)).is_none_or(|&byte| byte < 128) {
            zigzag_varint::count(&src[..skip.min(src.len())])
        } else {
            return ended;
        };
        if matches!(src.get(skip..), Some([128..=255, 128..=255, 1..=127, ..]))
            && before < ended.values
            && skip > 0
        {
            values[before] ^= 1;
        }
        ended
    });
    assert!(found.iter().any(|placement| *placement != Placement::First));
}

#[test]
fn a_value_left_out_in_a_long_stream_is_found() {
    let found = spoilt_bulk(|_, values, ended| {
        if ended.values > 200 {
            values[199] = !values[199];
        }
        ended
    });
    assert!(found.iter().all(|placement| matches!(placement, Placement::InOrder | Placement::Mixed)));
}

#[test]
fn a_verdict_on_bytes_behind_a_full_room_is_found() {
    let found = spoilt_bulk(|src, values, ended| match ended {
        // It looks one varint too far.
        Ended { values: count, bytes, fault: None } if count == values.len() && bytes < src.len() => {
            let rest = u64::decode(&src[bytes..]).err();
            let fault = rest.map(|error| Fault { kind: error.kind(), offset: bytes + error.offset() });
            Ended { fault, ..ended }
        }
        other => other,
    });
    assert!(found.contains(&Placement::Mixed), "{found:?}");
}

#[test]
fn a_fault_in_the_tail_behind_a_window_is_found() {
    let found = spoilt_bulk(|src, _, ended| match ended.fault {
        Some(Fault { kind: ErrorKind::Truncated, .. }) if ended.bytes > 64 && src.len() < 90 => {
            Ended { fault: None, ..ended }
        }
        _ => ended,
    });
    assert!(found.contains(&Placement::AtEnd), "{found:?}");
}

#[test]
fn a_stream_names_the_string_and_shows_the_shortest_input() {
    let panics = |src: &[u8], _: &mut [u64], ended: Ended| {
        let unlucky = src.windows(4).any(|bytes| bytes == [0x05, 0x0a, 0x06, 0x0a]);
        assert!(!unlucky, "a window too far");
        ended
    };
    let sweep = ByteSweep::<u64>::new().len(2).threads(1).max_failures(0).door(SpoiltBulk(panics));
    let report = sweep.run().expect("threads");
    let one = report.first_disagreements.iter().find(|one| one.placement == Placement::InOrder).expect("one");
    assert_eq!((&*one.bytes, &*one.got), ("060a", "panic: a window too far"));
    assert_eq!((one.stream.as_deref(), one.at), (Some("050a060a070a"), Some(2)));
}

/// Counts what it is asked, by verdict.
struct Counter<const LONGEST: usize> {
    values: [AtomicU64; 12],
    overlong: [AtomicU64; 12],
    truncated: [AtomicU64; 12],
    /// By what the last byte promises: the end, or more.
    overflow: [AtomicU64; 2],
}

impl<T: Integer, const LONGEST: usize> Door<T> for &'static Counter<LONGEST> {
    fn name(&self) -> &str {
        "counter"
    }

    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T> {
        let decoded = if canonical { T::decode_canonical(src) } else { T::decode(src) };
        let counter = match decoded.map_err(|error| (error.kind(), error.offset())) {
            Ok((_, len)) => &self.values[len],
            Err((ErrorKind::NonCanonical, offset)) => &self.overlong[offset],
            Err((ErrorKind::Truncated, offset)) => &self.truncated[offset],
            Err((_, offset)) => {
                assert_eq!(offset, LONGEST - 1);
                &self.overflow[usize::from(src[offset] >= 128)]
            }
        };
        counter.fetch_add(1, Relaxed);
        decoded.map_err(Fault::from)
    }
}

fn all_verdicts_occur<T: Integer, const LONGEST: usize>() {
    let counter: &'static Counter<LONGEST> = Box::leak(Box::new(Counter {
        values: Default::default(),
        overlong: Default::default(),
        truncated: Default::default(),
        overflow: Default::default(),
    }));
    let report = ByteSweep::<T>::new().len(0).door(counter).run().expect("threads");
    assert_eq!(report.disagreements, 0);
    let seen = |counter: &AtomicU64| counter.load(Relaxed) > 0;
    assert!(counter.values[1..=LONGEST].iter().all(seen));
    assert!(counter.overlong[1..LONGEST].iter().all(seen));
    assert!(counter.truncated[..LONGEST].iter().all(seen));
    assert!(counter.overflow.iter().all(seen));
}

#[test]
fn structured_strings_bring_every_verdict_at_every_byte_of_every_width() {
    all_verdicts_occur::<u8, 2>();
    all_verdicts_occur::<u16, 3>();
    all_verdicts_occur::<u32, 5>();
    all_verdicts_occur::<i64, 10>();
}

#[test]
fn a_stopped_sweep_reports_what_it_has_covered() {
    let watch = Watch::new();
    watch.stop();
    let sweep = ByteSweep::<u64>::new().door(Naive);
    let report = sweep.run_watched(&watch).expect("threads");
    assert_eq!((report.complete, report.ending), (false, Ending::Interrupted));
    assert_eq!((report.strings, report.decodings), (0, 0));
    assert!(Text(&report).to_string().contains("INCOMPLETE: no disagreement about 0 strings"));
}
