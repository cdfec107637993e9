//! One suite over every kernel of this CPU: each must come to the oracle's values, verdicts, offsets and bytes.

#[macro_use]
mod common;

use common::naive::{self, Int};
use common::streams::{backgrounds, breakpoints, mixed, nasty, uniform};
use common::suite::{Bulk, Checker};
use proptest::prelude::*;
use zigzag_varint::Kernel;

/// Three of the widest windows, and some.
const SPAN: usize = 3 * 64 + 20;

/// Every check, for one element type.
fn suite<T: Int>(codecs: Vec<impl Bulk>) {
    let mut checker = Checker::new(codecs, 1 << 16);
    every_input_length::<T>(&mut checker);
    every_room::<T>(&mut checker);
    every_alignment::<T>(&mut checker);
    every_breakpoint_at_every_lane::<T>(&mut checker);
    bad_bytes_at_every_position::<T>(&mut checker);
    random_mixes::<T>(&mut checker);
}

/// Streams of each shape, cut after each byte: truncation wherever it can happen.
fn every_input_length<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(SPAN) {
        let bytes = naive::encode_all(&values);
        for len in 0..=SPAN {
            checker.decode::<T>(&bytes[..len], len);
            checker.scan(&bytes[..len], len / 3);
        }
    }
}

/// Destinations from none to enough, for decode and encode, and one byte around the exact need.
fn every_room<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(SPAN) {
        let bytes = naive::encode_all(&values);
        for n in 0..=SPAN {
            checker.decode::<T>(&bytes, n);
            checker.scan(&bytes, n);
            let need = naive::encode_all(&values[..n]).len();
            for room in [0, need.saturating_sub(1), need, need + 1, need + 100] {
                checker.encode(&values[..n], room);
            }
        }
    }
}

fn every_alignment<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(SPAN) {
        checker.decode_unaligned::<T>(&naive::encode_all(&values));
    }
}

/// Values where the encoded length changes, one at a time, in each place of streams of every other length.
fn every_breakpoint_at_every_lane<T: Int>(checker: &mut Checker<impl Bulk>) {
    const LANES: usize = 70;
    for mut values in backgrounds::<T>(LANES) {
        for value in breakpoints() {
            for lane in 0..LANES {
                let usual = std::mem::replace(&mut values[lane], value);
                let bytes = naive::encode_all(&values);
                checker.decode::<T>(&bytes, LANES);
                checker.encode(&values, bytes.len());
                values[lane] = usual;
            }
        }
    }
}

/// Bad and nearly bad varints over each byte of each stream, with room before, at and behind them.
fn bad_bytes_at_every_position<T: Int>(checker: &mut Checker<impl Bulk>) {
    for values in backgrounds::<T>(SPAN) {
        let mut sound = naive::encode_all(&values);
        sound.truncate(SPAN);
        for bad in nasty::<T>() {
            for at in 0..SPAN {
                let mut bytes = sound.clone();
                let overwritten = bad.len().min(SPAN - at);
                bytes[at..at + overwritten].copy_from_slice(&bad[..overwritten]);
                checker.decode::<T>(&bytes, SPAN);
                checker.decode::<T>(&bytes, naive::count(&bytes[..at]) + 1);
                checker.scan(&bytes, naive::count(&bytes[..at]) + 1);
            }
        }
    }
}

/// Stretches of one kind after another, so that a kernel changes its ways within a call.
fn random_mixes<T: Int>(checker: &mut Checker<impl Bulk>) {
    #[derive(Clone, Debug)]
    enum Stretch {
        Uniform(usize, usize),
        Mixed(usize, usize),
        Nasty(usize),
        Bytes(Vec<u8>),
    }
    let stretch = prop_oneof![
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(len, n)| Stretch::Uniform(len, n)),
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(longest, n)| Stretch::Mixed(longest, n)),
        1 => (0..nasty::<T>().len()).prop_map(Stretch::Nasty),
        1 => prop::collection::vec(any::<u8>(), 0..20).prop_map(Stretch::Bytes),
    ];
    let case = (prop::collection::vec(stretch, 0..12), 0..1500usize);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let checker = std::cell::RefCell::new(checker);
    runner
        .run(&case, |(stretches, room)| {
            let mut bytes = Vec::new();
            let mut values = Vec::<T>::new();
            for stretch in &stretches {
                let part: Vec<T> = match *stretch {
                    Stretch::Uniform(len, n) => uniform(len, n),
                    Stretch::Mixed(longest, n) => mixed(longest, n),
                    Stretch::Nasty(which) => {
                        bytes.extend(&nasty::<T>()[which]);
                        continue;
                    }
                    Stretch::Bytes(ref any) => {
                        bytes.extend(any);
                        continue;
                    }
                };
                bytes.extend(naive::encode_all(&part));
                values.extend(part);
            }
            let mut checker = checker.borrow_mut();
            checker.decode::<T>(&bytes, room);
            checker.decode::<T>(&bytes, 1500);
            checker.scan(&bytes, room);
            checker.encode(&values, naive::encode_all(&values).len());
            Ok(())
        })
        .unwrap();
}

/// Every check, for one element type and every kernel that this CPU has.
fn check<T: Int>() {
    suite::<T>(Kernel::available().collect());
}

for_types!(every_kernel_agrees_with_the_oracle_on, check);
